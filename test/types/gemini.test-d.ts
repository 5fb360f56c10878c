import type { Content, FunctionCall, GenerateContentParameters, GoogleGenAI, Part } from '@google/genai';
import { describe, expectTypeOf, test } from 'vitest';
import {
  functionResponses,
  type GeminiContent,
  type GeminiEntry,
  type GeminiFunctionResponses,
  type GeminiOptions,
  type GeminiPart,
  gemini,
  type ToolResult,
} from '../../src/gemini.ts';
import {
  type AssembledTurn,
  assembleTurn,
  type Dialect,
  type JsonObject,
  stringifyRequest,
  type Turn,
  type TurnSource,
} from '../../src/index.ts';

declare const client: GoogleGenAI;
declare const response: Response;
declare const assembled: AssembledTurn<GeminiEntry>;

describe('gemini', () => {
  test('is a dialect, and a function that makes one of options', () => {
    expectTypeOf(gemini).toExtend<Dialect<GeminiEntry>>();
    expectTypeOf(gemini).toBeCallableWith({});
    expectTypeOf(gemini).toBeCallableWith({ candidate: 1 });
    expectTypeOf(gemini({})).toEqualTypeOf<Dialect<GeminiEntry, GeminiContent>>();
    expectTypeOf<GeminiOptions['candidate']>().toEqualTypeOf<number>();
  });

  test('refuses options that it does not have', () => {
    // @ts-expect-error: the place of a candidate is a number
    gemini({ candidate: 'first' });
    // @ts-expect-error: an option of another dialect
    gemini({ choice: 1 });
    // @ts-expect-error: options are an object
    gemini(1);
  });
});

describe('GeminiEntry', () => {
  test('goes back through the contents parameter of the SDK', () => {
    expectTypeOf<GeminiEntry>().toExtend<Content>();
    expectTypeOf<GeminiEntry[]>().toExtend<GenerateContentParameters['contents']>();
    const results = functionResponses(
      assembled,
      assembled.toolCalls.map(({ id }) => ({ id, content: 'fog' })),
    );
    const contents = [{ role: 'user', parts: [{ text: 'Hello?' }] }, ...assembled.entries, results];
    expectTypeOf(contents).toExtend<Content[]>();
    expectTypeOf(client.models.generateContentStream).toBeCallableWith({ model: 'any', contents });
    expectTypeOf(client.chats.create).toBeCallableWith({ model: 'any', history: contents });
    expectTypeOf(stringifyRequest({ contents })).toEqualTypeOf<string>();
  });

  test('has a role and parts', () => {
    expectTypeOf<GeminiEntry['role']>().toEqualTypeOf<string>();
    expectTypeOf<GeminiEntry['parts']>().toEqualTypeOf<GeminiPart[]>();
  });
});

describe('GeminiPart', () => {
  test('is a part of the SDK', () => {
    expectTypeOf<GeminiPart>().toExtend<Part>();
    expectTypeOf<NonNullable<GeminiPart['functionCall']>>().toExtend<FunctionCall>();
    expectTypeOf<GeminiPart['text']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<GeminiPart['thought']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<GeminiPart['thoughtSignature']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<NonNullable<GeminiPart['functionCall']>['args']>().toEqualTypeOf<JsonObject | undefined>();
  });

  test('has no members by which a stream tells a call in pieces', () => {
    expectTypeOf<NonNullable<GeminiPart['functionCall']>>().not.toHaveProperty('partialArgs');
    expectTypeOf<NonNullable<GeminiPart['functionCall']>>().not.toHaveProperty('willContinue');
  });
});

describe('functionResponses', () => {
  test('gives a content of the SDK', () => {
    expectTypeOf(functionResponses).returns.toEqualTypeOf<GeminiFunctionResponses>();
    expectTypeOf<GeminiFunctionResponses>().toExtend<Content>();
    expectTypeOf(functionResponses).toBeCallableWith(assembled, [] as readonly ToolResult[]);
    // @ts-expect-error: the turn, not its calls, for ids that are our own stay out of what goes back
    functionResponses(assembled.toolCalls, []);
  });
});

describe('assembleTurn', () => {
  test('takes what the SDK gives for a stream', () => {
    const stream = client.models.generateContentStream({ model: 'any', contents: 'Hello?' });
    expectTypeOf(stream).toExtend<TurnSource>();
    expectTypeOf<Awaited<typeof stream>>().toExtend<TurnSource>();
    expectTypeOf(assembleTurn(response, gemini)).toEqualTypeOf<Turn<GeminiEntry>>();
    expectTypeOf(assembleTurn(response, gemini({ candidate: 1 }))).toEqualTypeOf<Turn<GeminiEntry>>();
  });
});

describe('AssembledTurn', () => {
  test('has the other candidates as turns of the same entries', () => {
    expectTypeOf(assembled.choices).toEqualTypeOf<readonly AssembledTurn<GeminiEntry>[] | undefined>();
  });
});
