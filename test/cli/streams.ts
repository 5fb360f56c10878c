/** Writes wire events as an event stream, each under its own name, as the provider does. */
export function sse(...events: readonly { readonly type: string; readonly [member: string]: unknown }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  },
};

function messageEnd(stopReason: string): { type: string; [member: string]: unknown }[] {
  return [
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 12 } },
    { type: 'message_stop' },
  ];
}

/** Seven events: the text `Hello, world`, and the usual end. */
export const helloStream: string = sse(
  messageStart,
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello, ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'world' } },
  { type: 'content_block_stop', index: 0 },
  ...messageEnd('end_turn'),
);

/** Signed thinking and a call whose input would not survive `JSON.parse` and `JSON.stringify`. */
export const toolStream: string = sse(
  messageStart,
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Let me look.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmVk' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
  },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{ "price": 1.0, ' } },
  {
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json: '"id": 12345678901234567890 }' },
  },
  { type: 'content_block_stop', index: 1 },
  ...messageEnd('tool_use'),
);
