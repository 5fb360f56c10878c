import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { canonical } from './canonical.ts';
import type { Place } from './chain.ts';

/** What a seal says by itself, if it is one of this provider's. */
export interface Seal {
  /** The turn it was made in. */
  readonly turn: string;
  /** What was encrypted with it. */
  readonly hidden: JsonObject;
  readonly text: string;
}

/** What a seal does not fit: what it stands on, what stands before that in its turn, or before its turn. */
export type Mismatch = 'content' | 'order' | 'prefix';

/** Signs and encrypts, and recognises what it made. */
export interface Sealer {
  /** Makes the signature of something that is said at a place. */
  sign(turn: string, content: unknown, place: Place): string;
  /** Makes a ciphertext of what is hidden, which is its signature as well. */
  encrypt(turn: string, content: unknown, place: Place, hidden: JsonObject): string;
  /** Reads a signature or a ciphertext; undefined for what was not made with this secret. */
  open(text: string): Seal | undefined;
  /** Says what a seal does not fit; undefined if it fits all. */
  mismatch(seal: Seal, content: unknown, place: Place): Mismatch | undefined;
}

const idBytes = 9;
const tagBytes = 18;
const nonceBytes = 12;

/**
 * Makes the seals of a provider: a signature is an HMAC of the content, one of what stands before it in its turn, and
 * one of what stands before it in the request.
 *
 * @param bindPrefix Whether what stands before its turn counts.
 */
export function createSealer(secret: string, bindPrefix: boolean): Sealer {
  const key = hmac(secret, 'key');

  const sealer: Sealer = { sign, encrypt, open, mismatch };
  return sealer;

  function tagsOf(turn: string, content: unknown, place: Place, hidden: JsonObject): Buffer[] {
    const said = canonical([content, hidden]);
    // Each tag but the first covers the content, too: parts of two signatures never make a third.
    const tag = (...parts: readonly string[]): Buffer =>
      hmac(key, [turn, said, ...parts].join('\n')).subarray(0, tagBytes);
    return [tag('content'), tag('order', place.turn), ...(bindPrefix ? [tag('prefix', place.turn, place.prefix)] : [])];
  }

  function sign(turn: string, content: unknown, place: Place): string {
    return Buffer.concat([Buffer.from(turn, 'base64'), ...tagsOf(turn, content, place, {})]).toString('base64');
  }

  function encrypt(turn: string, content: unknown, place: Place, hidden: JsonObject): string {
    const tags = Buffer.concat(tagsOf(turn, content, place, hidden)).toString('base64');
    const plain = JSON.stringify({ turn, hidden, tags });
    const nonce = hmac(key, plain).subarray(0, nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64');
  }

  function open(text: string): Seal | undefined {
    const bytes = Buffer.from(text, 'base64');
    // Base64 has spellings that mean the same bytes; a changed text is a changed one.
    if (bytes.toString('base64') !== text) return undefined;
    if (bytes.length === idBytes + (bindPrefix ? 3 : 2) * tagBytes) {
      return { turn: bytes.subarray(0, idBytes).toString('base64'), hidden: {}, text };
    }
    const plain = decrypt(bytes);
    return plain && { turn: String(plain['turn']), hidden: Object(plain['hidden']) as JsonObject, text };
  }

  function decrypt(bytes: Buffer): JsonObject | undefined {
    if (bytes.length < nonceBytes + 16) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
    decipher.setAuthTag(bytes.subarray(-16));
    try {
      const plain = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -16)), decipher.final()]);
      const value: unknown = JSON.parse(plain.toString('utf8'));
      return isJsonObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  function mismatch({ turn, hidden, text }: Seal, content: unknown, place: Place): Mismatch | undefined {
    const bytes = Buffer.from(text, 'base64');
    const plain = decrypt(bytes);
    const tags = plain ? Buffer.from(String(plain['tags']), 'base64') : bytes.subarray(idBytes);
    const expected = tagsOf(turn, content, place, hidden);
    const wrong = expected.findIndex((tag, at) => !tag.equals(tags.subarray(at * tagBytes, (at + 1) * tagBytes)));
    return (['content', 'order', 'prefix'] as const)[wrong];
  }
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
