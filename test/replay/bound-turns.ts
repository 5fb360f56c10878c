import type { JsonObject } from '../../src/core/json-object.ts';
import type { AssembledTurn } from '../../src/core/turn.ts';

const usage = {
  inputTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  wire: null,
};

/** A complete turn that adds these entries. */
export function turnOf<Entry>(
  dialect: string,
  entries: readonly Entry[],
  members: Partial<AssembledTurn<Entry>> = {},
): AssembledTurn<Entry> {
  return {
    dialect,
    status: 'complete',
    turnId: null,
    model: null,
    stopReason: null,
    usage,
    blocks: [],
    toolCalls: [],
    entries,
    repairs: [],
    carry: {},
    envelope: {},
    warnings: [],
    ...members,
  };
}

/** A copy whose parts may be changed without touching the original. */
export function copyOf<Value>(value: Value): Value {
  return structuredClone(value);
}

/** A body with something in it replaced: the path leads through members and indices. */
export function edited(
  body: JsonObject,
  path: readonly (string | number)[],
  edit: (value: never) => unknown,
): JsonObject {
  const [step, ...rest] = path;
  const copy: JsonObject = Array.isArray(body) ? ([...body] as unknown as JsonObject) : { ...body };
  const key = String(step);
  copy[key] = rest.length === 0 ? edit(copy[key] as never) : edited(copy[key] as JsonObject, rest, edit);
  return copy;
}
