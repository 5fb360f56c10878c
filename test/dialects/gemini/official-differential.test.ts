import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { type GeminiEntry, gemini } from '../../../src/gemini.ts';
import { type AssembledTurn, assembleTurn, stringifyRequest } from '../../../src/index.ts';
import { listRecordings } from '../../recordings.ts';
import { officialOutcome } from './official-history.ts';
import { candidatesOf, partsOf, readChunks } from './recorded-chunks.ts';
import { call, chunk, chunks, pieces, sse } from './wire-chunks.ts';

type WholeTurn = AssembledTurn<GeminiEntry>;

/** Something for which the official chat loses the whole answer. */
interface Loss {
  readonly kind: string;
  readonly why: string;
  /** The same stream without it; the very same text where it has none. */
  mend(body: string): string;
}

/** Something in which the official history is not what goes back. */
interface Difference {
  readonly kind: string;
  readonly why: string;
  /** The history as it would be without it; the very same list where there is none. */
  undo(parts: readonly JsonObject[], turn: WholeTurn): readonly JsonObject[];
}

const losses: readonly Loss[] = [
  {
    kind: 'last_blank_line',
    why: 'The client throws when the blank line behind the last event is missing',
    mend: (body) => (/(\r\n\r\n|\n\n)$/.test(body) ? body : `${body}\n\n`),
  },
  {
    kind: 'empty_chunk',
    why: 'One chunk without parts, such as a last one with nothing but a finish reason, and the whole answer is void',
    mend(body) {
      const wire = readChunks(new TextEncoder().encode(body));
      const isEmpty = (event: JsonObject): boolean => partsOf([event]).length === 0;
      if (!wire.some(isEmpty)) return body;
      const finishReason = wire.flatMap(candidatesOf).findLast((candidate) => 'finishReason' in candidate)?.[
        'finishReason'
      ];
      const full = wire.filter((event) => !isEmpty(event));
      if (full.length === 0 || finishReason === undefined) return body;
      return sse(...full, chunk([{ text: '' }], { finishReason }));
    },
  },
  {
    kind: 'content_without_role',
    why: 'One content without a role, and the whole answer is void',
    mend(body) {
      const wire = readChunks(new TextEncoder().encode(body));
      const contents = wire
        .flatMap(candidatesOf)
        .map(({ content }) => content)
        .filter(isJsonObject);
      const roleless = contents.filter((content) => !('role' in content));
      for (const content of roleless) content['role'] = 'model';
      return roleless.length > 0 ? sse(...wire) : body;
    },
  },
];

const differences: readonly Difference[] = [
  {
    kind: 'text_in_pieces',
    why: 'The history holds a content for each chunk, so that a text is as many parts as it had pieces',
    undo(parts) {
      const joined: JsonObject[] = [];
      for (const part of parts) {
        const last = joined.at(-1);
        if (last && isPlain(part) && isPlain(last) && last['thought'] === part['thought']) {
          joined[joined.length - 1] = { ...last, text: String(last['text']) + String(part['text']) };
        } else joined.push(part);
      }
      return joined.length < parts.length ? joined : parts;
    },
  },
  {
    kind: 'empty_text',
    why: 'The history keeps empty texts that carry nothing',
    undo(parts) {
      const kept = parts.filter((part) => !(isPlain(part) && part['text'] === ''));
      return kept.length < parts.length ? kept : parts;
    },
  },
  {
    kind: 'call_in_pieces',
    why: 'The history keeps a call of Vertex as the many pieces that came, none of which is a call with arguments',
    undo: (parts) => (parts.some(isPiece) ? putTogether(parts) : parts),
  },
  {
    kind: 'cut_reasoning',
    why: 'The history ends in reasoning that the token limit cut',
    undo(parts, { stopReason }) {
      const isCut = stopReason === 'MAX_TOKENS' && parts.at(-1)?.['thought'] === true;
      return isCut ? parts.slice(0, -1) : parts;
    },
  },
];

const recordings = listRecordings('corpus/streams/gemini');
const names = recordings.map((recording) => [recording.name, recording] as const);

describe.skipIf(recordings.length === 0)('gemini, beside the chat of the official client', () => {
  const met = new Map<string, number>();
  let alike = 0;

  test.each(names)('has of %s what its history has, but for what it is known to lose', async (_name, { bytes }) => {
    const turn = await assembleTurn(of(bytes), gemini).settled();
    const { parts, kinds } = await officialParts(new TextDecoder().decode(bytes), turn);
    for (const kind of kinds) met.set(kind, (met.get(kind) ?? 0) + 1);
    if (kinds.length === 0) alike += 1;
    expect(ownParts(turn)).toEqual(parts);
  });

  test('meets each of the known kinds, and many streams without any', () => {
    const known = [...losses, ...differences].map(({ kind }) => kind);
    expect([...met.keys()].sort()).toEqual(known.sort());
    expect(alike).toBeGreaterThan(recordings.length / 3);
  });
});

