import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import type { Block, Message } from '../messages.ts';
import { rawElements, rawMembers } from '../raw-json.ts';
import { type ScriptedAnswer, type ScriptedThought, sealsOf, stepsOf } from '../script.ts';

/** One part of an answer, whole. A call's arguments are JSON text, so that their spelling is kept. */
export type ScriptedPart =
  | { readonly text: string; readonly thought?: true; readonly signature?: string }
  | { readonly name: string; readonly argsText: string; readonly signature?: string };

/**
 * The parts of an answer.
 *
 * What was thought is signed once: on the first call, or on an empty text at the end of an answer without calls.
 */
export function partsOf(answer: ScriptedAnswer): ScriptedPart[] {
  const steps = stepsOf(answer);
  const thoughts = steps.flatMap((step) => ('thoughts' in step ? step.thoughts : []));
  const signature = Buffer.from(sealsOf(thoughts)).toString('base64');
  const firstCall = steps.findIndex((step) => 'inputText' in step);
  const parts = steps.map((step, index): ScriptedPart => {
    if ('thoughts' in step) return { text: step.thoughts.map(thoughtText).join(''), thought: true };
    if (step.type === 'text') return { text: step.text };
    return { name: step.name, argsText: step.inputText, ...(index === firstCall && { signature }) };
  });
  return firstCall < 0 ? [...parts, { text: '', signature }] : parts;
}

/** A part as the service writes it. */
export function sourceOf(part: ScriptedPart): string {
  const seal = part.signature === undefined ? '' : `,"thoughtSignature": ${JSON.stringify(part.signature)}`;
  if ('text' in part) {
    const thought = part.thought ? ',"thought": true' : '';
    return `{"text": ${JSON.stringify(part.text)}${thought}${seal}}`;
  }
  return `{"functionCall": {"name": ${JSON.stringify(part.name)},"args": ${part.argsText}}${seal}}`;
}

/** Makes a block of a part's JSON text; `index` is its place in the content. */
export function blockOf(source: string, index: number): Block {
  const value: JsonObject = JSON.parse(source);
  return { value: withInput(value, source), source, place: `parts.${index}`, type: typeOf(value) };
}

/** Whether a value has the shape of a content. */
export function isContent(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { role = 'user', parts } = value;
  return (role === 'user' || role === 'model') && Array.isArray(parts) && parts.length > 0 && parts.every(isJsonObject);
}

/** Reads contents from their JSON texts: each is a message. */
export function readContents(sources: readonly string[]): Message[] {
  return sources.map((source, index) => {
    const members = rawMembers(source);
    const role: unknown = JSON.parse(members.get('role') ?? 'null');
    const parts = rawElements(members.get('parts') ?? '[]');
    return {
      path: `contents.${index}`,
      role: role === 'model' ? 'assistant' : 'user',
      content: parts.map(blockOf),
    };
  });
}

/** The arguments of a call stand as text beside it, to be compared as text. */
function withInput({ functionCall, ...part }: JsonObject, source: string): JsonObject {
  if (!isJsonObject(functionCall)) return functionCall === undefined ? part : { ...part, functionCall };
  const { args: _parsed, ...call } = functionCall;
  const input = rawMembers(rawMembers(source).get('functionCall') ?? '{}').get('args');
  return { ...part, functionCall: call, ...(input !== undefined && { input }) };
}

const marks = new Set(['thought', 'thoughtSignature', 'partMetadata']);

/** What a part holds. */
function typeOf(part: JsonObject): string {
  const [kind = 'nothing'] = Object.keys(part).filter((key) => !marks.has(key));
  return kind === 'text' && part['thought'] === true ? 'thought' : kind;
}

/** Thinking as the service shows it: with blank lines behind it. What is withheld leaves nothing. */
function thoughtText(thought: ScriptedThought): string {
  return thought.type === 'thinking' ? `${thought.thinking}\n\n\n` : '';
}
