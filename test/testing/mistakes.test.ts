import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/index.ts';
import { strictProvider } from '../../src/testing.ts';
import { at, converse, editable, listAt, swap, usualScript, verdictOn } from './converse.ts';
import { itRefuses } from './refuses.ts';
import { anthropicSide, deepseekSide, gatewaySide, geminiSide, responsesSide } from './sides.ts';

const bound = /bound to a different conversation.*prefix_mismatch_behavior/;
const changed = /Content of the original response is missing from this request/;
const modified = /in the latest assistant message cannot be modified/;

describe('the strict provider of Anthropic', () => {
  const first = (body: JsonObject): JsonObject[] => listAt(body, 'messages', 1, 'content');
  const latest = (body: JsonObject): JsonObject[] => listAt(body, 'messages', 3, 'content');
  itRefuses(anthropicSide, [
    [
      'all thinking dropped',
      (body) => latest(body).shift(),
      /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
    ],
    ['thinking of the first turn dropped', (body) => first(body).shift(), modified],
    ['thinking between calls dropped', (body) => first(body).splice(4, 1), modified],
    ['thinking edited', (body) => Object.assign(latest(body)[0] ?? {}, { thinking: 'Only the roads.' }), modified],
    [
      'earlier thinking edited',
      (body) => Object.assign(first(body)[0] ?? {}, { thinking: 'x' }),
      /Invalid `signature` in `thinking` block/,
    ],
    [
      'thinking blanked, its signature kept',
      (body) => Object.assign(first(body)[0] ?? {}, { thinking: '' }),
      /Invalid `signature` in `thinking` block/,
    ],
    [
      'a withheld block edited',
      (body) => Object.assign(first(body)[1] ?? {}, { data: 'x' }),
      /Invalid `data` in `redacted_thinking` block/,
    ],
    ['thinking and a withheld block reordered', (body) => swap(first(body), 0, 1), bound],
    ['text before thinking', (body) => swap(first(body), 2, 0), bound],
    ['the calls of a turn reordered', (body) => swap(first(body), 3, 5), bound],
    [
      'the signature of another block',
      (body) => Object.assign(first(body)[0] ?? {}, { signature: first(body)[4]?.['signature'] }),
      /Invalid `signature` in `thinking` block/,
    ],
    [
      'a signature that was never made',
      (body) => Object.assign(latest(body)[0] ?? {}, { signature: 'EqQBCkgIARABGAI=' }),
      /Invalid `signature` in `thinking` block/,
    ],
    ['the turn split into two messages', (body) => splitTurn(body), /./],
    [
      'the results split',
      (body) => splitResults(body),
      /`tool_use` ids were found without `tool_result` blocks immediately after/,
    ],
    [
      'the first result missing',
      (body) => listAt(body, 'messages', 2, 'content').shift(),
      /`tool_use` ids were found without `tool_result` blocks immediately after/,
    ],
    [
      'a result edited',
      (body) => Object.assign(at(body, 'messages', 2, 'content', 0), { content: 'shortened' }),
      bound,
    ],
    ['the question edited', (body) => Object.assign(at(body, 'messages', 0), { content: 'How?' }), bound],
    ['another system prompt', (body) => Object.assign(body, { system: 'It is Tuesday. Answer briefly.' }), bound],
    ['tools changed', (body) => listAt(body, 'tools').pop(), bound],
    ['tools described anew', (body) => Object.assign(at(body, 'tools', 0), { description: 'Rain or not.' }), bound],
    ['the first exchange trimmed', (body) => listAt(body, 'messages').splice(1, 2), bound],
    [
      'the input of a call edited',
      (body) => Object.assign(at(latest(body), 1), { input: { city: 'Epping' } }),
      /missing from this request/,
    ],
  ]);

  test('does not mind a mark for the cache, nor a text for a list with it', async () => {
    const provider = strictProvider(anthropicSide.dialect, { secret: 'marks', script: usualScript });
    const { entries } = await converse(provider, anthropicSide, 2);
    const body = editable(anthropicSide.bodyOf(entries));
    const cache_control = { type: 'ephemeral' };
    body['system'] = [{ type: 'text', text: 'Answer briefly.', cache_control }];
    Object.assign(at(body, 'messages', 2, 'content', 1), { cache_control });
    expect((await verdictOn(provider, anthropicSide, body)).status).toBe(200);
  });
});

function splitTurn(body: JsonObject): void {
  const messages = listAt(body, 'messages');
  const content = listAt(messages, 1, 'content');
  messages.splice(1, 1, ...content.map((block) => ({ role: 'assistant', content: [block] })));
}

