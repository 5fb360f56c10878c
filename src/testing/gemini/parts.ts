import type { JsonObject } from '../../core/json-object.ts';
import type { Scene, ScriptedBlock } from '../script.ts';
import { inputOf, type Speaker } from '../speaker.ts';
import { joined } from './conversation.ts';

/** One part of an answer, whole. A call's arguments are JSON text, so that their spelling is kept. */
export interface StreamedPart {
  readonly content: JsonObject;
  readonly kind: 'reasoning' | 'text' | 'call';
  readonly argsText?: string;
  readonly seal?: string;
}

/**
 * Says an answer, and makes its parts. What was thought is signed once: on the first call, or on an empty text at the
 * end of an answer without calls.
 */
export function speakParts({ blocks, hasCalls }: Scene, speaker: Speaker): readonly StreamedPart[] {
  const withheld = blocks.flatMap((block) => ('redacted' in block ? block.redacted : []));
  const isThoughtOf = withheld.length > 0 || blocks.some((block) => 'reasoning' in block);
  const parts = joined(blocks.flatMap((block) => partOf(block) ?? []));
  const firstCall = parts.findIndex(({ kind }) => kind === 'call');
  const spoken = parts.map((part, at): StreamedPart => {
    const said = { kind: part.kind, content: part.content };
    if (at === firstCall) return { ...part, seal: speaker.encrypt(said, { withheld }) };
    speaker.say(said);
    return part;
  });
  if (hasCalls || !isThoughtOf) return spoken;
  const end: StreamedPart = { kind: 'text', content: { text: '' } };
  return [...spoken, { ...end, seal: speaker.encrypt(end, { withheld }) }];
}

function partOf(block: ScriptedBlock): StreamedPart | undefined {
  if ('reasoning' in block) return { kind: 'reasoning', content: { text: block.reasoning, thought: true } };
  if ('text' in block) return { kind: 'text', content: { text: block.text } };
  if ('redacted' in block) return undefined;
  const { call: name, input } = block;
  const args = inputOf(input);
  if (args['INVALID_JSON'] === input) throw new TypeError(`Arguments of Gemini are JSON objects, got ${input}.`);
  return { kind: 'call', content: { functionCall: { name, args } }, argsText: input.trim() === '' ? '{}' : input };
}
