import { anthropic } from '../../src/anthropic.ts';
import { chatCompletions } from '../../src/chat-completions.ts';
import type { Dialect } from '../../src/core/dialect.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import type { AssembledTurn } from '../../src/core/turn.ts';
import { gemini } from '../../src/gemini.ts';
import { responses } from '../../src/responses.ts';
import { createChunkStage } from '../../src/rx/chunk-stage.ts';
import * as anthropicWire from '../dialects/anthropic/wire-events.ts';
import * as chatWire from '../dialects/chat-completions/wire-chunks.ts';
import * as geminiWire from '../dialects/gemini/wire-chunks.ts';
import * as responsesWire from '../dialects/responses/wire-events.ts';

/** What an invented turn says. */
export interface Plan {
  readonly id: string;
  readonly model?: string;
  readonly reasoning?: string;
  readonly text?: string;
  /** The calls, with the texts of their inputs. */
  readonly calls?: readonly { readonly id: string; readonly name?: string; readonly input: string }[];
  readonly stopReason?: string;
  readonly reasoningTokens?: number;
}

/** One dialect, and how to invent its streams. */
export interface DialectKit {
  readonly name: 'anthropic' | 'chatCompletions' | 'responses' | 'gemini';
  readonly dialect: Dialect<object, object>;
  /** Each event of a stream that says this, as it stands in the body. */
  stream(plan: Plan): readonly string[];
  /** An event that says that the provider failed. */
  readonly error: string;
}

const anthropicKit: DialectKit = {
  name: 'anthropic',
  dialect: anthropic as Dialect<object, object>,
  stream({ id, model = 'claude-test', reasoning, text, calls = [], stopReason, reasoningTokens }) {
    let next = 0;
    const reason = stopReason ?? (calls.length > 0 ? 'tool_use' : 'end_turn');
    const usage = { output_tokens: 20, output_tokens_details: { thinking_tokens: reasoningTokens ?? null } };
    return [
      anthropicWire.messageStart({ id, model }),
      ...(reasoning === undefined ? [] : anthropicWire.thinking(next++, reasoning)),
      ...(text === undefined ? [] : anthropicWire.text(next++, ...halves(text))),
      ...calls.flatMap(({ id: callId, name = 'tool', input }) =>
        anthropicWire.call(next++, { id: callId, name }, ...halves(input)),
      ),
      ...anthropicWire.messageEnd(reason, { usage }),
    ].map((event) => anthropicWire.sse(event));
  },
  error: anthropicWire.sse({ type: 'error', error: { type: 'overloaded_error', message: 'Busy' } }),
};

const chatKit: DialectKit = {
  name: 'chatCompletions',
  dialect: chatCompletions as Dialect<object, object>,
  stream({ id, model = 'model-test', reasoning, text, calls = [], stopReason, reasoningTokens }) {
    const usage = { completion_tokens: 20, completion_tokens_details: { reasoning_tokens: reasoningTokens ?? null } };
    const deltas: JsonObject[] = [
      ...halves(reasoning).map((reasoning_content) => ({ reasoning_content })),
      ...halves(text).map((content) => ({ content })),
      ...calls.flatMap(({ id: callId, name = 'tool', input }, index) => [
        chatWire.call({ index, id: callId, type: 'function' }, { name, arguments: '' }),
        ...halves(input).map((piece) => chatWire.call({ index }, { arguments: piece })),
      ]),
    ];
    const reason = stopReason ?? (calls.length > 0 ? 'tool_calls' : 'stop');
    const last = chatWire.chunk({}, reason, { id, model, usage });
    return [
      ...[...deltas.map((delta) => chatWire.chunk(delta, null, { id, model })), last].map((chunk) =>
        chatWire.sse(chunk),
      ),
      chatWire.done,
    ];
  },
  error: chatWire.sse({ error: { message: 'Busy', code: 502 } }),
};

const responsesKit: DialectKit = {
  name: 'responses',
  dialect: responses as Dialect<object, object>,
  stream({ id, model = 'model-test', reasoning, text, calls = [], stopReason, reasoningTokens }) {
    let next = 0;
    const usage = { output_tokens: 20, output_tokens_details: { reasoning_tokens: reasoningTokens ?? null } };
    const end = { id, model, usage };
    return [
      responsesWire.created({ id, model }),
      ...(reasoning === undefined ? [] : responsesWire.reasoning(next++, reasoning)),
      ...(text === undefined ? [] : responsesWire.message(next++, ...halves(text))),
      ...calls.flatMap(({ id: call_id, name = 'tool', input }) => {
        const place = next++;
        const item = responsesWire.callItem(place, input, { id: `fc_${call_id}`, call_id, name });
        return [
          responsesWire.added(place, { ...item, arguments: '', status: 'in_progress' }),
          ...halves(input).map((piece) => responsesWire.delta('function_call_arguments', place, piece)),
          responsesWire.done(place, item),
        ];
      }),
      stopReason === undefined ? responsesWire.completed([], end) : responsesWire.incomplete(stopReason, end),
    ].map((event) => responsesWire.sse(event));
  },
  error: responsesWire.sse({ type: 'error', error: { type: 'server_error', message: 'Busy' } }),
};

const geminiKit: DialectKit = {
  name: 'gemini',
  dialect: gemini as Dialect<object, object>,
  stream({ id, model = 'gemini-test', reasoning, text, calls = [], stopReason = 'STOP', reasoningTokens }) {
    const parts = [
      ...halves(reasoning).map((thought) => `{"text":${JSON.stringify(thought)},"thought":true}`),
      ...halves(text).map((piece) => `{"text":${JSON.stringify(piece)}}`),
      ...calls.map(({ id: callId, name = 'tool', input }, at) => {
        const signature = at === 0 ? ',"thoughtSignature":"c2VhbGVk"' : '';
        return `{"functionCall":{"id":${JSON.stringify(callId)},"name":"${name}","args":${input}}${signature}}`;
      }),
    ];
    // Arguments stand in the text as they are, which JSON.stringify would not leave to them.
    const head = `"modelVersion":"${model}","responseId":"${id}"`;
    const usage = `"usageMetadata":{"thoughtsTokenCount":${reasoningTokens ?? null}}`;
    return [
      ...parts.map((part) => `data: {"candidates":[{"content":{"parts":[${part}],"role":"model"}}],${head}}\r\n\r\n`),
      `data: {"candidates":[{"finishReason":"${stopReason}"}],${usage},${head}}\r\n\r\n`,
    ];
  },
  error: geminiWire.sse({ error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }),
};

/** All four. */
export const kits: readonly DialectKit[] = [anthropicKit, chatKit, responsesKit, geminiKit];

/** How a stream ends before its end. */
export type Interruption = 'cut' | 'stopped' | 'error';

/** The turn of a stream; of an interrupted one, only its first events came. */
export function turnOf(kit: DialectKit, plan: Plan, after?: number, how: Interruption = 'cut'): AssembledTurn<object> {
  const stage = createChunkStage(kit.dialect, { clock: () => 0 });
  const events = [...stage.push(kit.stream(plan).slice(0, after).join(''))];
  if (after !== undefined && how === 'error') events.push(...stage.push(kit.error));
  events.push(...(after !== undefined && how === 'stopped' ? stage.abort() : stage.flush()));
  const last = events.find((event) => event.type === 'turn');
  if (!last) throw new Error('The stream did not become a turn.');
  return last.turn;
}

/** A text in two pieces, as a stream would bring it; none of no text. */
function halves(text = ''): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}
