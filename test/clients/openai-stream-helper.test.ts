import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type ChatCompletionsEntry, chatCompletions } from '../../src/chat-completions.ts';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import { type AssembledTurn, assembleTurn, stringifyRequest } from '../../src/index.ts';
import { choicesOf } from '../dialects/chat-completions/recorded-chunks.ts';
import { chunk, done, sse } from '../dialects/chat-completions/wire-chunks.ts';
import { clientFor, officialOutcome } from './official-completion.ts';
import { callDelta, callStart, wholeCall } from './openai-calls.ts';

/** Each test shows first what the SDK makes of a stream, and then what is right. */
describe('chatCompletions, where client.chat.completions.stream of the SDK is wrong', () => {
  // It assigns the fields of a delta that it does not know, so of a reasoning it has the last fragment, or null.
  test.each([
    ['DeepSeek, which ends with null', 'reasoning_content', ['Let me ', 'look.', null], null, 'Let me look.'],
    ['vLLM', 'reasoning', ['Let me ', 'look.'], 'look.', 'Let me look.'],
    ['Copilot', 'reasoning_text', ['Let me ', 'look.'], 'look.', 'Let me look.'],
    ['Copilot, its ciphertext', 'reasoning_opaque', ['b3Bh', 'cXVl'], 'cXVl', 'b3BhcXVl'],
  ])('joins the reasoning of %s', async (_server, name, pieces, official, right) => {
    const body =
      sse(...pieces.map((piece) => chunk({ role: 'assistant', content: null, [name]: piece }))) +
      sse(chunk({ content: 'Done.' }, 'stop')) +
      done;
    expect((await officialMessage(body))[name]).toBe(official);
    expect((await assemble(body)).entries).toEqual([{ role: 'assistant', content: 'Done.', [name]: right }]);
  });

  test('joins details, of which the SDK has those of the last chunk: a signature without its text', async () => {
    const head = { type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1' };
    const fragments = [{ text: 'Let me ' }, { text: 'look.' }, { signature: 'c2lnbmVk' }];
    const body =
      sse(...fragments.map((fragment) => chunk({ role: 'assistant', reasoning_details: [{ ...head, ...fragment }] }))) +
      sse(chunk({ content: 'Done.' }, 'stop')) +
      done;
    expect((await officialMessage(body))['reasoning_details']).toEqual([{ ...head, signature: 'c2lnbmVk' }]);
    const right = [{ ...head, text: 'Let me look.', signature: 'c2lnbmVk' }];
    expect((await assemble(body)).entries).toMatchObject([{ reasoning_details: right }]);
  });

  test('keeps content that comes as a list, which the SDK adds to a string', async () => {
    const thinking = (text: string): JsonObject => chunk({ role: 'assistant', content: [thinkingChunk(text)] });
    const body = sse(thinking('Let me '), thinking('look.'), chunk({ content: 'Done.' }, 'stop')) + done;
    expect((await officialMessage(body))['content']).toBe('[object Object][object Object]Done.');
    const right = [thinkingChunk('Let me look.'), { type: 'text', text: 'Done.' }];
    expect((await assemble(body)).entries).toMatchObject([{ content: right }]);
  });

  // It puts a call at the place of its index, so one without is a member of the list that no one ever sees.
  test('finds a call without an index, which the SDK loses', async () => {
    const { index: _index, ...call } = callStart(0, 'call_a', 'look', '{"at":"sea"}');
    const body = sse(chunk({ role: 'assistant', tool_calls: [call] }), chunk({}, 'tool_calls')) + done;
    expect((await officialMessage(body))['tool_calls']).toEqual([]);
    expect(await callsOf(body)).toEqual([wholeCall('call_a', 'look', '{"at":"sea"}')]);
  });

  test('tells calls apart that share an index, of which the SDK makes one that nobody made', async () => {
    const calls = [callStart(0, 'call_a', 'look', '{"at":"sea"}'), callStart(0, 'call_b', 'wait', '{"for":1}')];
    const body =
      sse(...calls.map((call) => chunk({ role: 'assistant', tool_calls: [call] })), chunk({}, 'tool_calls')) + done;
    expect((await officialMessage(body))['tool_calls']).toEqual([wholeCall('call_b', 'wait', '{"at":"sea"}{"for":1}')]);
    expect(await callsOf(body)).toEqual([
      wholeCall('call_a', 'look', '{"at":"sea"}'),
      wholeCall('call_b', 'wait', '{"for":1}'),
    ]);
  });

  test('takes a call without a type, on which the SDK throws', async () => {
    const { type: _type, ...call } = callStart(0, 'call_a', 'look', '{}');
    const body = sse(chunk({ role: 'assistant', tool_calls: [call] }), chunk({}, 'tool_calls')) + done;
    expect(String((await officialOutcome(body)).error)).toContain('tool call snapshot missing `type`');
    const { type: _missing, ...right } = wholeCall('call_a', 'look', '{}');
    expect(await callsOf(body)).toEqual([right]);
  });

  test('joins the input of a custom tool, of which the SDK has the last piece and throws', async () => {
    const pieces = [
      { index: 0, id: 'call_a', type: 'custom', custom: { name: 'sql', input: 'SELECT ' } },
      { index: 0, custom: { input: '1' } },
    ];
    const body =
      sse(...pieces.map((call) => chunk({ role: 'assistant', tool_calls: [call] })), chunk({}, 'tool_calls')) + done;
    expect(String((await officialOutcome(body)).error)).toContain('missing choices[0].tool_calls[0].function.name');
    expect(await callsOf(body)).toEqual([{ id: 'call_a', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }]);
  });

  // It says that a call is done when another goes on, and says it again each time.
  test('hands out each of two interleaved calls once and whole, of which the SDK says six times that one is done', async () => {
    const pieces = [
      [callStart(0, 'call_a', 'look'), callStart(1, 'call_b', 'wait')],
      [callDelta(0, '{"at":')],
      [callDelta(1, '{"for":')],
      [callDelta(0, '"sea"}')],
      [callDelta(1, '1}')],
    ];
    const body =
      sse(...pieces.map((calls) => chunk({ role: 'assistant', tool_calls: calls })), chunk({}, 'tool_calls')) + done;
    const { argumentsDone } = await officialOutcome(body);
    expect(argumentsDone).toEqual(['', '', '{"at":', '{"for":', '{"at":"sea"}', '{"for":1}']);
    const handedOut: unknown[] = [];
    const turn = assembleTurn(of(body), chatCompletions);
    turn.blocks.subscribe(({ toolCall }) => handedOut.push(toolCall?.inputText));
    await turn.finalTurn();
    expect(handedOut).toEqual(['{"at":"sea"}', '{"for":1}']);
  });

  test('does not hand out a call that the token limit cut, which the SDK does', async () => {
    const body =
      sse(
        chunk({ role: 'assistant', content: 'I look.' }),
        chunk({ tool_calls: [callStart(0, 'call_a', 'look', '{"at":"se')] }),
        chunk({}, 'length'),
      ) + done;
    expect((await officialMessage(body))['tool_calls']).toEqual([wholeCall('call_a', 'look', '{"at":"se')]);
    const { entries, toolCalls, blocks } = await assemble(body);
    expect(entries).toEqual([{ role: 'assistant', content: 'I look.' }]);
    expect(toolCalls).toEqual([]);
    expect(blocks.map(({ kind, state }) => [kind, state])).toEqual([
      ['text', 'finished'],
      ['tool_call', 'cut'],
    ]);
  });

  // The same for a stream that ends with [DONE] and without a finish reason.
  test('has what came before the bytes ended, of which the SDK gives nothing', async () => {
    const start = sse(chunk({ role: 'assistant', content: 'I ' }), chunk({ content: 'lo' }));
    expect(String((await officialOutcome(start)).error)).toContain('missing finish_reason for choice 0');
    await expect(assemble(start)).resolves.toMatchObject({
      status: 'truncated',
      entries: [],
      blocks: [{ state: 'cut', text: 'I lo' }],
    });
    expect(String((await officialOutcome(start + done)).error)).toContain('missing finish_reason for choice 0');
    await expect(assemble(start + done)).resolves.toMatchObject({
      status: 'complete',
      entries: [{ content: 'I lo' }],
      warnings: [{ code: 'missing_finish_reason' }],
    });
  });

  test('keeps a usage that a later chunk does not repeat, which the SDK overwrites with null', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const body = sse(
      chunk({ role: 'assistant', content: 'Hi' }, 'stop'),
      chunk({}, null, { choices: [], usage }),
      chunk({}, null, { choices: [], usage: null }),
    );
    expect((await officialOutcome(body)).completion?.['usage']).toBeNull();
    await expect(assemble(body)).resolves.toMatchObject({ usage: { inputTokens: 3, outputTokens: 2, wire: usage } });
  });

  // It adds the first list to itself.
  test('has the log probabilities of each token once, of which the SDK doubles those of the first chunk', async () => {
    const token = (text: string): JsonObject => ({ token: text, logprob: -0.1, bytes: null, top_logprobs: [] });
    const pieces = ['I ', 'see.'].map((content) => {
      const [choice] = choicesOf(chunk({ role: 'assistant', content }));
      return chunk({}, null, { choices: [{ ...choice, logprobs: { content: [token(content)] } }] });
    });
    const body = sse(...pieces, chunk({}, 'stop')) + done;
    const [choice] = choicesOf((await officialOutcome(body)).completion ?? {});
    expect(choice?.['logprobs']).toEqual({ content: [token('I '), token('I '), token('see.')] });
    expect((await assemble(body)).envelope['logprobs']).toEqual({ content: [token('I '), token('see.')] });
  });

  test('sends back with the results what runTools of the SDK leaves out', async () => {
    const details = [{ type: 'reasoning.text', text: 'Look.', signature: 'c2lnbmVk', format: 'anthropic-claude-v1' }];
    const extra = { google: { thought_signature: 'c2lnbmVk' } };
    const call = { ...callStart(0, 'call_a', 'look', '{"at": "sea"}'), extra_content: extra };
    const first =
      sse(
        chunk({ role: 'assistant', content: null, reasoning_content: 'Look.', reasoning_details: details }),
        chunk({ tool_calls: [call] }, 'tool_calls'),
      ) + done;
    const second = sse(chunk({ role: 'assistant', content: 'Done.' }, 'stop')) + done;
    expect(await messageOfRunTools(first, second)).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [wholeCall('call_a', 'look', '{"at": "sea"}')],
    });
    const { entries } = await assemble(first);
    expect(JSON.parse(stringifyRequest(entries))).toEqual([
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Look.',
        reasoning_details: details,
        tool_calls: [{ ...wholeCall('call_a', 'look', '{"at": "sea"}'), extra_content: extra }],
      },
    ]);
  });
});

