import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatCompletions } from '../../src/chat-completions.ts';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import type { AssembledTurn } from '../../src/core/turn.ts';
import type { TurnEvent } from '../../src/core/turn-event.ts';
import { stringifyRequest } from '../../src/text/verbatim-json.ts';
import { listFixtures } from '../fixtures.ts';
import { listRecordings } from '../recordings.ts';
import { dialectLaws, eventsOf, type Sample } from './dialect-laws.ts';

interface ChatSample extends Sample {
  readonly options: JsonObject;
}

const fixtures: ChatSample[] = listFixtures('chat-completions').map(({ name, bytes, expected: { options } }) => ({
  name,
  bytes,
  options,
  dialect: chatCompletions(options),
}));

const cases: ChatSample[] = listRecordings('cases/chat-completions').map(({ name, bytes, read }) => {
  const { options = {} } = JSON.parse(read('.expected.json')) as { options?: JsonObject };
  return { name, bytes, options, dialect: chatCompletions(options) };
});

dialectLaws('chatCompletions, by the dialect laws, on the fixtures', fixtures);
if (cases.length > 0) dialectLaws('chatCompletions, by the dialect laws, on the cases', cases);

const samples = [...fixtures, ...cases];
const runs = { numRuns: process.env['CI'] ? 100 : 30 };

describe('chatCompletions, by the laws of its messages', () => {
  test.each(samples)('gives the same entries of $name when its string deltas are cut anywhere', (sample) => {
    const frames = framesOf(sample);
    fc.assert(
      fc.property(fc.array(cutArbitrary, { minLength: 1, maxLength: 12 }), (cuts) => {
        const recut = cuts.reduce((list, cut) => recutFrames(list, cut, sample), frames);
        expect(productOf(recut, sample)).toEqual(productOf(frames, sample));
      }),
      runs,
    );
  });

  test.each(samples)('tells the same of $name when keep-alives and comments come in between', (sample) => {
    const frames = framesOf(sample);
    const fillers = fillersFor(sample);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.constantFrom(...fillers)), { maxLength: 12 }), (insertions) => {
        const filled = insertions.reduce((list, [gap, filler]) => insertFiller(list, gap, filler), frames);
        expect(storyOf(filled, sample)).toEqual(storyOf(frames, sample));
      }),
      runs,
    );
  });

  const movable = samples.filter((sample) => {
    const frames = framesOf(sample);
    return movesOf(frames).length > 0 && turnOf(frames, sample).status === 'complete';
  });

  test('has samples whose signatures can move', () => {
    expect(movable.length).toBeGreaterThan(4);
  });

  test.each(movable)('gives the same of $name when a signature comes later', (sample) => {
    const frames = framesOf(sample);
    for (const move of movesOf(frames)) {
      for (let gap = move.frame + 1; gap <= move.last; gap += 1) {
        const moved = moveSignature(frames, move, gap);
        expect(resultOf(moved, sample), `before frame ${gap}`).toEqual(resultOf(frames, sample));
      }
    }
  });

  test.each(samples)('makes a next request of $name that survives being serialised', (sample) => {
    const { entries, toolCalls } = turnOf(framesOf(sample), sample);
    const results = toolCalls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'done' }));
    const request = stringifyRequest({
      model: 'm',
      messages: [{ role: 'user', content: 'q' }, ...entries, ...results],
    });
    expect(stringifyRequest(JSON.parse(request))).toBe(request);
  });

  test.each(samples)('shows neither ciphertext nor an opaque string of $name', (sample) => {
    const shown = JSON.stringify(
      eventsOf(sample.dialect, [sample.bytes]).filter(({ type }) => type !== 'turn' && type !== 'block'),
    );
    for (const delta of framesOf(sample).flatMap(deltasOf)) {
      for (const secret of secretsOf(delta)) expect(shown).not.toContain(secret);
    }
  });
});

// ---- Frames: the pieces of a body between blank lines -------------------------------------------------------------

/** A chunk that may be changed, or the text of anything else, which stays as it is. */
type Frame = { readonly chunk: JsonObject } | { readonly text: string };

