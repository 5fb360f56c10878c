import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import type { TripTask } from './tasks.ts';

/** What the model says next: what it thinks, and a search, or the booking. */
export interface ModelTurn {
  readonly thinking: string;
  readonly call:
    | { readonly name: 'search'; readonly input: { readonly by: string; readonly value: string } }
    | undefined;
  readonly text: string | undefined;
}

/** What the model had worked out, as it wrote it down. */
interface Plan {
  readonly order: readonly string[];
  readonly hard: string;
}

/**
 * A model that holds no state between requests, as none does: its plan is only in what it thought, and what it thought
 * only in the messages that it is sent.
 *
 * With its thinking it searches by each wish once and books by what it decided in the beginning. Without, it works the
 * plan out anew with every request: it may search by what it has searched by, and hold to another wish than before.
 * There is no chance in it: the same messages give the same turn.
 */
export function nextTurn(task: TripTask, messages: readonly unknown[]): ModelTurn {
  const blocks = messages.filter(isJsonObject).flatMap(blocksIn);
  const searched = blocks.flatMap(searchIn);
  const plan = rememberedPlan(blocks) ?? makePlan(task, searched.length);
  const left = plan.order.filter((name) => !searched.includes(name));
  const isForgetful = rememberedPlan(blocks) === undefined && searched.length > 0;
  // Who does not know why a search was made makes it again before going on.
  const again =
    isForgetful && hash(`${task.name} ${searched.length}`) % 2 === 0 && searched.length < 3 * plan.order.length;
  const by = again ? searched.at(-1) : left[0];
  const thinking = `Plan: ${plan.order.join(' then ')}. Hold to: ${plan.hard}.`;
  if (by === undefined) return { thinking, call: undefined, text: `Booked, holding to ${plan.hard}.` };
  const value = task.wishes.find(({ name }) => name === by)?.value ?? '';
  return { thinking, call: { name: 'search', input: { by, value } }, text: undefined };
}

/** Whether an answer is what the traveller can use. */
export function isUseful(task: TripTask, text: string): boolean {
  return text.includes(`holding to ${task.hard}.`);
}

/**
 * Works a plan out. Read with care, the question says which wish is hard; the model reads it well at first, most of the
 * time, and less well behind a heap of search results.
 */
function makePlan({ name, wishes, hard }: TripTask, results: number): Plan {
  const order = wishes.map((wish) => wish.name);
  const misreads = hash(`${name} reads ${results}`) % 8 < (results === 0 ? 1 : 3);
  const other = order.find((wish) => wish !== hard) ?? hard;
  return { order, hard: misreads ? other : hard };
}

/** The plan in the last thinking that is there. */
function rememberedPlan(blocks: readonly JsonObject[]): Plan | undefined {
  const thoughts = blocks.flatMap(({ type, thinking }) => (type === 'thinking' ? [String(thinking)] : []));
  const [, order = '', hard] = /^Plan: (.*)\. Hold to: (\w+)\.$/.exec(thoughts.at(-1) ?? '') ?? [];
  return hard === undefined ? undefined : { order: order.split(' then '), hard };
}

function searchIn({ type, input }: JsonObject): string[] {
  return type === 'tool_use' && isJsonObject(input) ? [String(input['by'])] : [];
}

function blocksIn({ content }: JsonObject): JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

/** A number from a text, the same each time (FNV-1a). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 8;
}