describe('chatCompletions, where client.chat.completions.stream of the SDK is right', () => {
  test('keeps choices apart that come in turn', async () => {
    const ofChoice = (index: number, delta: JsonObject, reason: string | null = null): JsonObject =>
      chunk({}, null, { choices: [{ index, delta, finish_reason: reason }] });
    const body =
      sse(
        ofChoice(0, { role: 'assistant', content: 'On' }),
        ofChoice(1, { role: 'assistant', content: 'Tw' }),
        ofChoice(1, { content: 'o' }),
        ofChoice(0, { content: 'e' }),
        ofChoice(1, {}, 'stop'),
        ofChoice(0, {}, 'length'),
      ) + done;
    const { completion } = await officialOutcome(body);
    const official = choicesOf(completion ?? {}).map(({ message, finish_reason: reason }) => [message, reason]);
    const { choices = [], ...turn } = await assemble(body);
    const ours = [turn, ...choices].map(({ entries, stopReason }) => [entries[0], stopReason]);
    expect(official).toMatchObject(ours);
    expect(ours).toEqual([
      [{ role: 'assistant', content: 'One' }, 'length'],
      [{ role: 'assistant', content: 'Two' }, 'stop'],
    ]);
  });

  test('has a refusal', async () => {
    const pieces = ['I ', 'cannot.'].map((refusal) => chunk({ role: 'assistant', content: null, refusal }));
    const body = sse(...pieces, chunk({}, 'stop')) + done;
    expect(await officialMessage(body)).toMatchObject({ content: null, refusal: 'I cannot.' });
    expect((await assemble(body)).entries).toEqual([{ role: 'assistant', content: null, refusal: 'I cannot.' }]);
  });
});

