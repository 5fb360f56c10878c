import { isJsonObject, type JsonObject } from '../../core/json-object.ts';

/** A piece of content that is shown. */
export interface ShownContent {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

/** The `content` of one message, which may be a string or a list of chunks, and change from one to the other. */
export interface ContentParts {
  /** Takes the content of one delta; returns what of it can be shown, in order. */
  push(content: unknown): readonly ShownContent[];
  /** The content as it goes back: null where nothing was said. */
  readonly native: string | readonly JsonObject[] | null;
}

/**
 * Makes the content of one message.
 *
 * Strings join. Once a list came, the content is one: neighbours of one type join, also the pieces inside a thinking
 * chunk; a string joins the text before it; chunks of other types stay whole and separate their neighbours.
 *
 * @see https://docs.mistral.ai/capabilities/reasoning
 */
export function createContentParts(): ContentParts {
  let text = '';
  let chunks: JsonObject[] | undefined;

  return {
    push(content) {
      if (typeof content === 'string') return pushText(content);
      return Array.isArray(content) ? content.flatMap(pushChunk) : [];
    },
    get native() {
      if (!chunks) return text === '' ? null : text;
      const kept = chunks.filter((chunk) => !isEmpty(chunk));
      return kept.length > 0 ? kept : null;
    },
  };

  function pushText(piece: string): ShownContent[] {
    if (!chunks) text += piece;
    else if (piece !== '') joinText(chunks, { type: 'text', text: piece });
    return shown('text', piece);
  }

  function pushChunk(chunk: unknown): ShownContent[] {
    if (typeof chunk === 'string') return pushText(chunk);
    if (!isJsonObject(chunk)) return [];
    chunks ??= text === '' ? [] : [{ type: 'text', text }];
    if (chunk['type'] === 'text') {
      joinText(chunks, chunk);
      return shown('text', chunk['text']);
    }
    if (chunk['type'] === 'thinking') return joinThinking(chunks, chunk);
    chunks.push({ ...chunk });
    return [];
  }
}

function shown(kind: ShownContent['kind'], text: unknown): ShownContent[] {
  return typeof text === 'string' && text !== '' ? [{ kind, text }] : [];
}

function joinText(chunks: JsonObject[], chunk: JsonObject): void {
  const last = chunks.at(-1);
  const joined = stringOf(last?.['text']) + stringOf(chunk['text']);
  if (last?.['type'] === 'text') Object.assign(last, chunk, { text: joined });
  else chunks.push({ ...chunk });
}

function textPiece(text: string): JsonObject {
  return { type: 'text', text };
}

/** The thinking of a chunk is a list of pieces of its own. */
function joinThinking(chunks: JsonObject[], { thinking, ...rest }: JsonObject): ShownContent[] {
  const pieces: unknown[] = Array.isArray(thinking)
    ? thinking
    : typeof thinking === 'string'
      ? [textPiece(thinking)]
      : [];
  let last = chunks.at(-1);
  if (last?.['type'] !== 'thinking') {
    last = { ...rest, thinking: [] };
    chunks.push(last);
  }
  for (const [name, value] of Object.entries(rest)) if (value !== null && value !== '') last[name] = value;
  const inner = last['thinking'] as JsonObject[];
  return pieces.filter(isJsonObject).flatMap((piece) => {
    if (typeof piece['text'] !== 'string') inner.push({ ...piece });
    else joinText(inner, { type: 'text', ...piece });
    return shown('reasoning', piece['text']);
  });
}

/** A chunk that says nothing, and seals nothing. */
function isEmpty({ type, text, thinking, signature }: JsonObject): boolean {
  if (stringOf(signature) !== '') return false;
  if (type === 'text') return stringOf(text) === '';
  if (type !== 'thinking' || !Array.isArray(thinking)) return false;
  return thinking.every((piece) => isJsonObject(piece) && piece['text'] === '');
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
