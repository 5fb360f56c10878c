import type { ScriptedBlock } from '../script.ts';
import type { Speaker } from '../speaker.ts';

/** A part of a reasoning item that is shown. */
export interface SummaryPart {
  readonly type: 'summary_text';
  readonly text: string;
}

/** A part of a message. */
export interface OutputText {
  readonly type: 'output_text';
  readonly annotations: readonly unknown[];
  readonly logprobs: readonly unknown[];
  readonly text: string;
}

/** One item of an answer, whole. */
export type Item =
  | {
      readonly id: string;
      readonly type: 'reasoning';
      readonly encrypted_content?: string;
      readonly summary: readonly SummaryPart[];
    }
  | {
      readonly id: string;
      readonly type: 'message';
      readonly status: string;
      readonly content: readonly OutputText[];
      readonly role: 'assistant';
    }
  | {
      readonly id: string;
      readonly type: 'function_call';
      readonly status: string;
      readonly arguments: string;
      readonly call_id: string;
      readonly name: string;
    };

/**
 * Says a block, and makes the item of it.
 *
 * @param id Ends the ids of the item.
 * @param isSealed Whether the client asked for the ciphertext of reasoning.
 */
export function speakItem(block: ScriptedBlock, speaker: Speaker, id: string, isSealed: boolean): Item {
  if ('text' in block) return messageItem(block.text, speaker, `msg_${id}`);
  if ('call' in block) return callItem(block.call, block.input, speaker, id);
  const summary: SummaryPart[] =
    'reasoning' in block && block.reasoning !== '' ? [{ type: 'summary_text', text: block.reasoning }] : [];
  const itemId = `rs_${id}`;
  const hidden = { id: itemId, ...('redacted' in block && { text: block.redacted }) };
  const said = { kind: 'reasoning' as const, itemId, content: { type: 'reasoning', summary } };
  const encrypted_content = speaker.encrypt(said, hidden);
  return { id: itemId, type: 'reasoning', ...(isSealed && { encrypted_content }), summary };
}

function messageItem(text: string, speaker: Speaker, itemId: string): Item {
  speaker.say({ kind: 'text', itemId, content: { type: 'message', text } });
  const content: OutputText[] = [{ type: 'output_text', annotations: [], logprobs: [], text }];
  return { id: itemId, type: 'message', status: 'completed', content, role: 'assistant' };
}

function callItem(name: string, input: string, speaker: Speaker, id: string): Item {
  const [itemId, call_id] = [`fc_${id}`, `call_${id}`];
  const content = { type: 'function_call', call_id, name, arguments: input };
  speaker.say({ kind: 'call', id: call_id, itemId, content });
  return { id: itemId, type: 'function_call', status: 'completed', arguments: input, call_id, name };
}
