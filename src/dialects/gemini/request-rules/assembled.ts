import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import type { HistoryRule, RequestContext } from '../../../core/request-rule.ts';
import type { AssembledTurn } from '../../../core/turn.ts';
import { insistsOnSignatures, modelOf } from './model.ts';
import { error, memberOf, modelParts, objectIn, sentinels, signatureOf, warning } from './reading.ts';

/** How much of a signature is compared to find the one that it begins with. */
const headLength = 48;

/** A signature stays in the part it came in. */
export const movedSignature: HistoryRule = {
  code: 'moved_signature',
  source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
  *find(body, context) {
    const known = signedParts(context);
    if (known.size === 0) return;
    const insists = insistsOnSignatures(body, context) === true;
    for (const { part, path } of modelParts(body)) {
      const signature = signatureOf(part);
      const original = signature === undefined ? undefined : known.get(bytesOf(signature))?.part;
      // A call in pieces has no arguments to compare; it is told of by a rule of its own.
      if (!original || isInPieces(part) || describe(part) === describe(original)) continue;
      const message =
        `The signature came with another part (${nameOf(original)}), and stands at ${nameOf(part)}. ` +
        'Send each part as it came, with nothing joined to it and nothing taken from it.';
      // A call under another signature is refused; what was said in words may differ unnoticed.
      const isRefused = insists && callName(part) !== callName(original);
      yield isRefused ? error(path, `Invalid thought signature. ${message}`) : warning(path, message);
    }
  },
};

/** Signatures are not put together. */
export const mergedSignature: HistoryRule = {
  code: 'merged_signature',
  source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
  *find(body, context) {
    const known = signedParts(context);
    const byHead = new Map([...known.keys()].map((bytes) => [bytes.slice(0, headLength), bytes]));
    for (const { part, path } of modelParts(body)) {
      const bytes = bytesOf(signatureOf(part) ?? '');
      const begun = byHead.get(bytes.slice(0, headLength));
      if (begun === undefined || known.has(bytes) || !bytes.startsWith(begun)) continue;
      const message = 'Corrupted thought signature: it is one that came, with more behind it.';
      yield error(path, `${message} Send two signed parts as two parts.`);
    }
  },
};

/** What came signed goes back signed. */
export const droppedSignature: HistoryRule = {
  code: 'dropped_signature',
  source: 'https://github.com/vercel/ai/issues/12402',
  *find(body, context) {
    const signed = alwaysSigned(context);
    for (const { part, path } of modelParts(body)) {
      if (signatureOf(part) !== undefined || !signed.has(describe(part))) continue;
      const message = 'This part came with a signature: without it the model does not know what it thought.';
      yield warning(path, `${message} Send the part as it came.`);
    }
  },
};

/** Signatures are read by the model that wrote them. */
export const foreignSignature: HistoryRule = {
  code: 'foreign_signature',
  source: 'https://github.com/mastra-ai/mastra/issues/23433',
  *find(body, context) {
    const model = modelOf({ model: body['model'] }, {})?.name;
    if (model === undefined) return;
    const known = signedParts(context);
    for (const { part, path } of modelParts(body)) {
      const writer = known.get(bytesOf(signatureOf(part) ?? ''))?.model;
      if (writer === undefined || isSameModel(writer, model)) continue;
      const message =
        `The signature is one of ${writer}, and may not be read by ${model}, or be refused: Corrupted thought ` +
        'signature. Send `skip_thought_signature_validator` in its place.';
      yield warning(path, message);
    }
  },
};

/** Names of one model differ, and are handed on to its successor: what counts is the generation and the size. */
function isSameModel(left: string, right: string): boolean {
  return /latest/.test(`${left}${right}`) || kindOf(left) === kindOf(right);
}

function kindOf(model: string): string {
  const [, generation, size] = /^gemini-(\d+)(?:\.\d+)?-(pro|flash-lite|flash)?/.exec(model) ?? [];
  return `${generation} ${size}`;
}

interface SignedPart {
  readonly part: JsonObject;
  readonly model: string | undefined;
}

/** The parts that came with a signature, by its bytes. */
function signedParts({ turns = [] }: RequestContext): ReadonlyMap<string, SignedPart> {
  const known = new Map<string, SignedPart>();
  for (const turn of turns) {
    const model = modelOf({ model: turn.model }, {})?.name;
    for (const part of nativesOf(turn)) {
      const signature = signatureOf(part);
      if (signature !== undefined && !sentinels.has(signature)) known.set(bytesOf(signature), { part, model });
    }
  }
  return known;
}

/** What was signed each time it came: two equal calls may have come with one signature. */
function alwaysSigned({ turns = [] }: RequestContext): ReadonlySet<string> {
  const [signed, unsigned] = [new Set<string>(), new Set<string>()];
  for (const part of turns.flatMap(nativesOf)) {
    if (objectIn(part, 'functionCall') || part['text'] !== '') {
      (signatureOf(part) === undefined ? unsigned : signed).add(describe(part));
    }
  }
  return new Set([...signed].filter((name) => !unsigned.has(name)));
}

function nativesOf({ blocks }: AssembledTurn): JsonObject[] {
  return blocks.flatMap(({ native }) => (isJsonObject(native) ? [native] : []));
}

/** What a part says, without what a client may add to it or write in another way. */
function describe(part: JsonObject): string {
  const call = objectIn(part, 'functionCall');
  if (call) return `call ${JSON.stringify(inOrder([call['name'], call['args'] ?? {}]))}`;
  if (typeof part['text'] === 'string') return `${part['thought'] === true ? 'thought' : 'text'} ${part['text']}`;
  const others = Object.keys(part).filter((name) => !/^thought/.test(name) && part[name] !== null);
  return `part ${others.sort().join(' ')}`;
}

/** A value whose objects have their members in order, for some clients write them in another. */
function inOrder(value: unknown, depth = 0): unknown {
  if (depth > 256) return null;
  if (Array.isArray(value)) return value.map((member) => inOrder(member, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.keys(value)
    .sort()
    .map((name) => [name, inOrder(value[name], depth + 1)]);
}

function isInPieces(part: JsonObject): boolean {
  return memberOf(objectIn(part, 'functionCall') ?? {}, 'partialArgs') !== undefined;
}

function callName(part: JsonObject): unknown {
  return objectIn(part, 'functionCall')?.['name'];
}

function nameOf(part: JsonObject): string {
  const called = callName(part);
  if (called !== undefined) return `the call of ${String(called)}`;
  if (typeof part['text'] !== 'string') return 'a part of another kind';
  return part['text'] === '' ? 'an empty text' : 'a text';
}

/** The bytes of a signature, whichever alphabet they are written in. */
function bytesOf(signature: string): string {
  return signature.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
}
