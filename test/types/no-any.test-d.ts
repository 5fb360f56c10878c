import type { Observable } from 'rxjs';
import { describe, expectTypeOf, test } from 'vitest';
import type * as anthropicEntry from '../../src/anthropic.ts';
import type * as chatCompletionsEntry from '../../src/chat-completions.ts';
import type * as geminiEntry from '../../src/gemini.ts';
import type * as mainEntry from '../../src/index.ts';
import type { Dialect, Turn, TurnSource } from '../../src/index.ts';
import type * as responsesEntry from '../../src/responses.ts';

/** What others declare, and is full of `any`. */
type Foreign = AbortSignal | ReadableStream | ArrayBufferView | ArrayBuffer;

type IsAny<Value> = 0 extends 1 & Value ? true : false;

/** How deep it is looked: as many levels as the longest path through the public types. */
type Levels = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** Whether `any` stands anywhere in a type: in its members, elements, arguments and results. */
type HasAny<Value, Left extends readonly unknown[] = Levels> =
  IsAny<Value> extends true
    ? true
    : Left extends readonly [unknown, ...infer Rest]
      ? Value extends string | number | boolean | bigint | symbol | null | undefined | Foreign
        ? false
        : Value extends Observable<infer Element> | PromiseLike<infer Element> | readonly (infer Element)[]
          ? HasAny<Element, Rest>
          : Value extends abstract new (
                ...args: infer Arguments
              ) => infer Instance
            ? HasAny<[...Arguments][number] | Instance, Rest>
            : HasAnyInside<Value, Rest>
      : false;

type HasAnyInside<Value, Left extends readonly unknown[]> =
  | (Value extends (...args: infer Arguments) => infer Result
      ? HasAny<Arguments[number], Left> | HasAny<Result, Left>
      : false)
  | (Value extends AsyncIterable<infer Element> ? HasAny<Element, Left> : false)
  | (Value extends object
      ? { [Key in keyof Value & string]-?: HasAny<Value[Key], Left> }[keyof Value & string]
      : false);

/** The names of the members that have `any` in them. */
type Leaks<Members> = { [Name in keyof Members]: true extends HasAny<Members[Name]> ? Name : never }[keyof Members];

type AnyValue = ReturnType<typeof JSON.parse>;

/** As `HasAny`, which gives `boolean` for a type with both. */
type Finds<Value> = true extends HasAny<Value> ? true : false;

describe('HasAny', () => {
  test('finds any wherever it stands', () => {
    expectTypeOf<Finds<AnyValue>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<{ a: { b?: readonly AnyValue[] } }>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<{ a: string } | { b: AnyValue }>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<(a: string, b: AnyValue) => void>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<(a: { b: (c: AnyValue) => void }) => void>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<() => Promise<{ a: AnyValue }>>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<Observable<AnyValue>>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<AsyncIterable<AnyValue>>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<new (a: AnyValue) => object>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<abstract new () => { a: AnyValue }>>().toEqualTypeOf<true>();
  });

  test('finds none where there is none', () => {
    expectTypeOf<Finds<{ a: unknown; b: (c: object) => never; d: readonly string[] }>>().toEqualTypeOf<false>();
  });
});

describe('the public types', () => {
  test('have no any, neither in arguments nor in results', () => {
    expectTypeOf<Leaks<typeof mainEntry>>().toBeNever();
    expectTypeOf<Leaks<typeof anthropicEntry>>().toBeNever();
    expectTypeOf<Leaks<typeof chatCompletionsEntry>>().toBeNever();
    expectTypeOf<Leaks<typeof responsesEntry>>().toBeNever();
    expectTypeOf<Leaks<typeof geminiEntry>>().toBeNever();
  });

  test('are reached by what they are looked for with', () => {
    expectTypeOf<Finds<Dialect<{ content: AnyValue[] }>>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<() => Turn<{ content: { input: AnyValue }[] }>>>().toEqualTypeOf<true>();
    expectTypeOf<Finds<(source: TurnSource | Observable<AnyValue>) => void>>().toEqualTypeOf<true>();
    expectTypeOf<keyof typeof mainEntry>().extract<'assembleTurn' | 'turnView' | 'uiEvents'>().not.toBeNever();
    expectTypeOf<keyof typeof anthropicEntry>().toEqualTypeOf<'anthropic'>();
    expectTypeOf<keyof typeof chatCompletionsEntry>().extract<'chatCompletions'>().not.toBeNever();
    expectTypeOf<keyof typeof responsesEntry>().toEqualTypeOf<'responses' | 'toolOutputs' | 'continueResponse'>();
    expectTypeOf<keyof typeof geminiEntry>().toEqualTypeOf<'gemini' | 'functionResponses'>();
  });
});
