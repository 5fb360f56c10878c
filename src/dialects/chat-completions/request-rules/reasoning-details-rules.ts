import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type Found, type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import type { FamilyName } from '../families.ts';
import { answersOf, familyOf, isGiven, textOf } from './history.ts';

const source = 'Anannas: preserving reasoning blocks; OpenRouter: reasoning tokens';

/** The rules of `reasoning_details`: they go back whole, once, in order, and to the family that sealed them. */
export const reasoningDetailsRules: readonly HistoryRule[] = [
  {
    code: 'reasoning_details_malformed',
    source,
    *find(body) {
      for (const { native, path } of answersOf(body)) {
        const details = native['reasoning_details'];
        if (isGiven(details) && !Array.isArray(details))
          yield refused(`${path}.reasoning_details`, 'reasoning_details: expected array. Send the list that came.');
      }
      for (const { path, native, type } of detailsOf(body)) {
        const member = type === 'reasoning.encrypted' ? 'data' : type === 'reasoning.summary' ? 'summary' : undefined;
        if (member !== undefined && typeof native[member] !== 'string')
          yield refused(
            `${path}.${member}`,
            `Invalid input: expected string, received ${native[member] === undefined ? 'undefined' : typeof native[member]}. An entry of type ${type} goes back with its ${member}, or not at all.`,
          );
      }
    },
  },
  {
    code: 'reasoning_details_fragments',
    source,
    *find(body) {
      let before: PlacedDetail | undefined;
      for (const detail of detailsOf(body)) {
        if (before && isFragmentOf(before, detail))
          yield (familyOf(body) === 'claude' ? refused : spoiled)(
            detail.path,
            'Invalid `signature` in `thinking` block: the fragments of one entry stand side by side. Put the text of the stream together, with the signature that came last.',
          );
        before = detail;
      }
    },
  },
  {
    code: 'reasoning_details_unsigned',
    source,
    *find(body) {
      if (familyOf(body) !== 'claude') return;
      for (const { path, native, type } of detailsOf(body)) {
        const isClaude = sealerOf(native['format'] ?? 'anthropic-claude-v1') === 'claude';
        if (type !== 'reasoning.text' || !isClaude || textOf(native['signature']) !== '') continue;
        yield spoiled(
          path,
          'thinking.signature: Field required. Thinking of Claude without its signature is worth nothing; leave it out, and the mirrored `reasoning` too.',
        );
      }
    },
  },
  {
    code: 'reasoning_details_foreign',
    source: 'OpenRouter: reasoning tokens',
    *find(body) {
      const family = familyOf(body);
      if (family === 'other') return;
      for (const { path, native, type } of detailsOf(body)) {
        const sealer = sealerOf(native['format']);
        const isSealed = type === 'reasoning.encrypted' || textOf(native['signature']) !== '';
        if (!isSealed || sealer === undefined || sealer === family) continue;
        yield refused(
          path,
          `What ${sealer} sealed, ${family} refuses: "Corrupted thought signature", "could not be verified", "Invalid signature". After a change of models leave sealed entries and the mirrored \`reasoning\` out.`,
        );
      }
    },
  },
  {
    code: 'reasoning_details_repeated',
    source,
    *find(body) {
      const seen = new Set<string>();
      for (const detail of detailsOf(body)) {
        const key = gatewayKey(detail);
        if (key !== undefined && seen.has(key)) yield repeatedDetail(body, detail);
        if (key !== undefined) seen.add(key);
      }
    },
  },
  {
    code: 'reasoning_details_id_alone',
    source: 'https://github.com/langchain-ai/langchain/issues/37777',
    *find(body) {
      const details = detailsOf(body);
      const sealed = new Set(details.map(({ type, native }) => (type === 'reasoning.encrypted' ? native['id'] : '')));
      for (const { path, type, native } of details) {
        const id = textOf(native['id']);
        if (type !== 'reasoning.summary' || !id.startsWith('rs_') || sealed.has(id)) continue;
        yield spoiled(
          path,
          `Item with id '${id}' not found: without the ciphertext that came with it the id is looked up, and nothing is stored. Send both entries, or neither.`,
        );
      }
    },
  },
  {
    code: 'reasoning_details_placeholder',
    source: 'Anannas: streaming behaviour of reasoning tokens',
    *find(body) {
      for (const { path, native } of detailsOf(body)) {
        if (native['data'] === '[REDACTED]' || native['text'] === '[REDACTED]')
          yield spoiled(
            path,
            '"[REDACTED]" stands for ciphertext and is none: it cannot be verified. Leave the entry out.',
          );
      }
    },
  },
];

/** One entry of `reasoning_details`, and where it stands. */
interface PlacedDetail {
  readonly path: string;
  readonly type: unknown;
  readonly native: JsonObject;
  /** The path of its message. */
  readonly message: string;
}

function detailsOf(body: JsonObject): readonly PlacedDetail[] {
  return answersOf(body).flatMap(({ native: { reasoning_details: details }, path: message }) => {
    if (!Array.isArray(details)) return [];
    return details.flatMap((native: unknown, index) => {
      const path = `${message}.reasoning_details[${index}]`;
      return isJsonObject(native) ? { path, type: native['type'], native, message } : [];
    });
  });
}

/** Text goes on in the next entry of the same index only where a stream was not put together. */
function isFragmentOf(before: PlacedDetail, detail: PlacedDetail): boolean {
  if (before.message !== detail.message || before.type !== 'reasoning.text' || detail.type !== 'reasoning.text')
    return false;
  return (
    isGiven(detail.native['index']) &&
    before.native['index'] === detail.native['index'] &&
    textOf(before.native['signature']) === ''
  );
}

const sealers: readonly (readonly [RegExp, FamilyName])[] = [
  [/^anthropic-/, 'claude'],
  [/^google-gemini-/, 'gemini'],
  [/^(?:azure-|bedrock-)?openai-/, 'gpt'],
  [/^(?:bedrock-)?xai-/, 'grok'],
];

/** The family whose models read what is sealed in a format; undefined where that is not known. */
function sealerOf(format: unknown): FamilyName | undefined {
  return sealers.find(([pattern]) => pattern.test(textOf(format)))?.[1];
}

/** By what the gateway tells entries apart, in the whole request; it drops those that it has seen. */
function gatewayKey({ type, native }: PlacedDetail): string | undefined {
  const mark =
    type === 'reasoning.encrypted'
      ? textOf(native['id']) || textOf(native['data'])
      : type === 'reasoning.summary'
        ? textOf(native['summary'])
        : textOf(native['text']) || textOf(native['signature']);
  return mark === '' ? undefined : `${String(type)} ${mark}`;
}

function repeatedDetail(body: JsonObject, { path, type, native }: PlacedDetail): Found {
  const id = textOf(native['id']);
  if (familyOf(body) === 'gpt' && type === 'reasoning.encrypted' && id !== '')
    return refused(path, `Duplicate item found with id ${id}. An entry belongs to one message; send it once.`);
  return spoiled(
    path,
    'The gateway drops an entry that it has seen in the request. An entry belongs to one message; send it once.',
  );
}
