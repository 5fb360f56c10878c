import OpenAI from 'openai';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';

/** What the official SDK's own stream helper makes of a body. */
export interface OfficialOutcome {
  /** What `finalChatCompletion()` gives, as plain JSON; undefined if it rejects. */
  readonly completion: JsonObject | undefined;
  /** What `finalChatCompletion()` rejects with. */
  readonly error: unknown;
  /** What `tool_calls.function.arguments.done` says, in order. */
  readonly argumentsDone: readonly string[];
}

/** An official client to which every request is answered with this body, as an event stream. */
export function clientFor(...bodies: readonly (Uint8Array | string)[]): {
  readonly client: OpenAI;
  /** The bodies of the requests so far. */
  readonly requests: readonly string[];
} {
  const requests: string[] = [];
  const client = new OpenAI({
    apiKey: 'unused',
    maxRetries: 0,
    logLevel: 'off',
    fetch: async (_url, init) => {
      const body = bodies[requests.length] ?? bodies.at(-1) ?? '';
      requests.push(String(init?.body));
      return new Response(typeof body === 'string' ? body : new Uint8Array(body), {
        headers: { 'content-type': 'text/event-stream' },
      });
    },
  });
  return { client, requests };
}

/** Hands a whole body to `client.chat.completions.stream()`. */
export async function officialOutcome(body: Uint8Array | string): Promise<OfficialOutcome> {
  const { client } = clientFor(body);
  const stream = client.chat.completions.stream({ model: 'any', messages: [{ role: 'user', content: 'any' }] });
  const argumentsDone: string[] = [];
  stream.on('tool_calls.function.arguments.done', ({ arguments: text }) => argumentsDone.push(text));
  try {
    const completion: unknown = JSON.parse(JSON.stringify(await stream.finalChatCompletion()));
    return { completion: isJsonObject(completion) ? completion : undefined, error: undefined, argumentsDone };
  } catch (error) {
    return { completion: undefined, error, argumentsDone };
  }
}
