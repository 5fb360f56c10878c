import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import type { AssembledTurn } from '../../src/core/turn.ts';
import { responses } from '../../src/responses.ts';
import { listFixtures } from '../fixtures.ts';
import { eventsOf, type Sample } from './dialect-laws.ts';

/** A piece of a body between blank lines: an event that may be changed, or a text that stays as it is. */
type Frame = { readonly event: JsonObject } | { readonly text: string };

const samples: readonly Sample[] = listFixtures('responses').map(({ name, bytes, expected: { options } }) => ({
  name,
  bytes,
  dialect: responses(options),
}));
const runs = { numRuns: process.env['CI'] ? 100 : 20 };

describe('responses, by the laws of its items', () => {
  test.each(samples)('gives the same of $name when its deltas are cut anywhere', (sample) => {
    const frames = framesOf(sample);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 12 }), (cuts) => {
        const recut = cuts.reduce((list, [at, place]) => cutFrame(list, at, place), frames);
        expect(productOf(recut, sample)).toEqual(productOf(frames, sample));
      }),
      runs,
    );
  });

  test('has samples whose deltas can be cut', () => {
    const cuttable = samples.filter((sample) => {
      const frames = framesOf(sample);
      return cutFrame(frames, 0, 0) !== frames;
    });
    expect(cuttable.length).toBeGreaterThan(50);
  });

  test.each(samples)('tells the same of $name when keep-alives and comments come in between', (sample) => {
    const frames = framesOf(sample);
    const filler = fc.constantFrom<Frame>(
      { text: ': keep-alive' },
      { text: 'data: ' },
      { text: 'data: [DONE]' },
      { event: { type: 'keepalive', sequence_number: 3 } },
      { event: { type: 'codex.rate_limits', rate_limits: {} } },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), filler), { maxLength: 12 }), (insertions) => {
        const filled = insertions.reduce<readonly Frame[]>((list, [gap, more]) => insert(list, gap, more), frames);
        expect(storyOf(filled, sample)).toEqual(storyOf(frames, sample));
      }),
      runs,
    );
  });

  const rotatable = samples.filter(
    (sample) => framesOf(sample).every(isPlaced) && !/shifted|calls?-without/.test(sample.name),
  );

  test('has samples whose ids can change', () => {
    expect(rotatable.length).toBeGreaterThan(60);
  });

  test.each(rotatable)(
    'gives the same of $name when the ids of its events change before the items are done',
    (sample) => {
      const frames = framesOf(sample);
      const rotated = frames.map((frame, n) => ('event' in frame ? { event: withIds(frame.event, `id_${n}`) } : frame));
      expect(productOf(rotated, sample)).toEqual(productOf(frames, sample));
    },
  );
});

function framesOf({ bytes }: Sample): readonly Frame[] {
  const body = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return body.split(/\r?\n\r?\n/).map((text) => {
    const [, json = ''] = /^(?:event: .*\n)?data: (\{.*\})$/.exec(text) ?? [];
    // An event that would lose something in being printed again is left alone: numbers, order of keys.
    const event: unknown = json.startsWith('{') && isPrintable(json) ? JSON.parse(json) : undefined;
    return isJsonObject(event) ? { event } : { text };
  });
}

function isPrintable(json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(json)) === json;
  } catch {
    return false;
  }
}

function bytesOf(frames: readonly Frame[]): Uint8Array {
  const texts = frames.map((frame) => ('event' in frame ? `data: ${JSON.stringify(frame.event)}` : frame.text));
  return new TextEncoder().encode(texts.join('\n\n'));
}

/** What the program gets, and what became of every block. */
function productOf(frames: readonly Frame[], { dialect }: Sample): object {
  const last = eventsOf(dialect, [bytesOf(frames)]).at(-2);
  if (last?.type !== 'turn') throw new Error('the turn is not the last but one');
  const turn: AssembledTurn = last.turn;
  const { status, stopReason, entries, toolCalls, carry } = turn;
  const blocks = turn.blocks.map(({ kind, state, text }) => ({ kind, state, text }));
  const codes = [...turn.repairs, ...turn.warnings].map(({ code }) => code);
  return { status, stopReason, entries, toolCalls, carry, blocks, codes };
}

/** All events; an error as what it says. */
function storyOf(frames: readonly Frame[], { dialect }: Sample): readonly unknown[] {
  return eventsOf(dialect, [bytesOf(frames)]).map((event) =>
    event.type === 'turn' ? { ...event, turn: { ...event.turn, error: String(event.turn.error) } } : event,
  );
}

/** Cuts the delta of one frame in two, at the first that has one from the chosen frame on. */
function cutFrame(frames: readonly Frame[], chosen: number, place: number): readonly Frame[] {
  for (let step = 0; step < frames.length; step += 1) {
    const index = (chosen + step) % frames.length;
    const frame = frames[index];
    const delta = frame && 'event' in frame ? frame.event['delta'] : undefined;
    if (!frame || !('event' in frame) || typeof delta !== 'string' || delta.length < 2) continue;
    const at = 1 + (place % (delta.length - 1));
    const halves = [delta.slice(0, at), delta.slice(at)].map((half) => ({ event: { ...frame.event, delta: half } }));
    return frames.toSpliced(index, 1, ...halves);
  }
  return frames;
}

/** Puts a frame behind the first; the last stays the last, for it may lack its blank line. */
function insert(frames: readonly Frame[], gap: number, frame: Frame): readonly Frame[] {
  return frames.length < 3 ? frames : frames.toSpliced(1 + (gap % (frames.length - 2)), 0, frame);
}

/** Whether an event about an item says its place. */
function isPlaced(frame: Frame): boolean {
  if (!('event' in frame)) return true;
  const { item, item_id: id, output_index: place } = frame.event;
  return (item === undefined && id === undefined) || typeof place === 'number';
}

/** The event under another id, unless it says an item whole. */
function withIds(event: JsonObject, id: string): JsonObject {
  const { type, item, item_id: known } = event;
  if (type === 'response.output_item.added' && isJsonObject(item)) return { ...event, item: { ...item, id } };
  return known === undefined ? event : { ...event, item_id: id };
}
