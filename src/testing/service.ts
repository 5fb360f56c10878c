import type { Finding } from '../core/finding.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Conversation, Unit } from './conversation.ts';
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
  /** What is said to findings that are warnings, because not every server refuses for them; this one does. */
  readonly alsoRefused: ReadonlyMap<string, string>;
  /** Whether the reasoning that led to something must stand before it; `isOpen` says that its tool cycle is. */
  needsReasoning(unit: Unit, isOpen: boolean, model: string): boolean;
  /** Says why a request is not served that would be, elsewhere. */
  findUnserved?(body: JsonObject, model: string): Refusal | undefined;
  /** Says why a request with these headers is not read. */
  findWrongHeader(headers: Headers): Refusal | undefined;
  /** Reads what a request says outside its history. */
  headOf(url: URL, body: JsonObject): { readonly model: unknown; readonly isStreaming: boolean };
  /** Reads what is signed for. */
  conversationOf(body: JsonObject): Conversation;
  /** Says a turn, and makes the SSE messages of it. */
  answer(scene: Scene, speaker: Speaker, context: AnswerContext): readonly string[];
  /** Puts a problem into the provider's words. */
  refusalOf(problem: Problem, model: string): Refusal;
  /** Puts a broken rule into them. */
  refusalOfFinding(finding: Finding): Refusal;
  errorBody(refusal: Refusal, requestId: string): object;
  /**
   * The SSE message with which an answer fails in the middle.
   *
   * @param count How many come before it.
   */
  errorEvent(requestId: string, count: number): string;
  /** Whether the first event of an answer does nothing but start it. */
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
