import { type Content, type GenerateContentConfig, GoogleGenAI } from '@google/genai';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import { gemini, type ToolResult } from '../../src/gemini.ts';
import { assembleTurn, createTranscript, stringifyRequest, type ToolCall } from '../../src/index.ts';
import { overhear } from '../overhear.ts';
import { parseJson } from '../raw-json.ts';
import { runTool, tools } from '../tools.ts';
import type { Access, Client } from '../wire.ts';

/** Makes the official SDK's client, with its answers taken as they come, and tool input kept verbatim. */
export function createGeminiClient({ model, baseURL, apiKey }: Access): Client<Content> {
  const client = new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl: baseURL } });
  /** For the mistake: of each answer, the contents that one has who keeps that of every chunk. */
  const chunkContents: Content[][] = [];

  return {
    send(history, signal) {
      const collected: Content[] = [];
      chunkContents.push(collected);
      const answer = request(client, { model, history, signal });
      const chunks = overhear(answer, (chunk) => collected.push(...contentsIn(chunk)));
      return assembleTurn(chunks, gemini, { signal });
    },
    begin: () => createTranscript(gemini),
    run: resultWithMembers,
    mistakes: [
      { title: 'the signature of the first call is left out', make: withoutSignatures },
      {
        title: 'each chunk is kept as a content of its own',
        make: (history) => editAnswers(history, (_answer, count) => chunkContents[count] ?? []),
      },
      { title: 'each result goes back in a content of its own', make: oneResultEach },
    ],
  };
}

/** What one request needs. */
interface Request {
  readonly model: string;
  readonly history: readonly Content[];
  readonly signal: AbortSignal;
}

/**
 * Sends a history through the SDK, and takes the answer before the SDK parses it.
 *
 * The SDK hands out parsed chunks alone, for which `1.0` is `1` and a 20-digit id is another number, and it writes its
 * bodies with `JSON.stringify`. Its own place to change both is `httpOptions.fetch`. It reads an answer only when its
 * generator is asked for a chunk, which nobody does here.
 */
function request(client: GoogleGenAI, { model, history, signal }: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sendVerbatim: typeof fetch = async (address, init) => {
      const written = parseJson(String(init?.body));
      const body = stringifyRequest({ ...(isJsonObject(written) && written), contents: history });
      const answer = fetch(address, { ...init, body });
      resolve(answer);
      // A refusal too is the turn's to read, so the SDK is given an answer without a body in its place.
      await answer;
      return new Response();
    };
    const config = { ...settings, abortSignal: signal, httpOptions: { fetch: sendVerbatim } };
    client.models.generateContentStream({ model, contents: [...history], config }).catch(reject);
  });
}

const settings: GenerateContentConfig = {
  maxOutputTokens: 4096,
  thinkingConfig: { includeThoughts: true },
  tools: [
    {
      functionDeclarations: tools.map(({ name, description, schema }) => ({
        name,
        description,
        parametersJsonSchema: schema,
      })),
    },
  ],
};

function resultWithMembers(call: ToolCall): ToolResult {
  const { text, isError } = runTool(call);
  return { id: call.id, content: isError ? text : JSON.parse(text), isError };
}

function contentsIn({ candidates }: JsonObject): readonly Content[] {
  const list: unknown[] = Array.isArray(candidates) ? candidates : [];
  return list.filter(isJsonObject).flatMap(({ content }) => (isJsonObject(content) ? [content] : []));
}

/** Leaves out of each call what is no part of a function call as one thinks of it. */
export function withoutSignatures(history: readonly Content[]): Content[] {
  return history.map(({ parts = [], ...content }) => ({
    ...content,
    parts: parts.map(({ thoughtSignature, ...part }) =>
      part.functionCall || thoughtSignature === undefined ? part : { ...part, thoughtSignature },
    ),
  }));
}

/** Sends each result by itself, as one does who answers calls one at a time. */
export function oneResultEach(history: readonly Content[]): Content[] {
  return history.flatMap((content) => {
    const { parts = [] } = content;
    return parts.some(({ functionResponse }) => functionResponse)
      ? parts.map((part) => ({ ...content, parts: [part] }))
      : [content];
  });
}

/** Puts other contents in the place of the answers in a history; `count` numbers them. */
function editAnswers(
  history: readonly Content[],
  edit: (answer: Content, count: number) => readonly Content[],
): Content[] {
  let count = 0;
  return history.flatMap((content) => (content.role === 'model' ? edit(content, count++) : [content]));
}
