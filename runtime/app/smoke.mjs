// What the installed package must do on every runtime. Uses the web platform only, and the package that it is given.

/** How the model wrote the input of its call: a number and an id that JSON.parse followed by JSON.stringify would change. */
export const inputText = '{"scale": 1.0, "id": 12345678901234567890}';

const wireEvents = [
  {
    type: 'message_start',
    message: {
      id: 'msg_smoke',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 12, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'A scale, ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'so measure.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmVk' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Größe messen: ' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: '📏 los.' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'scale', input: {} },
  },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: inputText.slice(0, 21) } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: inputText.slice(21) } },
  { type: 'content_block_stop', index: 2 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 40 } },
  { type: 'message_stop' },
];

/** The recorded answer: thinking, text, a tool call. */
export const recording = wireEvents.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

/** What goes back of it, as JSON text: block for block as it came, the tool input as the model wrote it. */
export const entriesText = JSON.stringify([
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'A scale, so measure.', signature: 'c2lnbmVk' },
      { type: 'text', text: 'Größe messen: 📏 los.' },
      { type: 'tool_use', id: 'toolu_1', name: 'scale', input: 'AS WRITTEN' },
    ],
  },
]).replace('"AS WRITTEN"', inputText);

const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: '📏 los.' }],
};

/** One short answer in each of the other formats, and what goes back of it. */
const shortAnswers = {
  chatCompletions: {
    events: [
      { id: 'chat_1', choices: [{ index: 0, delta: { role: 'assistant', content: '📏 ' } }] },
      { id: 'chat_1', choices: [{ index: 0, delta: { content: 'los.' }, finish_reason: 'stop' }] },
    ],
    entries: [{ role: 'assistant', content: '📏 los.' }],
  },
  responses: {
    events: [
      { type: 'response.created', response: { id: 'resp_1', model: 'gpt-6' } },
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [message] } },
    ],
    entries: [message],
  },
  gemini: {
    events: [
      { candidates: [{ content: { parts: [{ text: '📏 ' }], role: 'model' } }] },
      { candidates: [{ content: { parts: [{ text: 'los.' }, { text: '', thoughtSignature: 'c2ln' }] } }] },
      { candidates: [{ finishReason: 'STOP' }] },
    ],
    entries: [{ role: 'model', parts: [{ text: '📏 los.' }, { text: '', thoughtSignature: 'c2ln' }] }],
  },
};

/**
 * Runs every check.
 *
 * @param wholeturn The exports of the package.
 * @param dialects Those of its entries, by their names.
 * @returns `ok`; fails with what was met and what was expected instead.
 */
export async function smoke(wholeturn, dialects) {
  const { anthropic } = dialects;
  await assemblesAnAnswer(wholeturn, anthropic);
  await speaksEveryDialect(wholeturn, dialects);
  await stopsAnIdleStream(wholeturn, anthropic);
  await tellsOfARefusal(wholeturn, anthropic);
  return 'ok';
}

async function assemblesAnAnswer({ assembleTurn, stringifyRequest }, anthropic) {
  const turn = assembleTurn(Promise.resolve(eventStream(inPieces(recording))), anthropic);
  const events = [];
  for await (const event of turn) events.push(event);
  const view = await lastOf(turn.view);
  const final = await turn.finalTurn();

  equal([events[0].type, events.at(-1).type], ['turn_start', 'turn_stop'], 'first and last event');
  equal(joined(events, 'reasoning_delta', 'text'), 'A scale, so measure.', 'reasoning shown');
  equal(joined(events, 'text_delta', 'text'), 'Größe messen: 📏 los.', 'text shown');
  equal(joined(events, 'tool_input_delta', 'json'), inputText, 'tool input shown');
  equal(JSON.stringify(events).includes('c2lnbmVk'), false, 'a signature among the events');
  equal(
    view.blocks.map(({ kind, state }) => `${kind} ${state}`),
    ['reasoning finished', 'text finished', 'tool_call finished'],
    'blocks of the view',
  );
  equal([final.status, final.stopReason, final.model], ['complete', 'tool_use', 'claude-opus-5'], 'turn');
  equal(
    final.toolCalls.map((call) => call.inputText),
    [inputText],
    'tool calls',
  );
  equal(stringifyRequest(final.entries), entriesText, 'entries');
}

async function speaksEveryDialect({ assembleTurn, stringifyRequest }, dialects) {
  for (const [name, { events, entries }] of Object.entries(shortAnswers)) {
    const body = events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join('');
    const final = await assembleTurn(eventStream(inPieces(body)), dialects[name]).finalTurn();
    equal(stringifyRequest(final.entries), JSON.stringify(entries), `entries of ${name}`);
  }
}

async function stopsAnIdleStream({ assembleTurn }, anthropic) {
  let isCancelled = false;
  const idle = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(recording.slice(0, recording.indexOf('📏')))),
    cancel: () => {
      isCancelled = true;
    },
  });
  const turn = assembleTurn(eventStream(idle), anthropic);
  // Its first text comes, the rest never does.
  for await (const event of turn) if (event.type === 'text_delta') break;
  turn.abort(new Error('stopped by the user'));
  const settled = await turn.settled();
  const error = await turn.finalTurn().catch((cause) => cause);

  equal(isCancelled, true, 'the body is cancelled');
  equal([settled.status, settled.entries], ['aborted', []], 'the stopped turn');
  equal([error.code, error.cause?.message], ['turn_interrupted', 'stopped by the user'], 'its error');
}

async function tellsOfARefusal({ assembleTurn, HttpStatusError }, anthropic) {
  const body = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
  const refused = new Response(body, { status: 529, headers: { 'content-type': 'application/json' } });
  const { status, error } = await assembleTurn(refused, anthropic).settled();

  equal([status, error?.code, error?.status], ['failed', 'http_status', 529], 'the refused turn');
  equal(error instanceof HttpStatusError, true, 'its class of error');
}

function eventStream(body) {
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** A body in chunks of seven bytes, so that characters and lines are cut anywhere. */
function inPieces(text) {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let from = 0; from < bytes.length; from += 7) controller.enqueue(bytes.slice(from, from + 7));
      controller.close();
    },
  });
}

function joined(events, type, key) {
  return events.flatMap((event) => (event.type === type ? [event[key]] : [])).join('');
}

function lastOf(observable) {
  return new Promise((resolve, reject) => {
    let last;
    observable.subscribe({
      next: (value) => {
        last = value;
      },
      error: reject,
      complete: () => resolve(last),
    });
  });
}

function equal(actual, expected, what) {
  const [met, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (met !== wanted) throw new Error(`${what}: ${met}, expected ${wanted}`);
}
