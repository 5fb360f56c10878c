import fc from 'fast-check';
import { lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../src/core/dialect.ts';
import type { TurnEvent, UiEvent } from '../../src/core/turn-event.ts';
import { createChunkStage } from '../../src/rx/chunk-stage.ts';
import { sseMessages } from '../../src/rx/sse-messages.ts';
import { turnEvents } from '../../src/rx/turn-events.ts';
import { turnView } from '../../src/rx/turn-view.ts';
import { uiEvents } from '../../src/rx/ui-events.ts';

/** One recorded or invented stream that a dialect must obey the laws on. */
export interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly dialect: Dialect;
}

const runs = process.env['CI'] ? 30 : 10;
const clock = (): number => 0;

/** How far apart the offsets are at which streams are cut: every one, unless a run is only about something else. */
const cutStep = Number(process.env['CUT_STEP'] ?? 1);

/** All events of a stream that comes in these chunks. */
export function eventsOf(dialect: Dialect, chunks: readonly (Uint8Array | string)[]): TurnEvent[] {
  const stage = createChunkStage(dialect, { clock });
  const events = chunks.flatMap((chunk) => stage.push(chunk));
  return stage.isOver ? events : [...events, ...stage.flush()];
}

/** Events as text, so that they compare byte for byte; a call's input text is among them, errors are what they say. */
function printed(events: readonly TurnEvent[]): string {
  return JSON.stringify(events.map(plain));
}

function plain(event: TurnEvent): object {
  if (event.type !== 'turn' || !event.turn.error) return event;
  return { ...event, turn: { ...event.turn, error: String(event.turn.error) } };
}

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts, bytes.length].sort((a, b) => a - b);
  return ends.map((end, place) => bytes.subarray(ends[place - 1] ?? 0, end));
}

function isUi(event: TurnEvent): event is UiEvent {
  return event.type !== 'block' && event.type !== 'turn';
}

/** The laws that hold for every dialect on every stream, whole, cut or broken. */
export function dialectLaws(title: string, samples: readonly Sample[]): void {
  describe(title, () => {
    test('has samples to obey the laws on', () => {
      expect(samples.length).toBeGreaterThan(0);
    });

    test.each(samples)('emits the same when $name is split at any byte', emitsTheSameForEveryByteSplit);
    test.each(samples)('emits the same when $name comes in random chunks', emitsTheSameForRandomSplits);
    test.each(samples)('tells one story of $name', tellsOneStory);
    test.each(samples)('tells the same story of $name to one who comes late', tellsTheSameStoryLate);
    test.each(samples)('shows nothing secret of $name', showsNothingSecret);
    test.each(samples)('lets text only grow in $name', letsTextOnlyGrow);
    test.each(samples)('gives the same events of $name by the separate operators', givesTheSameByOperators);
    test.each(samples)('reads nothing after the end of $name', readsNothingAfterTheEnd);
    test.each(samples)('closes the story of $name when it is cut anywhere', closesWhereverItIsCut);
    test.each(samples)('makes entries of $name that survive being serialised', survivesSerialising);
  });
}

/** Chunks are the network's affair: one cut at every offset of the bytes changes nothing. */
function emitsTheSameForEveryByteSplit({ bytes, dialect }: Sample): void {
  const whole = printed(eventsOf(dialect, [bytes]));
  for (let cut = 0; cut <= bytes.length; cut += cutStep) {
    const parts = printed(eventsOf(dialect, split(bytes, [cut])));
    // One assertion for each of thousands of cuts would take longer than the parsing.
    if (parts !== whole) expect(parts, `cut at byte ${cut}`).toBe(whole);
  }
  const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  expect(printed(eventsOf(dialect, single))).toBe(whole);
}

function emitsTheSameForRandomSplits({ bytes, dialect }: Sample): void {
  const whole = printed(eventsOf(dialect, [bytes]));
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 60 }), (cuts) => {
      expect(printed(eventsOf(dialect, split(bytes, cuts)))).toBe(whole);
    }),
    { numRuns: runs },
  );
}

/** `turn_start` first, starts before deltas, none after a stop, indexes in order, one `turn` and one `turn_stop`, last. */
function tellsOneStory({ bytes, dialect }: Sample): void {
  checkStory(eventsOf(dialect, [bytes]));
}

/** Checks that events tell one story: starts before deltas, none after a stop, one end. */
export function checkStory(events: readonly TurnEvent[]): void {
  expect(events[0]?.type).toBe('turn_start');
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['turn', 'turn_stop']);
  expect(events.filter(({ type }) => /^turn/.test(type)).length).toBe(3);
  const open = new Set<number>();
  let next = 0;
  for (const event of events) {
    if (event.type === 'block_start') {
      expect(event.index).toBe(next);
      next += 1;
      open.add(event.index);
    } else if (event.type === 'block_stop') {
      expect(open.delete(event.index)).toBe(true);
    } else if ('index' in event && event.type !== 'warning') {
      expect(open.has(event.index)).toBe(true);
    }
  }
  expect(open.size).toBe(0);
}

/** A late subscriber hears of each block what the early one heard, in one delta. */
function tellsTheSameStoryLate({ bytes, dialect }: Sample): void {
  const stage = createChunkStage(dialect, { clock });
  const early: TurnEvent[] = [];
  for (let start = 0; start < bytes.length && !stage.isOver; start += 97) {
    early.push(...stage.push(bytes.subarray(start, start + 97)));
    if (early.length > 0) expect(gist(stage.story())).toEqual(gist(early));
  }
  if (!stage.isOver) early.push(...stage.flush());
  expect(gist(stage.story())).toEqual(gist(early));
  checkStory(stage.story());
}

