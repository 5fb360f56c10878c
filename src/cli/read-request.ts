import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { CliError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import { openInput } from './open-input.ts';

/**
 * Reads the body of a request.
 *
 * @param path A file's path, or `-` for what comes in on stdin.
 * @throws CliError with exit code 3 if it cannot be opened or read, or is no JSON object.
 */
export async function readRequest(path: string, io: Pick<CliIo, 'stdin' | 'signal'>): Promise<JsonObject> {
  try {
    const parts: Uint8Array[] = [];
    for await (const part of await openInput(path, io)) parts.push(part);
    const text = Buffer.concat(parts)
      .toString()
      .replace(/^\ufeff/, '');
    if (text.trim() === '') throw new Error('it is empty');
    const body: unknown = JSON.parse(text);
    if (!isJsonObject(body)) throw new Error('it is no JSON object, as the body of a request is');
    return body;
  } catch (cause) {
    const name = path === '-' ? 'stdin' : JSON.stringify(path);
    throw CliError.io(`Cannot read ${name}: ${describe(cause)}`, { cause });
  }
}

function describe(cause: unknown): string {
  if (cause instanceof SyntaxError) return `it is no JSON: ${cause.message}`;
  return cause instanceof Error ? cause.message : String(cause);
}
