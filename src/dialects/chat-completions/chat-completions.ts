import { type ConfigurableDialect, configurable } from '../../core/dialect.ts';
import type { ChatCompletionsEntry } from './entries.ts';
import { type FamilyName, reasoningFamily } from './families.ts';
import { type ChatMessage, chatHistory } from './history.ts';
import { type AssemblerOptions, createTurnAssembler } from './turn-assembler.ts';

/** Options of {@link chatCompletions}. */
export interface ChatCompletionsOptions extends Omit<AssemblerOptions, 'family'> {
  /** Which choice is the turn, by its `index`; 0 by default. The others are under `turn.choices`. */
  readonly choice: number;
  /** For gateways that spread one answer over several choices. */
  readonly mergeChoices: boolean;
  /** For servers that send the whole reasoning so far in each fragment (MiniMax), which cannot be told from the stream. */
  readonly cumulativeReasoning: boolean;
  /**
   * The model's family, where its server wants more than the wire says: DeepSeek and Kimi want a reasoning field on
   * every turn with calls, so an empty one is added; the first DeepSeek R1 wants none. See {@link reasoningFamily}.
   */
  readonly family: FamilyName;
}

/**
 * The dialect of chat completions: OpenAI's, and those of the many servers and gateways that are compatible with it.
 *
 * A value and a function: `chatCompletions` as it is, or `chatCompletions({ choice: 1 })`.
 *
 * - The message goes back with every field under the name it came in, `reasoning_details` put together and in order of
 *   arrival, arguments as their raw text.
 * - What is shown is a sequence of runs: reasoning, text, refusal, calls, in the order of arrival.
 * - The turn ends with `[DONE]`, or with the bytes after a finish reason.
 *
 * @example
 * ```ts
 * const turn = assembleTurn((signal) => fetch(url, { ...request, signal }), chatCompletions);
 * turn.ui.subscribe(render);
 * messages.push(...(await turn.finalTurn()).entries);
 * ```
 *
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
export const chatCompletions: ConfigurableDialect<
  ChatCompletionsEntry,
  Partial<ChatCompletionsOptions>,
  ChatMessage
> = configurable<ChatCompletionsEntry, ChatCompletionsOptions, ChatMessage>(
  ['choice', 'mergeChoices', 'cumulativeReasoning', 'family'],
  ({ choice = 0, mergeChoices = false, cumulativeReasoning = false, family: familyName }) => {
    const family = familyName && reasoningFamily({ name: familyName });
    return {
      name: 'chatCompletions',
      recognises: ({ object, choices }) => object === 'chat.completion.chunk' || Array.isArray(choices),
      createAssembler: (record) => createTurnAssembler(record, { choice, mergeChoices, cumulativeReasoning, family }),
      history: chatHistory,
    };
  },
);