/** A story without its pacing: each block's events with its text in one piece, then what is about the turn. */
function gist(events: readonly TurnEvent[]): object {
  const blocks: Record<string, unknown[]> = {};
  const texts: Record<string, string> = {};
  const turn: unknown[] = [];
  for (const event of events) {
    if (event.type === 'text_delta' || event.type === 'reasoning_delta') {
      texts[event.index] = (texts[event.index] ?? '') + event.text;
    } else if (event.type === 'tool_input_delta') {
      texts[event.index] = (texts[event.index] ?? '') + event.json;
    } else if (event.type === 'block') {
      blocks[event.block.index] = [...(blocks[event.block.index] ?? []), event.block];
    } else if (event.type === 'block_start') {
      // Of a call's id and name the late one may know more: some servers send them late, or in pieces.
      const { id: _id, name: _name, ...head } = event;
      blocks[event.index] = [head];
    } else if ('index' in event && event.type !== 'warning') {
      blocks[event.index] = [...(blocks[event.index] ?? []), event];
    } else if (event.type !== 'usage') {
      turn.push(event.type === 'turn' ? plain(event) : event);
    }
  }
  return { blocks, texts, turn };
}

/** No value of a member that only the provider can read occurs in anything that is shown. */
function showsNothingSecret({ bytes, dialect }: Sample): void {
  const shown = JSON.stringify(eventsOf(dialect, [bytes]).filter(isUi));
  for (const secret of secretsIn(new TextDecoder().decode(bytes))) expect(shown).not.toContain(secret);
  expect(shown).not.toMatch(/"(signature|thoughtSignature|encrypted_\w+)":/);
}

function secretsIn(text: string): string[] {
  const members = /"(?:signature|thoughtSignature|thought_signature|encrypted_\w+)": ?"((?:[^"\\]|\\.){6,})"/g;
  const redacted = /"redacted_thinking"[^{}]*"data": ?"([^"]{6,})"/g;
  return [...text.matchAll(members), ...text.matchAll(redacted)].map(([, value = '']) => value);
}

/** What was shown stays: the text of every block in a later view begins with its text in an earlier one. */
function letsTextOnlyGrow({ bytes, dialect }: Sample): Promise<void> {
  const views = of(...eventsOf(dialect, [bytes])).pipe(turnView({ interval: 0, clock }), toArray());
  return lastValueFrom(views).then((all) => {
    expect(all.at(-1)?.status).not.toBe('streaming');
    for (const [place, view] of all.entries()) {
      for (const block of all[place - 1]?.blocks ?? []) {
        expect(view.blocks[block.index]?.text.startsWith(block.text)).toBe(true);
        if (block.state !== 'streaming') expect(view.blocks[block.index]).toBe(block);
      }
    }
  });
}

/** The fused form that `assembleTurn` runs, and the chain of operators, are one. */
async function givesTheSameByOperators({ bytes, dialect }: Sample): Promise<void> {
  const chunks = split(bytes, [Math.floor(bytes.length / 3), Math.floor(bytes.length / 2)]);
  const events = of(...chunks).pipe(sseMessages(), turnEvents(dialect, { clock }));
  const chained = await lastValueFrom(events.pipe(toArray()));
  expect(printed(chained)).toBe(printed(eventsOf(dialect, [bytes])));
  const ui = await lastValueFrom(events.pipe(uiEvents(), toArray()));
  expect(printed(ui)).toBe(printed(chained.filter(isUi)));
}

/** After the terminal event nothing can spoil the turn, not even garbage. */
function readsNothingAfterTheEnd({ bytes, dialect }: Sample): void {
  const stage = createChunkStage(dialect, { clock });
  stage.push(bytes);
  if (!stage.isOver) stage.flush();
  const story = printed(stage.story());
  expect(stage.push('\n\ndata: {"type":"error","error":{}}\n\ndata: {nonsense\n\n')).toEqual([]);
  expect(stage.fail(new Error('reset'))).toEqual([]);
  expect(stage.abort()).toEqual([]);
  expect(printed(stage.story())).toBe(story);
}

/** However much of it comes, and however it ends, the story is whole, and only a complete turn gives something back. */
function closesWhereverItIsCut({ bytes, dialect }: Sample): void {
  const step = Math.max(1, Math.floor(bytes.length / 200));
  for (let cut = 0; cut < bytes.length; cut += step) {
    for (const end of ['flush', 'abort', 'fail'] as const) {
      const stage = createChunkStage(dialect, { clock });
      const events = [...stage.push(bytes.subarray(0, cut))];
      if (!stage.isOver) events.push(...(end === 'fail' ? stage.fail(new Error('reset')) : stage[end]()));
      checkStory(events);
      const last = events.at(-2);
      if (last?.type !== 'turn') throw new Error('the turn is not the last but one');
      if (last.turn.status !== 'complete') expect([last.turn.entries, last.turn.toolCalls]).toEqual([[], []]);
    }
  }
}

/** What goes back is plain JSON: serialised, parsed and serialised again it is the same text. */
function survivesSerialising({ bytes, dialect }: Sample): void {
  const last = eventsOf(dialect, [bytes]).at(-2);
  if (last?.type !== 'turn') throw new Error('the turn is not the last but one');
  const text = JSON.stringify(last.turn.entries);
  expect(JSON.stringify(JSON.parse(text))).toBe(text);
}
