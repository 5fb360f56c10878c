import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import type { HistoryRule } from '../../../core/request-rule.ts';
import { insistsOnSignatures, modelOf } from './model.ts';
import {
  callIn,
  contentsOf,
  error,
  memberOf,
  modelParts,
  objectIn,
  type PlacedContent,
  type PlacedPart,
  responseIn,
  sentinels,
  signatureOf,
  warning,
} from './reading.ts';

/** The first call of each step of the current turn goes back with the signature it came with. */
export const missingSignature: HistoryRule = {
  code: 'missing_thought_signature',
  source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
  *find(body, context) {
    const insists = insistsOnSignatures(body, context);
    if (insists === false) return;
    for (const content of currentTurn(contentsOf(body))) {
      const first = content.role === 'model' ? content.parts.find(callIn) : undefined;
      if (!first || signatureOf(first.part) !== undefined) continue;
      const message = missingMessage(first, content);
      if (insists) yield error(first.path, message);
      else yield warning(first.path, `${message} Models before Gemini 3 do not insist on it.`);
    }
  },
};

/** What stands behind the last thing that the user said. */
function currentTurn(contents: readonly PlacedContent[]): readonly PlacedContent[] {
  const start = contents.findLastIndex(({ role, parts }) => {
    return role !== 'model' && parts.some((placed) => !responseIn(placed));
  });
  return contents.slice(start + 1);
}

function missingMessage(first: PlacedPart, { index }: PlacedContent): string {
  const name = String(callIn(first)?.['name']);
  return (
    'Function call is missing a thought_signature in functionCall parts. Additional data, function call ' +
    `\`default_api:${name}\`, position ${index + 1}. (Vertex: Unable to submit request because function call ` +
    `\`${name}\` in the ${index + 1}. content block is missing a \`thought_signature\`.) Send the part as it came, ` +
    'all parts of an answer in one content; for a call of another model `skip_thought_signature_validator` is taken.'
  );
}

/** A signature is bytes. */
export const signatureEncoding: HistoryRule = {
  code: 'signature_not_base64',
  source: 'https://github.com/vertesia/llumiverse/issues/470',
  *find(body) {
    for (const { part, path } of contentsOf(body).flatMap(({ parts }) => parts)) {
      const signature = memberOf(part, 'thoughtSignature');
      if (signature === undefined || signature === null || isBase64(signature)) continue;
      const place = `${path}.thoughtSignature`;
      const message =
        `Invalid value at '${path}.thought_signature' (TYPE_BYTES), Base64 decoding failed. ` +
        'Send the signature as it came; two of them are not one when put together.';
      yield error(place, message);
    }
  },
};

/** Either alphabet is taken, and padding may be missing. */
function isBase64(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(value)) return false;
  return value.replace(/=+$/, '').length % 4 !== 1;
}

/** A signature belongs to one part. */
export const copiedSignature: HistoryRule = {
  code: 'copied_signature',
  source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
  *find(body) {
    const seen = new Map<string, string>();
    for (const { part, path } of modelParts(body)) {
      const signature = signatureOf(part);
      if (signature === undefined || sentinels.has(signature)) continue;
      const first = seen.get(signature);
      const message = `The signature of ${first} stands here too. Send each in its own part; of parallel calls only the first has one.`;
      if (first !== undefined) yield warning(path, message);
      else seen.set(signature, path);
    }
  },
};

/** Models that make images check the first part of an answer, and every image. */
export const imageSignature: HistoryRule = {
  code: 'missing_image_signature',
  source: 'https://github.com/googleapis/js-genai/issues/1116',
  *find(body, context) {
    const model = modelOf(body, context);
    if (!model?.name.includes('image') || (model.version ?? 0) < 3) return;
    for (const { role, index, parts } of contentsOf(body)) {
      if (role !== 'model') continue;
      const answers = parts.filter(({ part }) => part['thought'] !== true);
      for (const [order, { part, place, path }] of answers.entries()) {
        const kind = checkedKind(part, order === 0);
        if (!kind || signatureOf(part) !== undefined) continue;
        const where = `content position ${index + 1}, part position ${place + 1}`;
        yield error(path, `${kind} part is missing a thought_signature in ${where}. Send the part as it came.`);
      }
    }
  },
};

function checkedKind(part: JsonObject, isFirst: boolean): string | undefined {
  if (isJsonObject(objectIn(part, 'inlineData'))) return 'Image';
  return isFirst && typeof part['text'] === 'string' ? 'Text' : undefined;
}
