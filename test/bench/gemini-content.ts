import type { FunctionCall, GenerateContentResponse, Part, PartialArg } from '@google/genai';
import type { Content } from './content.ts';

/** What the messages of a Gemini stream hold. */
export interface GeminiContent extends Content {
  readonly chunks: readonly GenerateContentResponse[];
  readonly parts: readonly Part[];
  readonly calls: readonly FunctionCall[];
  readonly partialArgs: readonly PartialArg[];
}

/** Reads a Gemini stream. */
export function geminiContent(messages: readonly string[]): GeminiContent {
  const chunks = messages.map((message): GenerateContentResponse => JSON.parse(message.replace('data: ', '')));
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
  const partialArgs = calls.flatMap((call) => call.partialArgs ?? []);
  const whole = messages.flatMap((message) => /"args": (\{.*\}),"id"/.exec(message)?.[1] ?? []);
  const said = (isThought: boolean) =>
    parts.flatMap(({ text = '', thought = false }) => (thought === isThought ? text : [])).join('');
  return {
    chunks,
    parts,
    calls,
    partialArgs,
    text: said(false),
    reasoning: said(true),
    pieces: whole,
    inputs: partialArgs.length > 0 ? [JSON.stringify(joined(partialArgs))] : whole,
  };
}

/** Puts values together by their paths: from the inside out, each container made by its first key. */
function joined(pieces: readonly PartialArg[]): object {
  const root = {};
  for (const { jsonPath = '', stringValue, numberValue, boolValue, nullValue } of pieces) {
    const value = stringValue ?? numberValue ?? boolValue ?? (nullValue ? null : []);
    const keys = [...jsonPath.matchAll(/\.(\w+)|\[(\d+)\]/g)];
    keys.reduce((container: object, [, name, index], depth) => {
      const key = name ?? index ?? '';
      const isLast = depth === keys.length - 1;
      const before: unknown = Reflect.get(container, key);
      const next = isLast ? grown(before, value) : (before ?? (keys[depth + 1]?.[2] ? [] : {}));
      Reflect.set(container, key, next);
      return Object(next);
    }, root);
  }
  return root;
}

function grown(before: unknown, value: unknown): unknown {
  return typeof before === 'string' ? `${before}${value}` : value;
}
