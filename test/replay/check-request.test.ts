import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { chatCompletions } from '../../src/chat-completions.ts';
import { gemini } from '../../src/gemini.ts';
import { assembleTurn, checkRequest } from '../../src/index.ts';
import { responses } from '../../src/responses.ts';

const ask = { role: 'user', content: 'When does the ferry leave?' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'ferry_times', input: {} };
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '09:10' }] };

/** The events of an answer that thinks and calls a tool. */
async function* events(): AsyncGenerator<object, void, void> {
  yield { type: 'message_start', message: { id: 'msg_1', model: 'claude-sonnet-5', content: [] } };
  yield { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } };
  yield { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Ask the port.' } };
  yield { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } };
  yield { type: 'content_block_stop', index: 0 };
  yield { type: 'content_block_start', index: 1, content_block: call };
  yield { type: 'content_block_stop', index: 1 };
  yield { type: 'message_delta', delta: { stop_reason: 'tool_use' } };
  yield { type: 'message_stop' };
}

describe('checkRequest', () => {
  test('gives each finding the code of its rule', () => {
    const body = {
      model: 'claude-sonnet-5',
      max_tokens: 4000,
      messages: [ask, { role: 'assistant', content: [call] }, ask],
    };
    expect(checkRequest(body, anthropic)).toEqual([
      {
        code: 'tool_result_missing',
        path: 'messages[1].content[0]',
        message: expect.stringContaining(
          '`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1',
        ),
        severity: 'error',
      },
    ]);
  });

  test('finds nothing in what was assembled and goes back as it is', async () => {
    const turn = await assembleTurn(events(), anthropic).finalTurn();
    const body = { model: 'claude-sonnet-5', max_tokens: 4000, messages: [ask, ...turn.entries, result] };
    expect(checkRequest(body, anthropic, { turns: [turn] })).toEqual([]);
  });

  test('finds what was changed of an assembled turn', async () => {
    const turn = await assembleTurn(events(), anthropic).finalTurn();
    const content = turn.entries[0]?.content.map((block) =>
      block.type === 'thinking' ? { ...block, thinking: 'Ask the harbour.' } : block,
    );
    const body = {
      model: 'claude-sonnet-5',
      max_tokens: 4000,
      messages: [ask, { role: 'assistant', content }, result],
    };
    const findings = checkRequest(body, anthropic, { turns: [turn] });
    expect(findings.map(({ code, path, severity }) => ({ code, path, severity }))).toEqual([
      { code: 'thinking_edited', path: 'messages[1].content[0]', severity: 'error' },
    ]);
  });

  test('leaves the body as it is', () => {
    const body = Object.freeze({ model: 'claude-sonnet-5', messages: Object.freeze([Object.freeze({ ...ask })]) });
    expect(() => checkRequest(body, anthropic, { previous: body })).not.toThrow();
  });

  test.each([anthropic, chatCompletions, responses, gemini])('has rules for $name', (dialect) => {
    expect(() => checkRequest({}, dialect)).not.toThrow();
    expect(checkRequest({}, dialect({}))).toEqual(checkRequest({}, dialect));
  });

  test.each([
    [null, anthropic, /body of a request/],
    [[], anthropic, /body of a request/],
    ['{}', anthropic, /body of a request/],
    [{}, 'anthropic', /Expected a dialect/],
    [{}, { ...anthropic, name: 'smoke', createAssembler: () => undefined }, /no rules for the dialect smoke/],
  ])('refuses %j', (body, dialect, message) => {
    // As a caller without types may call it.
    expect(() => checkRequest(body as never, dialect as never)).toThrow(message);
  });
});
