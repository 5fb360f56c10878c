import type { Readable } from 'node:stream';
import type Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import { type Observable, of } from 'rxjs';
import { describe, expectTypeOf, test } from 'vitest';
import { type AnthropicEntry, type AnthropicMessage, type AnthropicOptions, anthropic } from '../../src/anthropic.ts';
import {
  type AssembledTurn,
  type AssembleTurnOptions,
  assembleTurn,
  type BlockKind,
  type BlockState,
  type Dialect,
  type ErrorCode,
  type FinishedBlock,
  finishedBlocks,
  fromResponse,
  type HttpStatusError,
  type SseMessage,
  sseMessages,
  stringifyRequest,
  type ToolCall,
  type Turn,
  type TurnError,
  type TurnEvent,
  TurnInterruptedError,
  type TurnSource,
  type TurnStatus,
  type TurnView,
  turnEvents,
  turnView,
  type UiEvent,
  type Usage,
  uiEvents,
  type WholeturnError,
} from '../../src/index.ts';

declare const turn: Turn<AnthropicEntry>;
declare const assembled: AssembledTurn<AnthropicEntry>;
declare const response: Response;
declare const client: Anthropic;

describe('anthropic', () => {
  test('is a dialect, and a function that makes one of options', () => {
    expectTypeOf(anthropic).toExtend<Dialect<AnthropicEntry>>();
    expectTypeOf(anthropic).toBeCallableWith({});
    expectTypeOf(anthropic).toBeCallableWith({ unsignedThinking: 'keep' });
    expectTypeOf(anthropic({})).toEqualTypeOf<Dialect<AnthropicEntry, AnthropicMessage>>();
    expectTypeOf<AnthropicOptions['unsignedThinking']>().toEqualTypeOf<'drop' | 'keep'>();
  });

  test('refuses options that it does not have', () => {
    // @ts-expect-error: neither 'drop' nor 'keep'
    anthropic({ unsignedThinking: 'ignore' });
    // @ts-expect-error: an option of another dialect
    anthropic({ store: false });
    // @ts-expect-error: options are an object
    anthropic('keep');
  });
});

describe('AnthropicEntry', () => {
  test('goes back through the messages parameter of the SDK', () => {
    expectTypeOf<AnthropicEntry[]>().toExtend<MessageCreateParams['messages']>();
    expectTypeOf<AnthropicEntry>().toExtend<Anthropic.MessageParam>();
    const results = assembled.toolCalls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id }));
    const messages = [
      { role: 'user' as const, content: 'Hello?' },
      ...assembled.entries,
      { role: 'user' as const, content: results },
    ];
    expectTypeOf(messages).toExtend<MessageCreateParams['messages']>();
    expectTypeOf(client.messages.create).toBeCallableWith({ model: 'any', max_tokens: 1, messages, stream: true });
    expectTypeOf(client.beta.messages.create).toBeCallableWith({ model: 'any', max_tokens: 1, messages });
  });

  test('is an assistant message', () => {
    expectTypeOf<AnthropicEntry['role']>().toEqualTypeOf<'assistant'>();
    expectTypeOf<AnthropicEntry['content']>().toEqualTypeOf<Anthropic.ContentBlockParam[]>();
  });
});

