import { isJsonObject, type JsonObject, setMember } from './json-object.ts';

/** Deeper than this nothing is shown: what a person reads is never nested that deep, and recursion stays bounded. */
const maxDepth = 64;

/** Members that hold what only the provider can read. */
const opaqueKey = /signature|encrypted|ciphertext|fingerprint/i;

/** Members that are a secret where they are a text, and a count where they are a number. */
const tokenKey = /(?:^|_)(?:token|Token|TOKEN)$|[a-z\d]Token$/;

/** Kinds of media, whose `data` is for people. */
const mediaType = /^(image|audio|video|file|document|base64|text|input_audio)$/;

/**
 * A copy of a native value that is safe to show: without signatures, ciphertext and other opaque state, at any depth.
 *
 * A text called `data` is taken for ciphertext unless what it stands in is media.
 */
export function safeView(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return depth === maxDepth ? [] : value.map((item) => safeView(item, depth + 1));
  if (!isJsonObject(value)) return value;
  return depth === maxDepth ? {} : safeObject(value, depth);
}

function safeObject(object: JsonObject, depth: number): JsonObject {
  const view: JsonObject = {};
  for (const [key, member] of Object.entries(object)) {
    if (!isOpaque(key, member, object)) setMember(view, key, safeView(member, depth + 1));
  }
  return view;
}

function isOpaque(key: string, member: unknown, object: JsonObject): boolean {
  if (opaqueKey.test(key)) return true;
  if (typeof member !== 'string') return false;
  return tokenKey.test(key) || (key === 'data' && !isMedia(object));
}

function isMedia({ type, media_type: snake, mimeType: camel, mime_type: mixed }: JsonObject): boolean {
  return (
    [snake, camel, mixed].some((known) => typeof known === 'string') ||
    (typeof type === 'string' && mediaType.test(type))
  );
}