function framesOf({ bytes }: Sample): readonly Frame[] {
  const body = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return body.split(/\r?\n\r?\n/).map((text) => {
    const [, json] = /^data: ?(\{.*\})$/.exec(text) ?? [];
    const chunk: unknown = json === undefined ? undefined : parsed(json);
    // A chunk that would lose something in being printed again is left alone: numbers, keys that sort.
    const isChunk = isJsonObject(chunk) && Array.isArray(chunk['choices']) && JSON.stringify(chunk) === json;
    return isChunk ? { chunk } : { text };
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function bytesOf(frames: readonly Frame[]): Uint8Array {
  const texts = frames.map((frame) => ('chunk' in frame ? `data: ${JSON.stringify(frame.chunk)}` : frame.text));
  return new TextEncoder().encode(texts.join('\n\n'));
}

function choicesOf(frame: Frame): readonly JsonObject[] {
  const choices = 'chunk' in frame ? frame.chunk['choices'] : [];
  return Array.isArray(choices) ? choices.filter(isJsonObject) : [];
}

function deltasOf(frame: Frame): readonly JsonObject[] {
  return choicesOf(frame).flatMap(({ delta }) => (isJsonObject(delta) ? [delta] : []));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The chunk again with nothing in it but this delta. */
function onlyDelta(chunk: JsonObject, delta: JsonObject): Frame {
  const { usage: _usage, error: _error, x_groq: _groq, ...head } = chunk;
  const [choice] = listOf(chunk['choices']).filter(isJsonObject);
  return { chunk: { ...head, choices: [{ index: choice?.['index'] ?? 0, delta, finish_reason: null }] } };
}

// ---- What is compared ---------------------------------------------------------------------------------------------

function turnOf(frames: readonly Frame[], { dialect }: Sample): AssembledTurn {
  const last = eventsOf(dialect, [bytesOf(frames)]).at(-2);
  if (last?.type !== 'turn') throw new Error('the turn is not the last but one');
  return last.turn;
}

/** What the program gets. */
function productOf(frames: readonly Frame[], sample: Sample): object {
  const { status, stopReason, entries, toolCalls, repairs } = turnOf(frames, sample);
  return { status, stopReason, entries, toolCalls, repairs: repairs.map(({ code }) => code) };
}

/** The same, and what became of every block. */
function resultOf(frames: readonly Frame[], sample: Sample): object {
  const { blocks } = turnOf(frames, sample);
  return { ...productOf(frames, sample), blocks: blocks.map(({ kind, state, text }) => ({ kind, state, text })) };
}

/** All events; an error as what it says. */
function storyOf(frames: readonly Frame[], { dialect }: Sample): readonly unknown[] {
  return eventsOf(dialect, [bytesOf(frames)]).map((event: TurnEvent) =>
    event.type === 'turn' ? { ...event, turn: { ...event.turn, error: String(event.turn.error) } } : event,
  );
}

// ---- Cutting string deltas ----------------------------------------------------------------------------------------

interface Cut {
  readonly frame: number;
  readonly place: number;
  readonly at: number;
}

const cutArbitrary: fc.Arbitrary<Cut> = fc.record({ frame: fc.nat(), place: fc.nat(), at: fc.nat() });

/** The two deltas that one becomes; what stood behind the cut is in the second. */
type Halves = readonly [JsonObject, JsonObject];

/** A string of a delta that can be cut. */
interface Place {
  readonly length: number;
  cut(at: number): Halves;
}

/** Fields of a delta in the order in which they count; those of one line side by side. */
const order: readonly (readonly string[])[] = [
  ['reasoning_details', 'reasoning', 'reasoning_content', 'reasoning_text'],
  ['content'],
  ['refusal'],
  ['tool_calls'],
  ['audio'],
];

/** Cuts one string of one delta, at the first that has one from the chosen frame on. */
function recutFrames(frames: readonly Frame[], cut: Cut, { options }: ChatSample): readonly Frame[] {
  for (let step = 0; step < frames.length; step += 1) {
    const index = (cut.frame + step) % frames.length;
    const frame = frames[index];
    const halves = frame && cutFrame(frame, cut, options['cumulativeReasoning'] === true);
    if (halves) return [...frames.slice(0, index), ...halves, ...frames.slice(index + 1)];
  }
  return frames;
}

function cutFrame(frame: Frame, { place, at }: Cut, isCumulative: boolean): readonly Frame[] | undefined {
  const choices = choicesOf(frame);
  const places = choices.flatMap((choice, index) =>
    (isJsonObject(choice['delta']) ? placesIn(choice['delta'], isCumulative) : [])
      .filter(({ length }) => length > 1)
      .map((found) => ({ ...found, index })),
  );
  const chosen = places[place % places.length];
  if (!chosen || !('chunk' in frame)) return undefined;
  const [first, second] = chosen.cut(1 + (at % (chosen.length - 1)));
  const { usage: _usage, error: _error, x_groq: _groq, ...head } = frame.chunk;
  const before = choices.slice(0, chosen.index);
  const { index, finish_reason: _reason } = choices[chosen.index] ?? {};
  const rest = choices.slice(chosen.index).map((choice, n) => (n === 0 ? { ...choice, delta: second } : choice));
  return [
    { chunk: { ...head, choices: [...before, { index, delta: first, finish_reason: null }] } },
    { chunk: { ...frame.chunk, choices: rest } },
  ];
}

function placesIn(delta: JsonObject, isCumulative: boolean): readonly Place[] {
  const fields = isCumulative ? order.slice(1).flat() : order.flat();
  return fields.flatMap((name) => {
    const value = delta[name];
    const halves = (first: unknown, second: unknown): Halves => divide(delta, name, first, second);
    if (typeof value === 'string') {
      return [{ length: value.length, cut: (at) => halves(value.slice(0, at), value.slice(at)) }];
    }
    return listOf(value).flatMap((element, n) => {
      const inner = innerPlace(element);
      const [before, after] = [listOf(value).slice(0, n), listOf(value).slice(n + 1)];
      const cut = (at: number): Halves => {
        const [first, second] = inner?.cut(at) ?? [];
        return halves([...before, first], [second, ...after]);
      };
      return inner ? [{ length: inner.length, cut }] : [];
    });
  });
}

/** One field in two; the fields that count later go with the second half. */
function divide(delta: JsonObject, name: string, first: unknown, second: unknown): Halves {
  const rank = order.findIndex((names) => names.includes(name));
  const isLater = (other: string): boolean => order.findIndex((names) => names.includes(other)) > rank;
  const entries = Object.entries(delta).filter(([other]) => other !== name);
  const [later, now] = [entries.filter(([other]) => isLater(other)), entries.filter(([other]) => !isLater(other))];
  return [
    { ...Object.fromEntries(now), [name]: first },
    { ...Object.fromEntries(later), [name]: second },
  ];
}

/** The string inside one element of a list: a detail, a call, a chunk of content. */
function innerPlace(element: unknown): Place | undefined {
  if (!isJsonObject(element)) return undefined;
  const { signature, thinking, ...unsigned } = element;
  if (isJsonObject(element['function'])) return callPlace(element, 'function', 'arguments');
  if (isJsonObject(element['custom'])) return callPlace(element, 'custom', 'input');
  if (Array.isArray(thinking)) {
    const [piece, ...others] = thinking;
    const inner = others.length === 0 ? innerPlace(piece) : undefined;
    const half = (part: unknown): JsonObject => ({ ...element, thinking: [part] });
    return inner && { length: inner.length, cut: (at) => halvesOf(inner.cut(at), half) };
  }
  const member = ['text', 'summary'].find((name) => typeof element[name] === 'string' && isDelta(element, name));
  if (member === undefined) return undefined;
  const text = String(element[member]);
  // A signature closes its text, so it stays with the end of it.
  const first = signature === '' ? element : unsigned;
  return {
    length: text.length,
    cut: (at) => [
      { ...first, [member]: text.slice(0, at) },
      { ...element, [member]: text.slice(at) },
    ],
  };
}

function halvesOf([first, second]: Halves, map: (half: JsonObject) => JsonObject): Halves {
  return [map(first), map(second)];
}

/** Whether a member comes in pieces: not that of a whole object which happens to have the name. */
function isDelta({ type }: JsonObject, member: string): boolean {
  return type === undefined || type === member || type === `reasoning.${member}`;
}

/** Arguments go on under the index and the id of the call. */
function callPlace(call: JsonObject, kind: 'function' | 'custom', member: string): Place | undefined {
  const inner = call[kind];
  const text = isJsonObject(inner) ? inner[member] : undefined;
  if (!isJsonObject(inner) || typeof text !== 'string') return undefined;
  const { index, id } = call;
  return {
    length: text.length,
    cut: (at) => [
      { ...call, [kind]: { ...inner, [member]: text.slice(0, at) } },
      { index, id, [kind]: { [member]: text.slice(at) } },
    ],
  };
}

// ---- Keep-alives --------------------------------------------------------------------------------------------------

/** A delta that says nothing, or a frame that is no chunk. */
type Filler = { readonly delta: JsonObject } | { readonly text: string } | { readonly choices: readonly never[] };

/** What says nothing in any stream, and what says nothing in one where the field occurs anyway. */
function fillersFor(sample: Sample): readonly Filler[] {
  const deltas = framesOf(sample).flatMap(deltasOf);
  const strings = ['reasoning', 'reasoning_content', 'reasoning_text', 'reasoning_opaque'].filter((name) =>
    deltas.some((delta) => typeof delta[name] === 'string'),
  );
  const hasDetails = deltas.some(({ reasoning_details: details }) => Array.isArray(details));
  const always = [
    {},
    { role: 'assistant', content: '' },
    { content: null, refusal: '', tool_calls: null, audio: null },
    { reasoning: null, reasoning_content: null, reasoning_details: null, annotations: null },
    { tool_calls: [] },
  ];
  return [
    { text: ': keep-alive' },
    { text: 'data: ' },
    { choices: [] },
    ...always.map((delta) => ({ delta })),
    ...strings.map((name) => ({ delta: { [name]: '' } })),
    ...(hasDetails ? [{ delta: { reasoning_details: [] } }] : []),
  ];
}

/** Puts a filler behind some frame after the first chunk, in the chunk's own frame; the last frame stays the last. */
function insertFiller(frames: readonly Frame[], gap: number, filler: Filler): readonly Frame[] {
  const first = frames.findIndex((frame) => choicesOf(frame).length > 0);
  const place = first + 1 + (gap % Math.max(1, frames.length - first - 1));
  const model = frames[first];
  if (!model || !('chunk' in model) || place >= frames.length) return frames;
  const silent = 'delta' in filler ? onlyDelta(model.chunk, filler.delta) : silentFrame(model.chunk, filler);
  return [...frames.slice(0, place), silent, ...frames.slice(place)];
}

function silentFrame(chunk: JsonObject, filler: Exclude<Filler, { delta: JsonObject }>): Frame {
  return 'text' in filler ? filler : { chunk: { id: chunk['id'], object: chunk['object'], choices: filler.choices } };
}

// ---- Signatures that come later -----------------------------------------------------------------------------------

interface Move {
  readonly frame: number;
  readonly signature: JsonObject;
  /** The last frame before which the signature may come. */
  readonly last: number;
}

/** Where a signature comes alone and belongs to a text before it, and how far it may move: to the next text like it. */
function movesOf(frames: readonly Frame[]): readonly Move[] {
  return frames.flatMap((frame, index) =>
    detailsOf(frame).flatMap((signature) => {
      const isLike = (other: Frame): boolean => detailsOf(other).some((detail) => isTextLike(detail, signature));
      if (!isSignatureAlone(signature) || !frames.slice(0, index).some(isLike)) return [];
      const next = frames.findIndex(
        (other, place) => place > index && (isLike(other) || ('text' in other && !other.text.startsWith(':'))),
      );
      return [{ frame: index, signature, last: next < 0 ? frames.length - 1 : next }];
    }),
  );
}

function detailsOf(frame: Frame): readonly JsonObject[] {
  return deltasOf(frame).flatMap(({ reasoning_details: details }) => listOf(details).filter(isJsonObject));
}

function isSignatureAlone({ type, signature, text = '' }: JsonObject): boolean {
  return type === 'reasoning.text' && typeof signature === 'string' && signature !== '' && text === '';
}

function isTextLike({ type, text, index }: JsonObject, signature: JsonObject): boolean {
  return type === 'reasoning.text' && typeof text === 'string' && text !== '' && index === signature['index'];
}

function moveSignature(frames: readonly Frame[], { frame, signature }: Move, gap: number): readonly Frame[] {
  const from = frames[frame];
  if (!from || !('chunk' in from)) throw new Error('a signature is in a chunk');
  const choices = choicesOf(from).map((choice) => ({ ...choice, delta: withoutDetail(choice['delta'], signature) }));
  const later = onlyDelta(from.chunk, { reasoning_details: [signature] });
  const emptied = { chunk: { ...from.chunk, choices } };
  return [...frames.slice(0, frame), emptied, ...frames.slice(frame + 1, gap), later, ...frames.slice(gap)];
}

function withoutDetail(delta: unknown, detail: JsonObject): unknown {
  if (!isJsonObject(delta) || !Array.isArray(delta['reasoning_details'])) return delta;
  return { ...delta, reasoning_details: delta['reasoning_details'].filter((other) => other !== detail) };
}

// ---- What only the provider can read ------------------------------------------------------------------------------

function secretsOf(delta: JsonObject): readonly string[] {
  const details = listOf(delta['reasoning_details']).filter(isJsonObject);
  const opaque = [delta['reasoning_opaque'], ...details.flatMap(({ data, signature }) => [data, signature])];
  return opaque.filter((value): value is string => typeof value === 'string' && value.length > 3);
}
