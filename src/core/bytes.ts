/** Bytes in any of the forms in which a body may hand them out. */
export type BytesLike = ArrayBufferView | ArrayBuffer;

/** Tells whether something is bytes. */
export function isBytesLike(value: unknown): value is BytesLike {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/**
 * Bytes as a `Uint8Array`, without copying them.
 *
 * @throws TypeError for what is no bytes.
 */
export function toBytes(value: BytesLike): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  const misuse = new TypeError(`Expected bytes or text as chunks of an event stream, got ${typeof value}`);
  throw Object.assign(misuse, { code: 'ERR_INVALID_ARG_TYPE' });
}
