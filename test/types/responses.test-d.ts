import type OpenAI from 'openai';
import type { ResponseInput, ResponseInputItem } from 'openai/resources/responses/responses';
import type { ResponseInputItem as NextInputItem } from 'openai-7/resources/responses/responses';
import { describe, expectTypeOf, test } from 'vitest';
import { type AssembledTurn, assembleTurn, type Dialect, type Turn, type TurnSource } from '../../src/index.ts';
import {
  type ContinuationById,
  type ContinuationByItems,
  type ContinueOptions,
  continueResponse,
  type ResponsesCustomToolCall,
  type ResponsesEntry,
  type ResponsesFunctionCall,
  type ResponsesItem,
  type ResponsesMessage,
  type ResponsesMessagePart,
  type ResponsesOptions,
  type ResponsesReasoning,
  type ResponsesToolOutput,
  responses,
  type ShellOutput,
  toolOutputs,
} from '../../src/responses.ts';

declare const client: OpenAI;
declare const response: Response;
declare const assembled: AssembledTurn<ResponsesEntry>;
declare const history: ResponseInputItem[];

describe('responses', () => {
  test('is a dialect, and a function that makes one of options', () => {
    expectTypeOf(responses).toExtend<Dialect<ResponsesEntry>>();
    expectTypeOf(responses).toBeCallableWith({ store: false });
    expectTypeOf(responses({})).toEqualTypeOf<Dialect<ResponsesEntry, ResponsesItem>>();
    expectTypeOf<ResponsesOptions['store']>().toEqualTypeOf<boolean>();
  });

  test('refuses options that it does not have', () => {
    // @ts-expect-error: an option of another dialect
    responses({ choice: 0 });
    // @ts-expect-error: a service keeps its answers, or not
    responses({ store: 'no' });
  });

  test('makes turns of its entries', () => {
    expectTypeOf(assembleTurn(response, responses)).toEqualTypeOf<Turn<ResponsesEntry>>();
    expectTypeOf<ReturnType<OpenAI['responses']['create']>>().not.toBeAny();
    expectTypeOf<AsyncIterable<OpenAI.Responses.ResponseStreamEvent>>().toExtend<TurnSource>();
  });
});

describe('ResponsesEntry', () => {
  test('goes back through the input parameter of the SDK, of its next major version too', () => {
    expectTypeOf<ResponsesEntry>().toExtend<ResponseInputItem>();
    expectTypeOf<ResponsesEntry>().toExtend<NextInputItem>();
    expectTypeOf<ResponsesEntry[]>().toExtend<ResponseInput>();
  });

  test('is told apart by its type', () => {
    type Of<Type extends ResponsesEntry['type']> = Extract<ResponsesEntry, { type: Type }>;
    expectTypeOf<Of<'message'>>().toEqualTypeOf<ResponsesMessage>();
    expectTypeOf<Of<'message'>['content']>().toEqualTypeOf<ResponsesMessagePart[]>();
    expectTypeOf<Of<'reasoning'>>().toEqualTypeOf<ResponsesReasoning>();
    expectTypeOf<Of<'function_call'>>().toEqualTypeOf<ResponsesFunctionCall>();
    expectTypeOf<Of<'custom_tool_call'>>().toEqualTypeOf<ResponsesCustomToolCall>();
  });
});

describe('toolOutputs', () => {
  test('makes items of the SDK', () => {
    expectTypeOf(toolOutputs).returns.toEqualTypeOf<ResponsesToolOutput[]>();
    expectTypeOf<ResponsesToolOutput>().toExtend<ResponseInputItem>();
    expectTypeOf<ResponsesToolOutput>().toExtend<NextInputItem>();
    expectTypeOf<Extract<ResponsesToolOutput, { type: 'shell_call_output' }>['output']>().toEqualTypeOf<
      ShellOutput[]
    >();
  });
});

describe('continueResponse', () => {
  test('is spread into a request', () => {
    const outputs = toolOutputs(assembled, []);
    expectTypeOf<ContinueOptions<string>['history']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf(continueResponse(assembled, outputs)).toEqualTypeOf<ContinuationById<ResponsesToolOutput>>();
    expectTypeOf(continueResponse(assembled, outputs, { history })).toEqualTypeOf<
      ContinuationByItems<ResponsesEntry | ResponsesToolOutput | ResponseInputItem>
    >();
    const byId = { model: 'any', stream: true as const, ...continueResponse(assembled, outputs) };
    expectTypeOf(client.responses.create).toBeCallableWith(byId);
    const withAll = { model: 'any', stream: true as const, ...continueResponse(assembled, outputs, { history }) };
    expectTypeOf(client.responses.create).toBeCallableWith(withAll);
  });
});
