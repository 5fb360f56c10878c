import { mintCallId } from '../../core/call-id.ts';
import type { HistoryCall, HistoryFormat } from '../../core/history.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { rememberAt } from '../../text/remember-at.ts';
import { stringifyRequest } from '../../text/verbatim-json.ts';
import type { GeminiEntry, GeminiPart } from './entries.ts';
import { contentOfResponses, type GeminiFunctionResponses } from './function-responses.ts';

/** What the user says. */
export interface GeminiUserContent {
  role: 'user';
  parts: GeminiPart[];
}

/** One content of a history, of any role. */
export type GeminiContent = GeminiEntry | GeminiUserContent | GeminiFunctionResponses;

/** The signature that the service takes for a call that another model made. */
const noSignature = 'skip_thought_signature_validator';

/**
 * How a history of Gemini contents is written: the results of a turn are one user content, in call order.
 *
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const geminiHistory: HistoryFormat<GeminiContent> = {
  user: (content) => ({
    role: 'user',
    parts: typeof content === 'string' ? [{ text: content }] : ([...content] as GeminiPart[]),
  }),
  answers: (calls, results) => [contentOfResponses(calls, results)],
  roleOf(content) {
    if (content.role === 'model') return 'turn';
    return answersIn(content).length > 0 ? 'results' : 'user';
  },
  callsIn: (contents) => unanswered(contents.flatMap(partsIn)).map(callOf),
  answersIn,
  ofTexts(texts) {
    const parts = texts.map(({ native }) => native as GeminiPart);
    return parts.length > 0 ? [{ role: 'model', parts }] : [];
  },
  mayDropReasoning: () => true,
  withoutReasoning: (contents) => contents.flatMap((content) => unsigned(content, (part) => part)),
  // A call without any signature is refused; the service has one for calls that it cannot have signed.
  forAnotherModel: (contents) =>
    contents.flatMap((content) =>
      unsigned(content, (part) =>
        isJsonObject(part['functionCall']) ? { ...part, thoughtSignature: noSignature } : part,
      ),
    ),
  rememberInputs(content, source) {
    rememberAt(source, ['parts'], partsIn(content), ['functionCall', 'args']);
  },
};

function partsIn({ parts }: GeminiContent): readonly JsonObject[] {
  const list: unknown = parts;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function answersIn(content: GeminiContent): readonly (string | undefined)[] {
  if (content.role === 'model') return [];
  return partsIn(content).flatMap(({ functionResponse }) =>
    isJsonObject(functionResponse) ? [textOrUndefined(functionResponse['id'])] : [],
  );
}

/** A call whose response stands behind it in the same turn was run already. */
function unanswered(parts: readonly JsonObject[]): readonly JsonObject[] {
  const open: JsonObject[] = [];
  for (const { functionCall, functionResponse } of parts) {
    if (isJsonObject(functionCall)) open.push(functionCall);
    if (!isJsonObject(functionResponse)) continue;
    const { id, name } = functionResponse;
    const named = open.filter((call) => call['name'] === name);
    const answered = named.find((call) => call['id'] === id) ?? named[0];
    if (answered) open.splice(open.indexOf(answered), 1);
  }
  return open;
}

function callOf(native: JsonObject, place: number): HistoryCall {
  const { id, name, args } = native;
  const isExecutable = args === undefined || (isJsonObject(args) && !Object.hasOwn(args, 'INVALID_JSON'));
  const inputText = stringifyRequest(args ?? {});
  return {
    id: textOrUndefined(id) ?? mintCallId(null, place),
    name: String(name),
    input: JSON.parse(inputText),
    inputText,
    isExecutable,
    native,
  };
}

/**
 * A content without thoughts, without signatures, and without parts that say nothing any more: the same if it has none of
 * them, and none if nothing is left.
 *
 * @param replace What becomes of a part that was signed.
 */
function unsigned(content: GeminiContent, replace: (part: JsonObject) => JsonObject): readonly GeminiContent[] {
  if (content.role !== 'model') return [content];
  const parts = partsIn(content);
  const kept = parts.flatMap((part) => {
    // Some servers mark calls as thoughts, too; they are answered all the same.
    if (part['thought'] === true && !isJsonObject(part['functionCall'])) return [];
    const { thoughtSignature, ...plain } = part;
    if (thoughtSignature === undefined) return [part];
    return Object.values(plain).some((value) => value !== '') ? [replace(plain)] : [];
  });
  if (kept.length === parts.length && kept.every((part, at) => part === parts[at])) return [content];
  return kept.length > 0 ? [{ ...content, parts: kept as GeminiPart[] }] : [];
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
