import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { sentinels } from '../../dialects/gemini/request-rules/reading.ts';
import type { Conversation, Message, Unit } from '../conversation.ts';

/** Reads what a signature is made over: instructions, tools, and the parts of all contents. */
export function conversationOf(body: JsonObject): Conversation {
  const { systemInstruction, system_instruction: snake, tools = [], contents } = body;
  const list: readonly unknown[] = Array.isArray(contents) ? contents : [];
  const head = { instruction: systemInstruction ?? snake ?? null, tools };
  return { head, messages: list.filter(isJsonObject).map(messageOf) };
}

function messageOf({ role, parts }: JsonObject, index: number): Message {
  const path = `contents[${index}]`;
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
  const units = list.filter(isJsonObject).map((part, at) => unitOf(part, `${path}.parts[${at}]`));
  return {
    by: role === 'model' ? 'model' : 'client',
    path,
    units: joined(units),
    isResults: units.some(({ content }) => content['functionResponse'] !== undefined),
  };
}

function unitOf({ thoughtSignature, ...content }: JsonObject, path: string): Unit {
  const kind =
    content['functionCall'] === undefined ? (typeof content['text'] === 'string' ? 'text' : 'other') : 'call';
  const isSigned = typeof thoughtSignature === 'string' && !sentinels.has(thoughtSignature);
  return {
    path,
    kind: content['thought'] === true ? 'reasoning' : kind,
    content,
    ...(isSigned && { seal: thoughtSignature }),
  };
}

/** Texts come in chunks, and it is the same wherever they are cut: those that nothing signs are one with the next. */
export function joined<Said extends Pick<Unit, 'content' | 'seal'>>(units: readonly Said[]): readonly Said[] {
  const whole: Said[] = [];
  for (const unit of units) {
    const last = whole.at(-1);
    if (last && isOpenText(last) && isOpenText(unit) && last.content['thought'] === unit.content['thought']) {
      const text = `${last.content['text']}${unit.content['text']}`;
      whole[whole.length - 1] = { ...last, content: { ...last.content, text } };
    } else if (!isOpenText(unit) || unit.content['text'] !== '') whole.push(unit);
  }
  return whole;
}

function isOpenText({ content, seal }: Pick<Unit, 'content' | 'seal'>): boolean {
  return typeof content['text'] === 'string' && seal === undefined;
}