describe('assembleTurn', () => {
  test('takes all that a stream can be read from', () => {
    expectTypeOf(assembleTurn(response, anthropic)).toEqualTypeOf<Turn<AnthropicEntry>>();
    expectTypeOf<Response>().toExtend<TurnSource>();
    expectTypeOf<Promise<Response>>().toExtend<TurnSource>();
    expectTypeOf<ReadableStream<Uint8Array>>().toExtend<TurnSource>();
    expectTypeOf<NonNullable<Response['body']>>().toExtend<TurnSource>();
    expectTypeOf<AsyncIterable<Uint8Array>>().toExtend<TurnSource>();
    expectTypeOf<AsyncIterable<string>>().toExtend<TurnSource>();
    expectTypeOf<AsyncGenerator<Uint8Array>>().toExtend<TurnSource>();
    expectTypeOf<Readable>().toExtend<TurnSource>();
    expectTypeOf<Observable<Uint8Array>>().toExtend<TurnSource>();
    expectTypeOf<Observable<string>>().toExtend<TurnSource>();
  });

  test('takes what the SDK gives for stream: true', () => {
    const request = { model: 'any', max_tokens: 1, messages: [], stream: true } as const;
    const stream = client.messages.create({ ...request, messages: [] });
    expectTypeOf(stream).toExtend<TurnSource>();
    expectTypeOf<Awaited<typeof stream>>().toExtend<TurnSource>();
    expectTypeOf(stream.asResponse()).toExtend<TurnSource>();
    expectTypeOf(client.beta.messages.create({ ...request, messages: [] })).toExtend<TurnSource>();
    expectTypeOf(client.messages.stream({ ...request, messages: [] })).toExtend<TurnSource>();
  });

  test('refuses what is no stream', () => {
    // @ts-expect-error: the text of a stream is no source; one chunk of it would be `of(text)`
    assembleTurn('event: message_start', anthropic);
    // @ts-expect-error: a whole message, for `stream: true` was forgotten
    assembleTurn(client.messages.create({ model: 'any', max_tokens: 1, messages: [] }), anthropic);
    // @ts-expect-error: nothing
    assembleTurn(null, anthropic);
    // @ts-expect-error: a body may be missing, and that must be looked at
    assembleTurn(response.body, anthropic);
    // @ts-expect-error: a number is no chunk
    assembleTurn(of(1), anthropic);
  });

  test('refuses a dialect or options that do not exist', () => {
    // @ts-expect-error: the dialect is a value, not its name
    assembleTurn(response, 'anthropic');
    // @ts-expect-error: there is no such option
    assembleTurn(response, anthropic, { timeout: 1 });
    // @ts-expect-error: there is no such limit
    assembleTurn(response, anthropic, { limits: { turnBytes: 1 } });
    // @ts-expect-error: the clock gives milliseconds
    assembleTurn(response, anthropic, { clock: () => new Date() });
    expectTypeOf<AssembleTurnOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>();
    expectTypeOf<AssembleTurnOptions['idleTimeout']>().toEqualTypeOf<number | undefined>();
  });
});

describe('Turn', () => {
  test('has the streams and the promises of the design', () => {
    expectTypeOf(turn.events).toEqualTypeOf<Observable<TurnEvent<AnthropicEntry>>>();
    expectTypeOf(turn.ui).toEqualTypeOf<Observable<UiEvent>>();
    expectTypeOf(turn.blocks).toEqualTypeOf<Observable<FinishedBlock>>();
    expectTypeOf(turn.view).toEqualTypeOf<Observable<TurnView>>();
    expectTypeOf(turn.settled).toEqualTypeOf<() => Promise<AssembledTurn<AnthropicEntry>>>();
    expectTypeOf(turn.finalTurn).toEqualTypeOf<() => Promise<AssembledTurn<AnthropicEntry>>>();
    expectTypeOf(turn.abort).toEqualTypeOf<(reason?: unknown) => void>();
    expectTypeOf(turn).toExtend<AsyncIterable<UiEvent>>();
  });

  test('is a turn of unknown entries, too', () => {
    expectTypeOf(turn).toExtend<Turn>();
    expectTypeOf(assembled).toExtend<AssembledTurn>();
  });
});

describe('AssembledTurn', () => {
  test('has what may be executed and what goes back', () => {
    expectTypeOf(assembled.status).toEqualTypeOf<TurnStatus>();
    expectTypeOf(assembled.stopReason).toEqualTypeOf<string | null>();
    expectTypeOf(assembled.entries).toEqualTypeOf<readonly AnthropicEntry[]>();
    expectTypeOf(assembled.toolCalls).toEqualTypeOf<readonly ToolCall[]>();
    expectTypeOf(assembled.usage).toEqualTypeOf<Usage>();
    expectTypeOf(assembled.error).toEqualTypeOf<TurnError | undefined>();
    if (assembled.error?.code === 'http_status') expectTypeOf(assembled.error.status).toEqualTypeOf<number>();
    expectTypeOf(assembled.carry).toEqualTypeOf<Readonly<Record<string, unknown>>>();
  });

  test('cannot be changed', () => {
    // @ts-expect-error: read-only
    assembled.status = 'complete';
    // @ts-expect-error: read-only
    assembled.entries.push({ role: 'assistant', content: [] });
    // @ts-expect-error: read-only
    assembled.toolCalls[0] = { id: '', name: '', input: {}, inputText: '' };
  });
});

describe('ToolCall', () => {
  test('has a parsed input of which nothing is known, and its text', () => {
    expectTypeOf<ToolCall>().toEqualTypeOf<{
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly inputText: string;
    }>();
  });
});

