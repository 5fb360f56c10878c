import Anthropic from '@anthropic-ai/sdk';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';

/** The two halves of the official SDK that assemble messages; `beta` knows more fields and blocks than `ga`. */
export type SdkApi = 'ga' | 'beta';

/**
 * The message that the official SDK's own stream helper makes of a recorded body, as plain JSON.
 *
 * @throws What `finalMessage()` rejects with.
 */
export async function officialMessage(api: SdkApi, body: Uint8Array | string): Promise<JsonObject> {
  const client = new Anthropic({
    apiKey: 'unused',
    maxRetries: 0,
    fetch: async () =>
      new Response(typeof body === 'string' ? body : new Uint8Array(body), {
        headers: { 'content-type': 'text/event-stream' },
      }),
  });
  const request = { model: 'any', max_tokens: 1, messages: [{ role: 'user' as const, content: 'any' }] };
  const stream = api === 'beta' ? client.beta.messages.stream(request) : client.messages.stream(request);
  const message: unknown = JSON.parse(JSON.stringify(await stream.finalMessage()));
  if (!isJsonObject(message)) throw new Error('The SDK gave no message');
  return message;
}
