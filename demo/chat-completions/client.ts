import OpenAI from 'openai';
import { chatCompletions } from '../../src/chat-completions.ts';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import { assembleTurn, createTranscript } from '../../src/index.ts';
import { overhear } from '../overhear.ts';
import { resultOf, tools } from '../tools.ts';
import type { Access, Client } from '../wire.ts';

type MessageParam = OpenAI.ChatCompletionMessageParam;
type Settings = Omit<OpenAI.ChatCompletionCreateParamsStreaming, 'messages'>;

/** Makes the official SDK's client, for a gateway that answers with `reasoning_details`. */
export function createChatCompletionsClient({ model, ...access }: Access): Client<MessageParam> {
  const client = new OpenAI({ ...access, organization: null, project: null });
  const settings: Settings & { reasoning: object } = {
    model,
    max_tokens: 4096,
    // The gateway's own field, which the SDK passes on.
    reasoning: { max_tokens: 2000 },
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: { ...schema } },
    })),
    stream: true,
  };
  /** For the mistake: of each answer, what of its details one has who collects the deltas. */
  const fragments: unknown[][] = [];

  return {
    send(history, signal) {
      const request = client.chat.completions.create({ ...settings, messages: [...history] }, { signal });
      const collected: unknown[] = [];
      fragments.push(collected);
      const chunks = overhear(request.asResponse(), (event) => collected.push(...fragmentsIn(event)));
      return assembleTurn(chunks, chatCompletions, { signal });
    },
    begin: () => createTranscript(chatCompletions),
    run: resultOf,
    mistakes: [
      {
        title: 'the details go back in the fragments in which they came',
        make: (history) => editAnswers(history, (answer, count) => ({ ...answer, ...unmerged(fragments[count]) })),
      },
      { title: 'the reasoning is left out', make: (history) => editAnswers(history, withoutReasoning) },
    ],
  };
}

function fragmentsIn({ choices: list }: JsonObject): readonly unknown[] {
  const choices: unknown[] = Array.isArray(list) ? list : [];
  return choices.filter(isJsonObject).flatMap(({ delta }) => {
    const details = isJsonObject(delta) ? delta['reasoning_details'] : undefined;
    return Array.isArray(details) ? details : [];
  });
}

function unmerged(fragments: readonly unknown[] = []): object {
  return { reasoning_details: fragments };
}

function withoutReasoning({
  reasoning: _reasoning,
  reasoning_details: _details,
  ...answer
}: OpenAI.ChatCompletionAssistantMessageParam & { reasoning?: unknown; reasoning_details?: unknown }): MessageParam {
  return answer;
}

/** Changes the answers in a history; `count` numbers them. */
function editAnswers(
  history: readonly MessageParam[],
  edit: (answer: OpenAI.ChatCompletionAssistantMessageParam, count: number) => MessageParam,
): MessageParam[] {
  let count = 0;
  return history.map((message) => (message.role === 'assistant' ? edit(message, count++) : message));
}
