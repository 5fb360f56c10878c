import { describe, expect, test } from 'vitest';
import { mintCallId } from '../../src/core/call-id.ts';
import { LimitExceededError } from '../../src/core/errors.ts';
import { defaultLimits } from '../../src/core/limits.ts';
import type { TurnEnd } from '../../src/core/turn-end.ts';
import { createTurnRecord, type TurnRecord } from '../../src/core/turn-record.ts';

const end: TurnEnd<string> = {
  status: 'complete',
  stopReason: 'stop',
  entries: ['entry'],
  repairs: [],
  carry: {},
  envelope: {},
};

function createRecord(): TurnRecord<string> {
  return createTurnRecord<string>({
    dialect: 'test',
    limits: { ...defaultLimits, turnLength: 10, blocks: 3 },
    clock: () => 1,
  });
}

describe('createTurnRecord', () => {
  test('begins the story with turn_start, whatever is told first', () => {
    const record = createRecord();
    record.openBlock({ kind: 'text' }, {});
    expect(record.take().map(({ type }) => type)).toEqual(['turn_start', 'block_start']);
    const silent = createRecord();
    silent.stop(end);
    expect(silent.take().map(({ type }) => type)).toEqual(['turn_start', 'turn', 'turn_stop']);
  });

  test('tells a warning that came before the start after it, so that the start has its id', () => {
    const record = createRecord();
    record.warn('unknown_event', 'early');
    expect(record.take()).toEqual([]);
    record.start('id', 'model');
    expect(record.take()).toEqual([
      { type: 'turn_start', turnId: 'id', model: 'model' },
      { type: 'warning', code: 'unknown_event', message: 'early' },
    ]);
  });

  test('tells the same warning once', () => {
    const record = createRecord();
    record.start(null, null);
    record.warn('unknown_delta', 'x', 1);
    record.warn('unknown_delta', 'x', 1);
    record.warn('unknown_delta', 'x', 2);
    expect(record.take().filter(({ type }) => type === 'warning')).toHaveLength(2);
  });

  test('shows text by the kind of its block, and none of kinds without text', () => {
    const record = createRecord();
    const shown = (['text', 'refusal', 'reasoning'] as const).map((kind) => {
      const block = record.openBlock({ kind }, {});
      record.grow(block, 'x');
      record.grow(block, '');
      return record.take().at(-1)?.type;
    });
    expect(shown).toEqual(['text_delta', 'text_delta', 'reasoning_delta']);
    const media = createRecord();
    media.grow(media.openBlock({ kind: 'media' }, {}), 'x');
    expect(media.take().at(-1)?.type).toBe('block_start');
  });

  test.each([
    ['turnLength', (record: TurnRecord<string>) => record.grow(record.openBlock({ kind: 'text' }, {}), 'x'.repeat(11))],
    ['turnLength', (record: TurnRecord<string>) => record.count(11)],
    ['blocks', (record: TurnRecord<string>) => [1, 2, 3, 4].map(() => record.openBlock({ kind: 'text' }, {}))],
  ])('throws when %s is exceeded', (limit, exceed) => {
    expect(() => exceed(createRecord())).toThrow(expect.objectContaining({ code: 'limit_exceeded', limit }));
  });

  test('hands on finished blocks only, and gives calls only of a complete turn', () => {
    const record = createRecord();
    const call = { id: 'c', name: 'n', input: {}, inputText: '{}' };
    record.closeBlock(record.openBlock({ kind: 'tool_call' }, {}), 'finished', call);
    record.closeBlock(record.openBlock({ kind: 'reasoning' }, {}), 'unsigned');
    expect(record.take().filter(({ type }) => type === 'block')).toHaveLength(1);
    record.stop({ ...end, status: 'truncated', entries: [] });
    const [turn] = record.take();
    expect(turn).toMatchObject({ type: 'turn', turn: { toolCalls: [], blocks: [{ toolCall: call }, {}] } });
  });

  test('numbers on after a discarded message, whose blocks stay in the story', () => {
    const record = createRecord();
    record.closeBlock(record.openBlock({ kind: 'text' }, {}), 'cut');
    record.discard();
    record.closeBlock(record.openBlock({ kind: 'text' }, {}), 'finished');
    record.stop(end);
    const starts = record.story().filter((event) => event.type === 'block_start');
    expect(starts).toMatchObject([{ index: 0 }, { index: 1 }]);
    expect(record.blocks).toMatchObject([{ index: 1 }]);
    expect(record.timesOf(0)).toEqual({ startedAt: 1, stoppedAt: 1 });
  });
});

describe('mintCallId', () => {
  test('gives ids that every provider takes, different by turn and by place', () => {
    const ids = [mintCallId('msg/1:é', 0), mintCallId('msg/1:é', 1), mintCallId('msg_2', 0), mintCallId(null, 0)];
    expect(new Set(ids).size).toBe(4);
    for (const id of [...ids, mintCallId('x'.repeat(500), 3)]) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});

describe('createTurnRecord, at its edges', () => {
  test('takes exactly as much as the limit says', () => {
    const record = createRecord();
    const block = record.openBlock({ kind: 'text' }, {});
    record.grow(block, '1234567890');
    expect(() => record.grow(block, '1')).toThrow(LimitExceededError);
  });

  test('knows the times of blocks before and after a discarded message', () => {
    let now = 0;
    const clock = (): number => {
      now += 1;
      return now;
    };
    const record = createTurnRecord<string>({ dialect: 'test', limits: defaultLimits, clock });
    record.closeBlock(record.openBlock({ kind: 'text' }, {}), 'finished');
    record.discard();
    record.closeBlock(record.openBlock({ kind: 'text' }, {}), 'finished');
    expect([record.timesOf(0), record.timesOf(1)]).toEqual([
      { startedAt: 1, stoppedAt: 2 },
      { startedAt: 3, stoppedAt: 4 },
    ]);
  });

  test('stands still with a clock that no longer tells the time', () => {
    const times = [5];
    const clock = (): number => {
      const time = times.shift();
      if (time === undefined) throw new Error('no time');
      return time;
    };
    const record = createTurnRecord<string>({ dialect: 'test', limits: defaultLimits, clock });
    record.closeBlock(record.openBlock({ kind: 'text' }, {}), 'finished');
    expect(record.timesOf(0)).toEqual({ startedAt: 5, stoppedAt: 5 });
  });
});
