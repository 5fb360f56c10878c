import { lastValueFrom, of, Subject, toArray } from 'rxjs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { UiEvent } from '../../src/core/turn-event.ts';
import { turnView } from '../../src/rx/turn-view.ts';
import type { TurnView } from '../../src/rx/view-builder.ts';
import { operatorLaws } from '../laws/operator-laws.ts';

const usage = {
  inputTokens: 1,
  outputTokens: 2,
  reasoningTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  wire: {},
};
const turnStart: UiEvent = { type: 'turn_start', turnId: 'msg_1', model: 'm' };
const turnStop: UiEvent = { type: 'turn_stop', status: 'complete', stopReason: 'end_turn', usage };
const textStart: UiEvent = { type: 'block_start', index: 0, kind: 'text' };
const textDelta = (text: string, index = 0): UiEvent => ({ type: 'text_delta', index, text });
const callStart: UiEvent = { type: 'block_start', index: 1, kind: 'tool_call', id: 'c1', name: 'search' };
const inputDelta = (json: string): UiEvent => ({ type: 'tool_input_delta', index: 1, json });

async function viewsOf(...events: UiEvent[]): Promise<TurnView[]> {
  return lastValueFrom(of(...events).pipe(turnView({ interval: 0, clock: () => 7 }), toArray()));
}

operatorLaws('turnView, by the operator laws', {
  operator: () => turnView({ clock: () => 0 }),
  inputs: [turnStart, textStart, textDelta('a'), turnStop],
});

describe('turnView', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('shows text, state and times of a block', async () => {
    const stop: UiEvent = { type: 'block_stop', index: 0, state: 'finished' };
    const last = (await viewsOf(turnStart, textStart, textDelta('Hel'), textDelta('lo'), stop, turnStop)).at(-1);
    expect(last).toEqual({
      status: 'complete',
      turnId: 'msg_1',
      model: 'm',
      stopReason: 'end_turn',
      usage,
      blocks: [{ index: 0, kind: 'text', state: 'finished', text: 'Hello', citations: [], startedAt: 7, stoppedAt: 7 }],
      warnings: [],
    });
  });

  test('shows the finished input of a custom tool as the text that it is', async () => {
    const text = '{"not": JSON';
    const toolCall = { id: 'c1', name: 'search', input: text, inputText: text };
    const stop: UiEvent = { type: 'block_stop', index: 1, state: 'finished', toolCall };
    const last = (await viewsOf(turnStart, callStart, inputDelta(text), stop, turnStop)).at(-1);
    const late = await lastValueFrom(of(turnStart, callStart, inputDelta(text), stop, turnStop).pipe(turnView()));
    expect([last, late].map((view) => view?.blocks[0]?.input)).toEqual([text, text]);
  });

  test('shows the input of a call as a value that grows', async () => {
    const views = await viewsOf(
      turnStart,
      callStart,
      inputDelta('{"city":"Li'),
      inputDelta('sbon","days":[1,'),
      inputDelta('2]}'),
      turnStop,
    );
    expect(views.slice(1, 5).map(({ blocks }) => blocks[0]?.input)).toEqual([
      undefined,
      { city: 'Li' },
      { city: 'Lisbon', days: [1] },
      { city: 'Lisbon', days: [1, 2] },
    ]);
    expect(views.at(-1)?.blocks[0]).toMatchObject({ id: 'c1', name: 'search', text: '{"city":"Lisbon","days":[1,2]}' });
  });

  test('makes new objects only of what changed', async () => {
    const stop: UiEvent = { type: 'block_stop', index: 0, state: 'finished' };
    const warning: UiEvent = { type: 'warning', code: 'unknown_event', message: 'x' };
    const views = await viewsOf(
      turnStart,
      textStart,
      textDelta('a'),
      stop,
      callStart,
      inputDelta('{"a":{"b":1},"c"'),
      inputDelta(':2'),
      inputDelta('}'),
      warning,
      turnStop,
    );
    const [before, after, warned] = views.slice(-4);
    expect(after?.blocks[0]).toBe(before?.blocks[0]);
    expect(after?.blocks[1]).not.toBe(before?.blocks[1]);
    const inputs = [before, after].map((view) => (view?.blocks[1]?.input ?? {}) as { a?: object });
    expect(inputs[0]?.a).toEqual({ b: 1 });
    expect(inputs[1]?.a).toBe(inputs[0]?.a);
    expect(warned?.blocks).toBe(after?.blocks);
    expect(before?.blocks[1]?.text).toBe('{"a":{"b":1},"c":2');
  });

  test('shows citations, content, warnings and the error', async () => {
    const views = await viewsOf(
      turnStart,
      textStart,
      { type: 'citation', index: 0, citation: { at: 1 } },
      { type: 'citation', index: 0, citation: { at: 2 } },
      { type: 'block_start', index: 1, kind: 'server_tool_result' },
      { type: 'block_content', index: 1, content: { ok: true } },
      { type: 'warning', code: 'unknown_event', message: 'x' },
      { ...turnStop, status: 'failed', error: { code: 'transport', message: 'reset' } },
    );
    expect(views.at(-1)).toMatchObject({
      status: 'failed',
      error: { code: 'transport' },
      warnings: [{ code: 'unknown_event', message: 'x' }],
      blocks: [{ citations: [{ at: 1 }, { at: 2 }] }, { content: { ok: true } }],
    });
    expect(views[3]?.blocks[0]?.citations).toEqual([{ at: 1 }, { at: 2 }]);
    expect(views[2]?.blocks[0]?.citations).toEqual([{ at: 1 }]);
  });

  test('makes one view at once, then at most one each interval, none without a change, and the last at once', () => {
    const events = new Subject<UiEvent>();
    const seen: [number, string][] = [];
    const began = Date.now();
    events
      .pipe(turnView({ interval: 100 }))
      .subscribe((view) => seen.push([Date.now() - began, view.blocks[0]?.text ?? view.status]));
    events.next(turnStart);
    events.next(textStart);
    for (const piece of 'abcdef') events.next(textDelta(piece));
    vi.advanceTimersByTime(350);
    events.next(textDelta('g'));
    vi.advanceTimersByTime(10);
    events.next(textDelta('h'));
    events.next(turnStop);
    events.complete();
    vi.advanceTimersByTime(1000);
    expect(seen).toEqual([
      [0, 'streaming'],
      [100, 'abcdef'],
      [350, 'abcdefg'],
      [360, 'abcdefgh'],
    ]);
  });

  test('leaves no timer behind when it is unsubscribed', () => {
    const events = new Subject<UiEvent>();
    const subscription = events.pipe(turnView()).subscribe();
    events.next(turnStart);
    expect(vi.getTimerCount()).toBe(1);
    subscription.unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('leaves no timer behind at the end', () => {
    const events = new Subject<UiEvent>();
    events.pipe(turnView()).subscribe();
    events.next(turnStart);
    events.next(turnStop);
    events.complete();
    expect(vi.getTimerCount()).toBe(0);
  });
});
