import { isJsonObject, type JsonObject } from '../core/json-object.ts';

/** The object that a JSON text holds; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
