import type OpenAI from 'openai';
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { describe, expectTypeOf, test } from 'vitest';
import {
  type ChatCompletionsEntry,
  type ChatCompletionsOptions,
  type ChatMessage,
  type ChatToolCall,
  type ChatToolMessage,
  chatCompletions,
  toolMessages,
} from '../../src/chat-completions.ts';
import {
  type AssembledTurn,
  assembleTurn,
  type Dialect,
  type JsonObject,
  stringifyRequest,
  type Turn,
  type TurnSource,
} from '../../src/index.ts';

declare const client: OpenAI;
declare const response: Response;
declare const assembled: AssembledTurn<ChatCompletionsEntry>;

describe('chatCompletions', () => {
  test('is a dialect, and a function that makes one of options', () => {
    expectTypeOf(chatCompletions).toExtend<Dialect<ChatCompletionsEntry>>();
    expectTypeOf(chatCompletions).toBeCallableWith({});
    expectTypeOf(chatCompletions).toBeCallableWith({ choice: 1, mergeChoices: true, cumulativeReasoning: true });
    expectTypeOf(chatCompletions({})).toEqualTypeOf<Dialect<ChatCompletionsEntry, ChatMessage>>();
    expectTypeOf<ChatCompletionsOptions['choice']>().toEqualTypeOf<number>();
    expectTypeOf<ChatCompletionsOptions['mergeChoices']>().toEqualTypeOf<boolean>();
    expectTypeOf<ChatCompletionsOptions['cumulativeReasoning']>().toEqualTypeOf<boolean>();
  });

  test('refuses options that it does not have', () => {
    // @ts-expect-error: the place of a choice is a number
    chatCompletions({ choice: 'first' });
    // @ts-expect-error: an option of another dialect
    chatCompletions({ unsignedThinking: 'keep' });
    // @ts-expect-error: options are an object
    chatCompletions(1);
  });
});

describe('ChatCompletionsEntry', () => {
  test('goes back through the messages parameter of the SDK', () => {
    expectTypeOf<ChatCompletionsEntry>().toExtend<ChatCompletionMessageParam>();
    expectTypeOf<ChatCompletionsEntry>().toExtend<OpenAI.ChatCompletionAssistantMessageParam>();
    expectTypeOf<ChatCompletionsEntry[]>().toExtend<ChatCompletionCreateParams['messages']>();
    const results = toolMessages(
      assembled.toolCalls,
      assembled.toolCalls.map(({ id }) => ({ id, content: 'fog' })),
    );
    const messages = [{ role: 'user' as const, content: 'Hello?' }, ...assembled.entries, ...results];
    expectTypeOf(messages).toExtend<ChatCompletionMessageParam[]>();
    expectTypeOf(client.chat.completions.create).toBeCallableWith({ model: 'any', messages, stream: true });
    expectTypeOf(client.chat.completions.stream).toBeCallableWith({ model: 'any', messages });
    expectTypeOf(stringifyRequest({ messages })).toEqualTypeOf<string>();
  });

  test('is an assistant message, with reasoning under each name that it comes in', () => {
    expectTypeOf<ChatCompletionsEntry['role']>().toEqualTypeOf<'assistant'>();
    expectTypeOf<ChatCompletionsEntry['tool_calls']>().toEqualTypeOf<ChatToolCall[] | undefined>();
    expectTypeOf<ChatCompletionsEntry['reasoning']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ChatCompletionsEntry['reasoning_content']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ChatCompletionsEntry['reasoning_text']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ChatCompletionsEntry['reasoning_opaque']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ChatCompletionsEntry['reasoning_details']>().toEqualTypeOf<JsonObject[] | undefined>();
  });

  test('has audio as its id only', () => {
    expectTypeOf<NonNullable<ChatCompletionsEntry['audio']>>().toEqualTypeOf<{ id: string }>();
  });
});

describe('ChatToolCall', () => {
  test('is told apart by its type, with arguments as text', () => {
    const read = (call: ChatToolCall): string => {
      switch (call.type) {
        case 'function':
          return call.function.arguments;
        case 'custom':
          return call.custom.input;
        default:
          expectTypeOf(call).toBeNever();
          return call;
      }
    };
    expectTypeOf(read).returns.toEqualTypeOf<string>();
    expectTypeOf<ChatToolCall>().toExtend<OpenAI.ChatCompletionMessageToolCall>();
  });
});

describe('ChatToolMessage', () => {
  test('goes back through the messages parameter of the SDK', () => {
    expectTypeOf(toolMessages).returns.toEqualTypeOf<ChatToolMessage[]>();
    expectTypeOf<ChatToolMessage>().toExtend<OpenAI.ChatCompletionToolMessageParam>();
  });
});

describe('assembleTurn', () => {
  test('takes what the SDK gives for stream: true', () => {
    const request = { model: 'any', messages: [], stream: true } as const;
    const stream = client.chat.completions.create({ ...request, messages: [] });
    expectTypeOf(stream).toExtend<TurnSource>();
    expectTypeOf<Awaited<typeof stream>>().toExtend<TurnSource>();
    expectTypeOf(stream.asResponse()).toExtend<TurnSource>();
    expectTypeOf(client.chat.completions.stream({ ...request, messages: [] })).toExtend<TurnSource>();
    expectTypeOf(assembleTurn(stream, chatCompletions)).toEqualTypeOf<Turn<ChatCompletionsEntry>>();
    expectTypeOf(assembleTurn(response, chatCompletions({}))).toEqualTypeOf<Turn<ChatCompletionsEntry>>();
  });

  test('refuses a whole completion, for stream: true was forgotten', () => {
    // @ts-expect-error: no stream
    assembleTurn(client.chat.completions.create({ model: 'any', messages: [] }), chatCompletions);
  });
});

describe('AssembledTurn', () => {
  test('has the other choices as turns of the same entries', () => {
    expectTypeOf(assembled.choices).toEqualTypeOf<readonly AssembledTurn<ChatCompletionsEntry>[] | undefined>();
  });
});
