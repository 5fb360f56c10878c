import type { JsonObject } from '../../src/index.ts';

/** An SSE body of events, numbered as the service numbers them. */
export function sse(...events: readonly JsonObject[]): string {
  return events.map((event, at) => frame(String(event['type']), JSON.stringify(numbered(event, at)))).join('');
}

/** One event, whose data is this very text. */
export function frame(type: string, data: string): string {
  return `event: ${type}\ndata: ${data}\n\n`;
}

function numbered({ type, ...members }: JsonObject, at: number): JsonObject {
  return { type, sequence_number: at, ...members };
}

/** An event about the response itself. */
export function responseEvent(state: string, members: JsonObject = {}): JsonObject {
  const usage = { input_tokens: 9, output_tokens: 4, total_tokens: 13 };
  const isOver = state !== 'created' && state !== 'in_progress';
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'gpt-local',
    status: state === 'created' ? 'in_progress' : state,
    output: [],
    usage: isOver ? usage : null,
  };
  return { type: `response.${state}`, response: { ...response, ...members } };
}

/** An event that adds to an item. */
export function added(place: number, type: string, members: JsonObject): JsonObject {
  return { type: `response.${type}`, output_index: place, ...members };
}

/** The start of an item. */
export function itemAdded(place: number, item: JsonObject): JsonObject {
  return added(place, 'output_item.added', { item });
}

/** The end of an item. */
export function itemDone(place: number, item: JsonObject): JsonObject {
  return added(place, 'output_item.done', { item });
}

/** A piece of a message's text. */
export function textDelta(place: number, delta: string): JsonObject {
  return added(place, 'output_text.delta', { item_id: 'msg_1', content_index: 0, delta, logprobs: [] });
}

/** A message that is done. */
export function message(text: string, members: JsonObject = {}): JsonObject {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  return { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', ...members, content };
}

const reasoning = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] };
const sealed = { ...reasoning, encrypted_content: 'c2VhbGVk' };
const started = { ...message(''), status: 'in_progress', content: [] };

/** The first half of an answer: reasoning, and a text that has begun. */
export const beginning: string = sse(
  responseEvent('created'),
  responseEvent('in_progress'),
  itemAdded(0, { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'c2Vh' }),
  added(0, 'reasoning_summary_text.delta', { item_id: 'rs_1', summary_index: 0, delta: 'hm' }),
  itemDone(0, sealed),
  itemAdded(1, started),
  textDelta(1, 'Hel'),
);

/** The second half, but for the terminal event. */
export const restOfItems: string = sse(textDelta(1, 'lo'), itemDone(1, message('Hello')));

/** The second half. */
export const rest: string = restOfItems + sse(responseEvent('completed', { output: [sealed, message('Hello')] }));

/** What the turn of both halves matches. */
export const whole: object = {
  status: 'complete',
  stopReason: 'completed',
  turnId: 'resp_1',
  entries: [sealed, { type: 'message', content: [{ text: 'Hello' }] }],
};

/** A whole answer with one message. */
export function answerOf(text: string): string {
  return sse(
    responseEvent('created'),
    itemAdded(0, started),
    textDelta(0, text),
    itemDone(0, message(text)),
    responseEvent('completed', { output: [message(text)] }),
  );
}

/** What the turn of such an answer matches. */
export function wholeOf(text: string): object {
  return { status: 'complete', entries: [{ content: [{ text }] }] };
}

const callTexts = ['{"port": "Br\\u0065st", "id": 12345678901234567890 }', '{"port":"Cork","depth":1.0}'] as const;
const [textOfA, textOfB] = callTexts;

function call(letter: string, text: string, status: string): JsonObject {
  const ids = { id: `fc_${letter}`, call_id: `call_${letter}` };
  return { ...ids, type: 'function_call', status, arguments: text, name: 'look' };
}

function argumentsDelta(place: number, letter: string, delta: string): JsonObject {
  return added(place, 'function_call_arguments.delta', { item_id: `fc_${letter}`, delta });
}

const commentary = message('Two places.', { phase: 'commentary' });

/** An answer with reasoning, a commentary, and two calls. */
export const toolTurn: string = sse(
  responseEvent('created'),
  itemAdded(0, { ...reasoning, summary: [] }),
  added(0, 'reasoning_summary_text.delta', { item_id: 'rs_1', summary_index: 0, delta: 'hm' }),
  itemDone(0, sealed),
  itemAdded(1, { ...started, phase: 'commentary' }),
  textDelta(1, 'Two '),
  textDelta(1, 'places.'),
  itemDone(1, commentary),
  itemAdded(2, call('a', '', 'in_progress')),
  argumentsDelta(2, 'a', textOfA.slice(0, 14)),
  argumentsDelta(2, 'a', textOfA.slice(14)),
  itemDone(2, call('a', textOfA, 'completed')),
  itemAdded(3, call('b', '', 'in_progress')),
  argumentsDelta(3, 'b', textOfB),
  itemDone(3, call('b', textOfB, 'completed')),
  responseEvent('completed', {
    output: [sealed, commentary, call('a', textOfA, 'completed'), call('b', textOfB, 'completed')],
  }),
);

/** The texts of the arguments in it. */
export const argumentTexts: readonly string[] = callTexts;

/** The items that must come back of it, byte for byte and divided by commas. */
export const toolItems: string = [
  '{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"c2VhbGVk"}',
  '{"id":"msg_1","type":"message","status":"completed","role":"assistant","phase":"commentary","content":[' +
    '{"type":"output_text","text":"Two places.","annotations":[],"logprobs":[]}]}',
  '{"id":"fc_a","call_id":"call_a","type":"function_call","status":"completed",' +
    '"arguments":"{\\"port\\": \\"Br\\\\u0065st\\", \\"id\\": 12345678901234567890 }","name":"look"}',
  '{"id":"fc_b","call_id":"call_b","type":"function_call","status":"completed",' +
    '"arguments":"{\\"port\\":\\"Cork\\",\\"depth\\":1.0}","name":"look"}',
].join(',');
