import OpenAI from 'openai';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import { assembleTurn, createTranscript } from '../../src/index.ts';
import { responses } from '../../src/responses.ts';
import { overhear } from '../overhear.ts';
import { resultOf, tools } from '../tools.ts';
import type { Access, Client } from '../wire.ts';

type InputItem = OpenAI.Responses.ResponseInputItem;
type Settings = Omit<OpenAI.Responses.ResponseCreateParamsStreaming, 'input'>;

/** Makes the official SDK's client, with nothing stored at the service: every request carries the whole history. */
export function createResponsesClient({ model, ...access }: Access): Client<InputItem> {
  const client = new OpenAI({ ...access, organization: null, project: null });
  const settings: Settings = {
    model,
    store: false,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'medium', summary: 'auto' },
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      name,
      description,
      parameters: { ...schema },
      strict: false,
    })),
    stream: true,
  };
  /** For the mistake: the ciphertexts with which reasoning was announced, by its id. */
  const announced = new Map<unknown, string>();

  return {
    send(history, signal) {
      const request = client.responses.create({ ...settings, input: [...history] }, { signal });
      const chunks = overhear(request.asResponse(), (event) => keepAnnounced(event, announced));
      return assembleTurn(chunks, responses({ store: false }), { signal });
    },
    begin: () => createTranscript(responses({ store: false })),
    run: resultOf,
    mistakes: [
      { title: 'of each answer only the tool calls are kept', make: onlyToolCalls },
      { title: 'the tool calls are left out, while the reasoning that led to them stays', make: withoutToolCalls },
      {
        title: 'the ciphertext is that of output_item.added',
        make: (history) => editReasoning(history, ({ id }) => ({ encrypted_content: announced.get(id) ?? null })),
      },
      {
        title: 'the reasoning has ids of the client’s own',
        make: (history) => editReasoning(history, ({ id }) => ({ id: id.replace('rs_', 'rs_own_') })),
      },
    ],
  };
}

function keepAnnounced({ type, item }: JsonObject, announced: Map<unknown, string>): void {
  if (type !== 'response.output_item.added' || !isJsonObject(item)) return;
  const { id, encrypted_content: ciphertext } = item;
  if (typeof ciphertext === 'string') announced.set(id, ciphertext);
}

/** Keeps of each answer the calls, since they are all that the outputs need. */
export function onlyToolCalls(history: readonly InputItem[]): InputItem[] {
  return history.filter((item) => item.type !== 'reasoning' && !('id' in item && item.type === 'message'));
}

/** Leaves out calls and outputs, as one does who shows a model what was said and not what was done. */
export function withoutToolCalls(history: readonly InputItem[]): InputItem[] {
  return history.filter(({ type }) => type !== 'function_call' && type !== 'function_call_output');
}

function editReasoning(
  history: readonly InputItem[],
  edit: (item: OpenAI.Responses.ResponseReasoningItem) => Partial<OpenAI.Responses.ResponseReasoningItem>,
): InputItem[] {
  return history.map((item) => (item.type === 'reasoning' ? { ...item, ...edit(item) } : item));
}
