import type { JsonObject } from '../core/json-object.ts';
import type { Conversation } from './conversation.ts';
import type { Refusal } from './refusal.ts';
import type { Scene } from './script.ts';
import type { Speaker } from './speaker.ts';
import type { Problem } from './verify.ts';

/** A wire format from the side of the provider. */
export interface StrictService {
  /** Matches the path that requests go to. */
  readonly endpoint: RegExp;
  /** The header that numbers the answers, if there is one. */
  readonly requestIdHeader?: string;
  /** What must be in a body. */
  readonly required: readonly string[];
  /** Findings that are warnings, because not every server refuses for them; this one does. */
  readonly alsoRefused: ReadonlySet<string>;
  /** Whether reasoning must come back behind the end of its tool cycle, too. */
  keepsReasoning(model: string): boolean;
  /** Says why a request with these headers is not read. */
  findWrongHeader(headers: Headers): Refusal | undefined;
  /** Reads what a request says outside its history. */
  headOf(url: URL, body: JsonObject): { readonly model: unknown; readonly isStreaming: boolean };
  /** Reads what is signed for. */
  conversationOf(body: JsonObject): Conversation;
  /** Says a turn, and makes the SSE messages of it. */
  answer(scene: Scene, speaker: Speaker, context: AnswerContext): readonly string[];
  /** Puts a problem into the provider's words. */
  refusalOf(problem: Problem): Refusal;
  errorBody(refusal: Refusal, requestId: string): object;
  /** The SSE message with which an answer fails in the middle. */
  errorEvent(requestId: string): string;
  /** Whether the first event of an answer may come twice. */
  readonly hasStart: boolean;
}

/** What of a request shows in its answer. */
export interface AnswerContext {
  readonly body: JsonObject;
  readonly model: string;
  /** Ends the ids of what is said, and stands in no other turn. */
  readonly id: string;
  readonly inputTokens: number;
}
