import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import type { DialectKit } from './dialect-kits.ts';

/** What a provider finds in a history, in order. */
interface Reading {
  readonly role: 'user' | 'turn' | 'answers';
  readonly calls: readonly string[];
  readonly answers: readonly string[];
  /** Whether a turn ends in reasoning, or is nothing else. */
  readonly endsInReasoning: boolean;
  /** Why a provider would refuse this element whatever stands around it. */
  readonly fault?: string | undefined;
}

/**
 * Why a provider would refuse a history: written from its rules, and not with what is tested.
 *
 * A call needs exactly one answer, all answers of a turn stand directly behind it, in the order of its calls; a turn
 * does not end in reasoning and says something.
 *
 * @param mayBePending Whether the calls of the last turn may still wait for their answers.
 */
export function refusals(
  kit: Pick<DialectKit, 'name'>,
  entries: readonly object[],
  mayBePending = false,
): readonly string[] {
  const readings = joined(entries.map((entry) => readers[kit.name]({ ...entry })));
  const found = readings.flatMap(({ fault }) => fault ?? []);
  for (const [at, { role, calls, endsInReasoning }] of readings.entries()) {
    const next = readings[at + 1];
    if (endsInReasoning) found.push(`entry ${at} ends in reasoning`);
    if (role === 'answers' && (readings[at - 1]?.calls.length ?? 0) === 0) found.push(`entry ${at} answers no call`);
    if (calls.length === 0 || (!next && mayBePending)) continue;
    const answers = next?.answers ?? [];
    if (String(answers) !== String(calls)) found.push(`entry ${at} calls ${calls}, and gets ${answers}`);
  }
  return found;
}

/** In two of the dialects a turn, or its answers, is several elements. */
function joined(readings: readonly Reading[]): Reading[] {
  const all: Reading[] = [];
  for (const reading of readings) {
    const last = all.at(-1);
    if (!last || last.role !== reading.role || reading.role === 'user') all.push(reading);
    else all.splice(-1, 1, join(last, reading));
  }
  return all;
}

function join(one: Reading, other: Reading): Reading {
  return {
    role: one.role,
    calls: [...one.calls, ...other.calls],
    answers: [...one.answers, ...other.answers],
    endsInReasoning: other.endsInReasoning,
    fault: one.fault ?? other.fault,
  };
}

const readers: Readonly<Record<DialectKit['name'], (entry: JsonObject) => Reading>> = {
  anthropic({ role, content }) {
    const blocks = list(content);
    const types = blocks.map(({ type }) => type);
    const answers = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => String(id));
    const isEmpty = content === '' || (Array.isArray(content) && content.length === 0);
    const isUnsigned = blocks.some(({ type, signature }) => type === 'thinking' && !signature);
    const hasEmptyText = blocks.some(({ type, text }) => type === 'text' && text === '');
    const fault = isEmpty ? 'no content' : isUnsigned ? 'unsigned thinking' : hasEmptyText ? 'empty text' : undefined;
    return {
      role: role === 'assistant' ? 'turn' : answers.length > 0 ? 'answers' : 'user',
      calls: blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id)),
      answers,
      endsInReasoning: types.at(-1) === 'thinking' || types.at(-1) === 'redacted_thinking',
      fault,
    };
  },
  chatCompletions({ role, content, tool_calls: toolCalls, tool_call_id: id, ...others }) {
    const calls = list(toolCalls).map((call) => String(call['id']));
    const says = [...list(content), ...calls].length > 0 || (typeof content === 'string' && content !== '');
    const saysElse = ['refusal', 'audio', 'images', 'function_call'].some((name) => name in others);
    const saysNothing = role === 'assistant' && !says && !saysElse;
    return {
      role: role === 'assistant' ? 'turn' : role === 'tool' ? 'answers' : 'user',
      calls,
      answers: role === 'tool' ? [String(id)] : [],
      endsInReasoning: saysNothing,
      fault: list(toolCalls).some((call) => call['type'] !== 'custom' && !isJsonArguments(call['function']))
        ? 'arguments no JSON'
        : undefined,
    };
  },
  responses({ type, role, call_id: id, content }) {
    const isAnswer = type === 'function_call_output';
    const isEmpty = type === 'message' && list(content).length === 0;
    return {
      role: role === 'user' ? 'user' : isAnswer ? 'answers' : 'turn',
      calls: type === 'function_call' ? [String(id)] : [],
      answers: isAnswer ? [String(id)] : [],
      endsInReasoning: type === 'reasoning',
      fault: isEmpty ? 'no content' : undefined,
    };
  },
  gemini({ role, parts: given }) {
    const parts = list(given);
    const named = (member: string): string[] =>
      parts.flatMap((part) =>
        isJsonObject(part[member]) ? [`${String(part[member]['id'])} ${String(part[member]['name'])}`] : [],
      );
    const answers = named('functionResponse');
    return {
      role: role === 'model' ? 'turn' : answers.length > 0 ? 'answers' : 'user',
      calls: named('functionCall'),
      answers,
      endsInReasoning: parts.at(-1)?.['thought'] === true,
      fault: parts.length === 0 ? 'no parts' : undefined,
    };
  },
};

function isJsonArguments(called: unknown): boolean {
  const text = isJsonObject(called) ? String(called['arguments']) : '';
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