function splitResults(body: JsonObject): void {
  const messages = listAt(body, 'messages');
  const content = listAt(messages, 2, 'content');
  messages.splice(2, 1, ...content.map((block) => ({ role: 'user', content: [block] })));
}

describe('the strict provider of chat completions, with reasoning_details', () => {
  const details = (body: JsonObject, turn: number): JsonObject[] => listAt(body, 'messages', turn, 'reasoning_details');
  const upstream = /"Provider returned error".*"provider_name":"Anthropic"/;
  const first = 2;
  const latest = 5;
  const withoutReasoning = ({ reasoning: _text, reasoning_details: _details, ...message }: JsonObject): JsonObject =>
    message;
  itRefuses(gatewaySide, [
    [
      'the reasoning dropped',
      (body) => {
        const messages = listAt(body, 'messages');
        messages[latest] = withoutReasoning(messages[latest] ?? {});
      },
      /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
    ],
    ['a detail dropped', (body) => details(body, first).splice(2, 1), upstream],
    ['a detail edited', (body) => Object.assign(details(body, latest)[0] ?? {}, { text: 'Only the roads.' }), modified],
    ['details reordered', (body) => swap(details(body, first), 0, 2), upstream],
    ['details renumbered', (body) => Object.assign(details(body, first)[2] ?? {}, { index: 0 }), upstream],
    [
      'the signature of another detail',
      (body) => Object.assign(details(body, first)[0] ?? {}, { signature: details(body, first)[2]?.['signature'] }),
      /Invalid `signature` in `thinking` block/,
    ],
    [
      'two signatures put together',
      (body) =>
        Object.assign(details(body, first)[0] ?? {}, {
          signature: `${details(body, first)[0]?.['signature']}${details(body, first)[2]?.['signature']}`,
        }),
      /Invalid `signature` in `thinking` block/,
    ],
    [
      'a withheld detail edited',
      (body) => Object.assign(details(body, first)[1] ?? {}, { data: '[REDACTED]' }),
      upstream,
    ],
    ['the first result missing', (body) => listAt(body, 'messages').splice(3, 1), /./],
    ['the calls of a turn reordered', (body) => swap(listAt(body, 'messages', first, 'tool_calls'), 0, 1), changed],
    ['a result edited', (body) => Object.assign(at(body, 'messages', 3), { content: 'shortened' }), bound],
    ['another system prompt', (body) => Object.assign(at(body, 'messages', 0), { content: 'It is Tuesday.' }), bound],
    ['tools changed', (body) => listAt(body, 'tools').pop(), bound],
    [
      'arguments spelled anew',
      (body) =>
        Object.assign(at(body, 'messages', first, 'tool_calls', 0, 'function'), {
          arguments: '{"city":"Harlow","radius":1}',
        }),
      changed,
    ],
  ]);
});

describe('the strict provider of chat completions, with reasoning_content', () => {
  const mustBePassedBack = /The `reasoning_content` in the thinking mode must be passed back to the API/;
  itRefuses(deepseekSide, [
    [
      'the reasoning dropped',
      (body) => Reflect.deleteProperty(at(body, 'messages', 5), 'reasoning_content'),
      mustBePassedBack,
    ],
    [
      'the reasoning of the first turn dropped',
      (body) => Reflect.deleteProperty(at(body, 'messages', 2), 'reasoning_content'),
      mustBePassedBack,
    ],
    [
      'the reasoning edited',
      (body) => Object.assign(at(body, 'messages', 2), { reasoning_content: 'x' }),
      mustBePassedBack,
    ],
    [
      'the calls of a turn reordered',
      (body) => swap(listAt(body, 'messages', 2, 'tool_calls'), 0, 1),
      /not what the model said/,
    ],
    ['the first result missing', (body) => listAt(body, 'messages').splice(3, 1), /./],
  ]);
});

