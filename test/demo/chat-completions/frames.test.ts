import { describe, expect, test } from 'vitest';
import { framesOf } from '../../../demo/chat-completions/frames.ts';
import { messageOf } from '../../../demo/chat-completions/service.ts';
import { type ScriptedAnswer, script } from '../../../demo/script.ts';

interface Detail {
  readonly type: string;
  readonly index: number;
  readonly text?: string;
  readonly signature?: string;
  readonly data?: string;
}

interface Delta {
  readonly content?: string;
  readonly reasoning?: string | null;
  readonly reasoning_details?: readonly Detail[];
  readonly tool_calls?: readonly { index: number; function: { arguments: string } }[];
}

interface Chunk {
  readonly choices: readonly [{ delta: Delta; finish_reason: string | null }];
  readonly usage?: object;
}

const options = { model: 'claude-local', inputTokens: 12 };

describe('framesOf', () => {
  test.each(script)('sends all of answer $id, and nothing else', (answer) => {
    const deltas = deltasOf(answer);
    const details = deltas.flatMap(({ reasoning_details = [] }) => reasoning_details);
    const calls = deltas.flatMap(({ tool_calls = [] }) => tool_calls);
    expect(messageOf(answer)).toMatchObject({
      content: deltas.map(({ content }) => content ?? '').join(''),
      reasoning: deltas.map(({ reasoning }) => reasoning ?? '').join(''),
      reasoning_details: distinct(details).map((index) => {
        const fragments = details.filter((detail) => detail.index === index);
        const text = fragments.map((fragment) => fragment.text ?? '').join('');
        return fragments[0]?.data === undefined ? { text, signature: fragments.at(-1)?.signature } : fragments[0];
      }),
    });
    const texts = distinct(calls).map((index) =>
      calls.map((call) => (call.index === index ? call.function.arguments : '')).join(''),
    );
    expect(texts).toEqual(answer.blocks.flatMap((block) => (block.type === 'tool_use' ? block.inputText : [])));
  });

  test('mirrors the text of each fragment, and sends a signature by itself', () => {
    for (const { reasoning, reasoning_details: [detail] = [] } of script.flatMap(deltasOf)) {
      if (detail?.type !== 'reasoning.text') continue;
      expect(reasoning ?? undefined).toBe(detail.text);
      expect(detail.text === undefined).toBe(detail.signature !== undefined);
    }
  });

  test('sends the signature of thinking that leads to a call behind the call', () => {
    const [first] = script;
    const deltas = first ? deltasOf(first) : [];
    const signed = deltas.findIndex(({ reasoning_details: [detail] = [] }) => detail?.index === 3 && detail.signature);
    expect(deltas[signed - 1]?.tool_calls?.[0]?.index).toBe(1);
    expect(signed).toBe(deltas.length - 3);
  });

  test('cuts arguments between the halves of a surrogate pair', () => {
    const pieces = script.flatMap(deltasOf).map(({ tool_calls: [call] = [] }) => call?.function.arguments ?? '');
    expect(pieces.filter((piece) => /[\ud800-\udbff]$/.test(piece))).toHaveLength(1);
  });

  test('begins with comments, and ends with a finish reason, the usage and the sentinel', () => {
    for (const answer of script) {
      const texts = framesOf(answer, options).map(({ text }) => text);
      expect(texts[0]).toBe(': OPENROUTER PROCESSING\n\n');
      expect(texts.at(-1)).toBe('data: [DONE]\n\n');
      const [finish, usage] = chunksOf(answer).slice(-2);
      expect(finish?.choices[0].finish_reason).toBe(answer.stopReason === 'tool_use' ? 'tool_calls' : 'stop');
      expect(finish?.usage).toBeUndefined();
      expect(usage?.usage).toMatchObject({ prompt_tokens: 12 });
    }
  });
});

function distinct(parts: readonly { readonly index: number }[]): number[] {
  return [...new Set(parts.map(({ index }) => index))];
}

function deltasOf(answer: ScriptedAnswer): Delta[] {
  return chunksOf(answer).map(({ choices: [{ delta }] }) => delta);
}

function chunksOf(answer: ScriptedAnswer): Chunk[] {
  return framesOf(answer, options).flatMap(({ text }): Chunk[] => {
    const [, data = ''] = /^data: (\{.+\})\n\n$/.exec(text) ?? [];
    return data === '' ? [] : [JSON.parse(data)];
  });
}
