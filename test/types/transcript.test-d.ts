import type Anthropic from '@anthropic-ai/sdk';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import type { Content, GoogleGenAI } from '@google/genai';
import type OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ResponseInput } from 'openai/resources/responses/responses';
import { describe, expectTypeOf, test } from 'vitest';
import { type AnthropicEntry, type AnthropicMessage, anthropic } from '../../src/anthropic.ts';
import { type ChatCompletionsEntry, type ChatMessage, chatCompletions } from '../../src/chat-completions.ts';
import { type GeminiContent, type GeminiEntry, gemini } from '../../src/gemini.ts';
import {
  type AssembledTurn,
  type CarryCost,
  type CommitReport,
  carryCost,
  createTranscript,
  parseTranscript,
  type SealedTurn,
  type SealPolicy,
  seal,
  stringifyRequest,
  type ToolCall,
  type Transcript,
} from '../../src/index.ts';
import { type ResponsesEntry, type ResponsesItem, responses } from '../../src/responses.ts';

declare const anthropicClient: Anthropic;
declare const openai: OpenAI;
declare const google: GoogleGenAI;
declare const turn: AssembledTurn<AnthropicEntry>;

describe('createTranscript', () => {
  test('takes its types from the dialect', () => {
    expectTypeOf(createTranscript(anthropic)).toEqualTypeOf<Transcript<AnthropicEntry, AnthropicMessage>>();
    expectTypeOf(createTranscript(chatCompletions({}))).toEqualTypeOf<Transcript<ChatCompletionsEntry, ChatMessage>>();
    expectTypeOf(createTranscript(responses)).toEqualTypeOf<Transcript<ResponsesEntry, ResponsesItem>>();
    expectTypeOf(parseTranscript(gemini, '')).toEqualTypeOf<Transcript<GeminiEntry, GeminiContent>>();
  });

  test('begins with a history as the SDKs type it', () => {
    expectTypeOf(createTranscript<AnthropicEntry, AnthropicMessage>).toBeCallableWith(anthropic, {
      entries: [] as MessageParam[],
    });
    createTranscript(chatCompletions, { entries: [] as ChatCompletionMessageParam[] });
    createTranscript(responses, { entries: [] as ResponseInput });
    createTranscript(gemini, { entries: [] as readonly Content[] });
    // @ts-expect-error: what a user says is said by user()
    createTranscript(anthropic, { entries: ['When?'] });
  });

  test('refuses a turn of another dialect', () => {
    createTranscript(anthropic).commit(turn);
    // @ts-expect-error: its entries are others
    createTranscript(gemini).commit(turn);
  });
});

describe('Transcript.entries', () => {
  test('go back through the parameters of the official SDKs', () => {
    const messages = [...createTranscript(anthropic).entries];
    expectTypeOf(messages).toExtend<MessageParam[]>();
    expectTypeOf(anthropicClient.messages.create).toBeCallableWith({ model: 'any', max_tokens: 1, messages });

    const chat = [...createTranscript(chatCompletions).entries];
    expectTypeOf(chat).toExtend<ChatCompletionMessageParam[]>();
    expectTypeOf(openai.chat.completions.create).toBeCallableWith({ model: 'any', messages: chat });

    const input = [...createTranscript(responses).entries];
    expectTypeOf(input).toExtend<ResponseInput>();
    expectTypeOf(openai.responses.create).toBeCallableWith({ model: 'any', input });

    const contents = [...createTranscript(gemini).entries];
    expectTypeOf(contents).toExtend<Content[]>();
    expectTypeOf(google.models.generateContentStream).toBeCallableWith({ model: 'any', contents });
    expectTypeOf([...createTranscript(gemini).forModel('any').entries]).toExtend<Content[]>();
  });

  test('are written as they came', () => {
    expectTypeOf(stringifyRequest({ messages: createTranscript(anthropic).entries })).toEqualTypeOf<string>();
  });

  test('cannot be changed', () => {
    const { entries } = createTranscript(anthropic);
    expectTypeOf(entries).toEqualTypeOf<readonly AnthropicMessage[]>();
    // @ts-expect-error: append by user(), commit() and answer()
    entries.push({ role: 'user', content: 'When?' });
  });
});

describe('Transcript', () => {
  test('has the calls that wait, reports, and costs', () => {
    const transcript = createTranscript(anthropic);
    expectTypeOf(transcript.pending).toEqualTypeOf<readonly ToolCall[]>();
    expectTypeOf(
      transcript.commit(turn, { ifInterrupted: 'keep_text', cutText: 'keep' }),
    ).toEqualTypeOf<CommitReport>();
    expectTypeOf(transcript.trim({ keepCycles: 3 }).withoutReasoning()).toEqualTypeOf<typeof transcript>();
    expectTypeOf(carryCost(transcript, { pricePerMillionInput: 3 })).toEqualTypeOf<CarryCost>();
    // @ts-expect-error: no such policy
    transcript.commit(turn, { ifInterrupted: 'keep' });
  });
});

describe('seal', () => {
  test('gives elements of the history that is asked for', () => {
    expectTypeOf(seal(turn, 'drop')).toEqualTypeOf<SealedTurn>();
    const { entries, answers } = seal<MessageParam>(turn, 'keep_finished', { results: [{ id: 'a', content: '' }] });
    expectTypeOf([...entries, ...answers]).toExtend<MessageParam[]>();
    expectTypeOf<SealPolicy>().toEqualTypeOf<'drop' | 'keep_text' | 'keep_finished'>();
  });
});