describe('the strict provider of Responses', () => {
  const input = (body: JsonObject): JsonObject[] => listAt(body, 'input');
  const unverified = /could not be verified. Reason: Encrypted content could not be decrypted or parsed/;
  // 0 question, 1 and 2 reasoning, 3 text, 4 call, 5 reasoning, 6 call, 7 and 8 outputs, 9 reasoning, 10 call, 11 output.
  const withoutReasoning =
    /Item 'fc_\w+' of type 'function_call' was provided without its required 'reasoning' item: 'rs_\w+'/;
  itRefuses(responsesSide, [
    ['the reasoning dropped', (body) => input(body).splice(9, 1), withoutReasoning],
    [
      'the reasoning dropped, and the id of the call',
      (body) => {
        input(body).splice(9, 1);
        Reflect.deleteProperty(at(body, 'input', 9), 'id');
      },
      /Item 'call_\w+' of type 'function_call' was provided without its required 'reasoning' item/,
    ],
    [
      'the reasoning of a message dropped',
      (body) => input(body).splice(1, 2),
      /Item 'msg_\w+' of type 'message' was provided without its required 'reasoning' item/,
    ],
    ['a summary edited', (body) => Object.assign(at(body, 'input', 9, 'summary', 0), { text: 'x' }), unverified],
    ['reasoning reordered', (body) => swap(input(body), 1, 2), unverified],
    [
      'the ciphertext of another item',
      (body) => Object.assign(at(body, 'input', 1), { encrypted_content: at(body, 'input', 5)['encrypted_content'] }),
      /Encrypted content item_id did not match the target item id/,
    ],
    [
      'a ciphertext cut off',
      (body) =>
        Object.assign(at(body, 'input', 9), {
          encrypted_content: String(at(body, 'input', 9)['encrypted_content']).slice(0, -8),
        }),
      unverified,
    ],
    [
      'the call behind reasoning missing',
      (body) => {
        input(body).splice(10, 2);
      },
      /without its required following item/,
    ],
    ['the first output missing', (body) => input(body).splice(7, 1), /No tool output found for function call call_\w+/],
    ['the calls of a turn reordered', (body) => swap(input(body), 4, 6), unverified],
    ['an output edited', (body) => Object.assign(at(body, 'input', 7), { output: 'shortened' }), unverified],
    ['other instructions', (body) => Object.assign(body, { instructions: 'It is Tuesday.' }), unverified],
    ['tools changed', (body) => listAt(body, 'tools').pop(), unverified],
  ]);

  test('answers 404 to reasoning that is only named, where nothing is stored', async () => {
    const provider = strictProvider(responsesSide.dialect, { secret: 'stored', script: usualScript });
    const { entries } = await converse(provider, responsesSide, 2);
    const body = editable(responsesSide.bodyOf(entries));
    Reflect.deleteProperty(at(body, 'input', 9), 'encrypted_content');
    const { status, said } = await verdictOn(provider, responsesSide, body);
    expect(status).toBe(404);
    expect(said).toMatch(/Item with id 'rs_\w+' not found. Items are not persisted when `store` is set to false/);
  });
});

describe('the strict provider of Gemini', () => {
  const parts = (body: JsonObject, content: number): JsonObject[] => listAt(body, 'contents', content, 'parts');
  const missing = /Function call is missing a thought_signature in functionCall parts/;
  const corrupted = /Corrupted thought signature/;
  // The first answer: thought, text, signed call, thought, call.
  itRefuses(geminiSide, [
    ['the signature dropped', (body) => Reflect.deleteProperty(parts(body, 3)[1] ?? {}, 'thoughtSignature'), missing],
    [
      'the signature of the first turn dropped',
      (body) => Reflect.deleteProperty(parts(body, 1)[2] ?? {}, 'thoughtSignature'),
      missing,
    ],
    ['a thought dropped', (body) => parts(body, 3).shift(), corrupted],
    ['a thought edited', (body) => Object.assign(parts(body, 1)[0] ?? {}, { text: 'x' }), corrupted],
    [
      'the signature of another call',
      (body) => Object.assign(parts(body, 1)[2] ?? {}, { thoughtSignature: parts(body, 3)[1]?.['thoughtSignature'] }),
      corrupted,
    ],
    [
      'the arguments edited',
      (body) => Object.assign(at(parts(body, 3), 1, 'functionCall'), { args: { city: 'Epping' } }),
      corrupted,
    ],
    ['the calls of a turn reordered', (body) => swap(parts(body, 1), 2, 4), missing],
    ['the first response missing', (body) => parts(body, 2).shift(), /number of function response parts/],
    [
      'a response edited',
      (body) => Object.assign(at(parts(body, 2), 0, 'functionResponse'), { response: { output: 'x' } }),
      corrupted,
    ],
    [
      'another instruction',
      (body) => Object.assign(body, { systemInstruction: { parts: [{ text: 'It is Tuesday.' }] } }),
      corrupted,
    ],
    ['tools changed', (body) => Object.assign(body, { tools: [] }), corrupted],
  ]);
});