describe('UiEvent', () => {
  test('is told apart by its type, in a switch that knows them all', () => {
    const read = (event: UiEvent): string | undefined => {
      switch (event.type) {
        case 'turn_start':
          return event.turnId ?? event.model ?? undefined;
        case 'block_start':
          expectTypeOf(event.kind).toEqualTypeOf<BlockKind>();
          return event.name ?? event.id;
        case 'text_delta':
        case 'reasoning_delta':
          return event.text;
        case 'tool_input_delta':
          return event.json;
        case 'citation':
          expectTypeOf(event.citation).toBeUnknown();
          return undefined;
        case 'block_content':
          expectTypeOf(event.content).toBeUnknown();
          return undefined;
        case 'block_stop':
          expectTypeOf(event.state).toEqualTypeOf<BlockState>();
          expectTypeOf(event.toolCall).toEqualTypeOf<ToolCall | undefined>();
          return event.toolCall?.name;
        case 'usage':
          expectTypeOf(event.usage).toEqualTypeOf<Usage>();
          return undefined;
        case 'warning':
          return event.message;
        case 'turn_stop':
          expectTypeOf(event.status).toEqualTypeOf<TurnStatus>();
          return event.error?.message;
        default:
          expectTypeOf(event).toBeNever();
          return event;
      }
    };
    expectTypeOf(read).returns.toEqualTypeOf<string | undefined>();
  });

  test('has nothing that goes back', () => {
    expectTypeOf<Extract<UiEvent, { type: 'block' | 'turn' }>>().toBeNever();
    expectTypeOf<Exclude<TurnEvent<AnthropicEntry>, UiEvent>>().toEqualTypeOf<
      | { readonly type: 'block'; readonly block: FinishedBlock }
      | { readonly type: 'turn'; readonly turn: AssembledTurn<AnthropicEntry> }
    >();
  });
});

describe('the operators', () => {
  test('compose in a pipe', () => {
    const messages = fromResponse(response).pipe(sseMessages());
    expectTypeOf(messages).toEqualTypeOf<Observable<SseMessage>>();
    const events = messages.pipe(turnEvents(anthropic));
    expectTypeOf(events).toEqualTypeOf<Observable<TurnEvent<AnthropicEntry>>>();
    expectTypeOf(events.pipe(uiEvents())).toEqualTypeOf<Observable<UiEvent>>();
    expectTypeOf(events.pipe(uiEvents({ reasoning: 'status' }))).toEqualTypeOf<Observable<UiEvent>>();
    expectTypeOf(events.pipe(finishedBlocks())).toEqualTypeOf<Observable<FinishedBlock>>();
    expectTypeOf(events.pipe(turnView())).toEqualTypeOf<Observable<TurnView>>();
    expectTypeOf(events.pipe(uiEvents(), turnView({ interval: 0 }))).toEqualTypeOf<Observable<TurnView>>();
    expectTypeOf(of('data: {}\n\n').pipe(sseMessages(), turnEvents(anthropic), uiEvents(), turnView())).toEqualTypeOf<
      Observable<TurnView>
    >();
  });

  test('refuse each other in the wrong order', () => {
    // @ts-expect-error: there are no turn events yet
    fromResponse(response).pipe(sseMessages(), uiEvents());
    // @ts-expect-error: the finished blocks are gone already
    turn.ui.pipe(turnEvents(anthropic));
    // @ts-expect-error: show it, or show its status
    uiEvents({ reasoning: 'hide' });
  });
});

describe('the errors', () => {
  test('are told apart by their code', () => {
    expectTypeOf<WholeturnError['code']>().toEqualTypeOf<ErrorCode>();
    expectTypeOf<HttpStatusError['code']>().toEqualTypeOf<'http_status'>();
    expectTypeOf<HttpStatusError['headers']>().toEqualTypeOf<Readonly<Record<string, string>>>();
    expectTypeOf(new TurnInterruptedError(assembled)).toExtend<WholeturnError>();
    expectTypeOf<TurnInterruptedError['turn']>().toEqualTypeOf<AssembledTurn>();
  });
});

describe('stringifyRequest', () => {
  test('takes a request with entries in it, and gives text', () => {
    expectTypeOf(stringifyRequest({ messages: [...assembled.entries] })).toEqualTypeOf<string>();
  });
});
