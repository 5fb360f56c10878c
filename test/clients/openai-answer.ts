import { chunk, done, sse } from '../dialects/chat-completions/wire-chunks.ts';
import { callDelta, callStart } from './openai-calls.ts';

/** The first half of an answer: reasoning, and a text that has begun. */
export const beginning: string = sse(
  chunk({ role: 'assistant', content: '', reasoning: 'hm' }),
  chunk({ content: 'Hel' }),
);

/** The second half, but for the sentinel. */
export const rest: string = sse(chunk({ content: 'lo' }), chunk({}, 'stop'));

/** The second half. */
export const restAndDone: string = rest + done;

/** What the turn of both halves matches. */
export const whole: object = {
  status: 'complete',
  stopReason: 'stop',
  entries: [{ role: 'assistant', content: 'Hello', reasoning: 'hm' }],
};

const head = { index: 0, format: 'anthropic-claude-v1' };

/** An answer with reasoning in fragments, a signature that comes late, and calls that come in turn. */
export const toolTurn: string =
  sse(
    ...['Two pla', 'ces.'].map((text) =>
      chunk({
        role: 'assistant',
        content: '',
        reasoning: text,
        reasoning_details: [{ type: 'reasoning.text', text, ...head }],
      }),
    ),
    chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'c2VhbGVk', ...head, index: 1 }] }),
    chunk({ tool_calls: [callStart(0, 'call_a', 'look'), callStart(1, 'call_b', 'look')] }),
    chunk({ tool_calls: [callDelta(0, '{"port": "Br\\u0065st", ')] }),
    chunk({ tool_calls: [callDelta(1, '{"port":"Cork","depth":1.0')] }),
    chunk({ reasoning_details: [{ type: 'reasoning.text', signature: 'c2lnbmVk', ...head }] }),
    chunk({ tool_calls: [callDelta(0, '"id": 12345678901234567890 }')] }),
    chunk({ tool_calls: [callDelta(1, '}')] }),
    chunk({}, 'tool_calls'),
  ) + done;

/** The message that must come back of it, byte for byte. */
export const toolMessage: string = [
  '{"role":"assistant","content":null,"reasoning":"Two places.","reasoning_details":[',
  '{"type":"reasoning.text","text":"Two places.","index":0,"format":"anthropic-claude-v1","signature":"c2lnbmVk"},',
  '{"type":"reasoning.encrypted","data":"c2VhbGVk","index":1,"format":"anthropic-claude-v1"}],"tool_calls":[',
  '{"id":"call_a","type":"function","function":{"name":"look",',
  '"arguments":"{\\"port\\": \\"Br\\\\u0065st\\", \\"id\\": 12345678901234567890 }"}},',
  '{"id":"call_b","type":"function","function":{"name":"look",',
  '"arguments":"{\\"port\\":\\"Cork\\",\\"depth\\":1.0}"}}]}',
].join('');
