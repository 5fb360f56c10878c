import { describe, expect, test } from 'vitest';
import { framesOf } from '../../../demo/anthropic/frames.ts';
import { script } from '../../../demo/script.ts';

const options = { model: 'claude-local', inputTokens: 12 };

describe('framesOf', () => {
  test.each(script)('sends all of answer $id, and nothing else', (answer) => {
    const texts = new Map<number, string>();
    for (const { type, index, delta } of eventsOf(answer)) {
      if (type !== 'content_block_delta') continue;
      const { thinking = '', text = '', partial_json = '' } = delta ?? {};
      texts.set(index, `${texts.get(index) ?? ''}${thinking}${text}${partial_json}`);
    }
    const expected = answer.blocks.flatMap((block, index): [number, string][] => {
      if (block.type === 'redacted_thinking') return [];
      return [
        [index, block.type === 'thinking' ? block.thinking : block.type === 'text' ? block.text : block.inputText],
      ];
    });
    expect([...texts]).toEqual(expected);
  });

  test('sends a signature whole, last in its block', () => {
    const [answer] = script;
    const deltas = answer ? eventsOf(answer).filter(({ index, delta }) => index === 0 && delta) : [];
    expect(deltas.at(-1)?.delta?.signature).toHaveLength(88);
    expect(deltas.filter(({ delta }) => delta?.signature !== undefined)).toHaveLength(1);
  });

  test('cuts a tool input between the halves of a surrogate pair', () => {
    const pieces = script.flatMap(eventsOf).map(({ delta }) => delta?.partial_json ?? '');
    expect(pieces.filter((piece) => /[\ud800-\udbff]$/.test(piece))).toHaveLength(1);
  });

  test('starts and stops as the provider does', () => {
    const types = script.map((answer) => eventsOf(answer).map(({ type }) => type));
    for (const names of types) {
      expect(names.slice(0, 3)).toEqual(['message_start', 'ping', 'content_block_start']);
      expect(names.slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
    }
  });

  test('takes under twelve seconds for the whole conversation', () => {
    const delays = script.flatMap((answer) => framesOf(answer, options)).map(({ delay }) => delay);
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeLessThan(9000);
  });
});

interface Event {
  readonly type: string;
  readonly index: number;
  readonly delta?: { thinking?: string; text?: string; partial_json?: string; signature?: string };
}

function eventsOf(answer: (typeof script)[number]): Event[] {
  return framesOf(answer, options).map(({ text }) => {
    const [, name, data = ''] = /^event: (.+)\ndata: (.+)\n\n$/.exec(text) ?? [];
    const event: Event = JSON.parse(data);
    expect(event.type).toBe(name);
    return event;
  });
}
