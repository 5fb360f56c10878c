/** The part of `Headers` that is read. */
export interface ReadableHeaders {
  forEach(visit: (value: string, name: string) => void): void;
}

/** Headers as a plain object, names in lower case, without cookies, which are nobody's business. */
export function plainHeaders(headers: ReadableHeaders): Record<string, string> {
  const result: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (name.toLowerCase() !== 'set-cookie') result[name.toLowerCase()] = value;
  });
  return result;
}