describe('what the chat of the official client loses', () => {
  const text = { text: 'Low tide.' };
  const whole = [{ role: 'model', parts: [text] }];

  test.each<[string, string, readonly JsonObject[]]>([
    ['an answer whose last chunk has no parts', sse(...chunks([text])), [{ role: 'model', parts: [] }]],
    [
      'an answer with a chunk of counts',
      sse(chunk([text], { finishReason: 'STOP' }), { usageMetadata: { promptTokenCount: 1 } }),
      [{ role: 'model', parts: [] }],
    ],
    [
      'an answer of which a chunk names no role',
      sse({ candidates: [{ content: { parts: [text] }, finishReason: 'STOP' }] }),
      [{ role: 'model', parts: [] }],
    ],
    ['an answer without a last blank line', sse(chunk([text], { finishReason: 'STOP' })).trimEnd(), []],
  ])('is %s', async (_what, body, history) => {
    const { contents, error } = await officialOutcome(body);
    expect(contents).toEqual(history);
    expect(error === undefined).toBe(history.length > 0);
    expect((await assembleTurn(of(body), gemini).finalTurn()).entries).toEqual(whole);
  });

  test('is that an answer is one content', async () => {
    const told = [call({ name: 'f', args: {} }, { thoughtSignature: 'c2ln' }), call({ name: 'g', args: {} })];
    const body = sse(...told.map((part) => chunk([part], { finishReason: 'STOP' })));
    expect((await officialOutcome(body)).contents).toEqual(told.map((part) => ({ role: 'model', parts: [part] })));
    const { entries } = await assembleTurn(of(body), gemini).finalTurn();
    expect(entries).toEqual([{ role: 'model', parts: told }]);
  });

  test('is the arguments of a call in pieces', async () => {
    const told = [call({ name: 'f', willContinue: true }), pieces(['$.a', { numberValue: 1 }]), call({})];
    const body = sse(...told.map((part) => chunk([part], { finishReason: 'STOP' })));
    const { contents } = await officialOutcome(body);
    expect(contents.map(({ parts }) => parts)).toEqual(told.map((part) => [part]));
    const { entries } = await assembleTurn(of(body), gemini).finalTurn();
    expect(entries).toEqual([{ role: 'model', parts: [call({ name: 'f', args: { a: 1 } })] }]);
  });
});

/** The history's parts without the known differences, and the kinds of those that were met. */
async function officialParts(
  body: string,
  turn: WholeTurn,
): Promise<{ readonly parts: readonly JsonObject[]; readonly kinds: readonly string[] }> {
  const kinds: string[] = [];
  let parts = partsIn(await officialOutcome(body));
  let mended = body;
  for (const { kind, mend } of losses) {
    const before = mended;
    if (parts.length === 0) mended = mend(mended);
    if (mended === before) continue;
    kinds.push(kind);
    parts = partsIn(await officialOutcome(mended));
  }
  for (const { kind, undo } of differences) {
    const undone = undo(parts, turn);
    if (undone !== parts) kinds.push(kind);
    parts = undone;
  }
  return { parts, kinds };
}

function partsIn({ contents }: { readonly contents: readonly JsonObject[] }): readonly JsonObject[] {
  return contents.flatMap(({ parts }) => (Array.isArray(parts) ? parts.filter(isJsonObject) : []));
}

function ownParts({ entries }: WholeTurn): unknown {
  const [entry] = JSON.parse(stringifyRequest(entries)) as { parts: unknown }[];
  return entry?.parts ?? [];
}

function isPlain(part: JsonObject): boolean {
  return Object.keys(part).every((name) => name === 'text' || name === 'thought') && typeof part['text'] === 'string';
}

function callIn({ functionCall }: JsonObject): JsonObject | undefined {
  return isJsonObject(functionCall) ? functionCall : undefined;
}

function isPiece(part: JsonObject): boolean {
  const called = callIn(part);
  return called !== undefined && ('partialArgs' in called || 'willContinue' in called || !('name' in called));
}

/** Calls in pieces as calls, put together in the plainest way, which does for names and indexes. */
function putTogether(parts: readonly JsonObject[]): readonly JsonObject[] {
  const whole: JsonObject[] = [];
  for (const part of parts) {
    const { name, partialArgs, willContinue: _goesOn, ...rest } = callIn(part) ?? {};
    if (!isPiece(part)) whole.push(structuredClone(part));
    else if (name !== undefined) whole.push({ ...structuredClone(part), functionCall: { name, ...rest } });
    const called = callIn(whole.at(-1) ?? {});
    for (const piece of Array.isArray(partialArgs) ? partialArgs.filter(isJsonObject) : []) {
      if (called)
        setAt(
          called,
          [
            'args',
            ...String(piece['jsonPath'])
              .slice(2)
              .split(/[.[\]]+/),
          ],
          piece,
        );
    }
  }
  return whole;
}

function setAt(object: JsonObject, path: readonly string[], piece: JsonObject): void {
  const [name = '', ...rest] = path.filter((step) => step !== '');
  const { stringValue: text, numberValue, boolValue } = piece;
  const known = object[name];
  if (rest.length === 0) {
    object[name] =
      typeof text === 'string' ? (typeof known === 'string' ? known : '') + text : (numberValue ?? boolValue);
    return;
  }
  if (known === undefined) object[name] = /^\d/.test(rest[0] ?? '') ? [] : {};
  setAt(object[name] as JsonObject, rest, piece);
}