function assemble(body: string): Promise<AssembledTurn<ChatCompletionsEntry>> {
  return assembleTurn(of(body), chatCompletions).settled();
}

/** The calls of our message. */
async function callsOf(body: string): Promise<unknown> {
  return (await assemble(body)).entries[0]?.tool_calls;
}

/** The message of the SDK's completion. */
async function officialMessage(body: string): Promise<JsonObject> {
  const { completion, error } = await officialOutcome(body);
  if (!completion) throw error;
  const message = choicesOf(completion)[0]?.['message'];
  return isJsonObject(message) ? message : {};
}

/** The assistant message of the second request of the SDK's tool loop. */
async function messageOfRunTools(first: string, second: string): Promise<unknown> {
  const { client, requests } = clientFor(first, second);
  const look = {
    type: 'function' as const,
    function: {
      name: 'look',
      parameters: { type: 'object' },
      parse: JSON.parse,
      function: () => 'fog',
      description: '',
    },
  };
  const messages = [{ role: 'user' as const, content: 'What do you see?' }];
  await client.chat.completions.runTools({ model: 'any', stream: true, messages, tools: [look] }).done();
  const request: unknown = JSON.parse(requests[1] ?? '{}');
  const sent = isJsonObject(request) && Array.isArray(request['messages']) ? request['messages'] : [];
  return sent.find((message) => isJsonObject(message) && message['role'] === 'assistant');
}

function thinkingChunk(text: string): JsonObject {
  return { type: 'thinking', thinking: [{ type: 'text', text }] };
}
