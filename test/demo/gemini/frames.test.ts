import { describe, expect, test } from 'vitest';
import { partsOf } from '../../../demo/gemini/contents.ts';
import { framesOf } from '../../../demo/gemini/frames.ts';
import { type ScriptedAnswer, script } from '../../../demo/script.ts';

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly name: string; readonly args: object };
}

interface Chunk {
  readonly candidates: readonly [{ content: { parts: Part[]; role: string }; finishReason?: string; index: number }];
  readonly usageMetadata: { promptTokenCount: number; totalTokenCount: number; thoughtsTokenCount?: number };
  readonly modelVersion: string;
  readonly responseId: string;
}

const options = { model: 'gemini-local', inputTokens: 12 };
const [toolTurn = { id: '', stopReason: 'end_turn', blocks: [] }, lastTurn = toolTurn] = script;

describe('framesOf', () => {
  test.each(script)('sends all of answer $id, and nothing else', (answer) => {
    const pieces = chunksOf(answer).flatMap(partsIn);
    const textOf = (isThought: boolean): string =>
      pieces.map(({ text = '', thought = false }) => (thought === isThought ? text : '')).join('');
    const scripted = (type: string): string[] =>
      answer.blocks.flatMap((block) => (block.type === type && 'text' in block ? [block.text] : []));
    const thoughts = answer.blocks.flatMap((block) => (block.type === 'thinking' ? [`${block.thinking}\n\n\n`] : []));
    expect(textOf(false)).toBe(scripted('text').join(''));
    expect(textOf(true)).toBe(thoughts.join(''));
    expect(pieces.flatMap(({ functionCall }) => functionCall ?? [])).toEqual(
      answer.blocks.flatMap((block) =>
        block.type === 'tool_use' ? { name: block.name, args: JSON.parse(block.inputText) } : [],
      ),
    );
  });

  test('signs the first of two parallel calls, which come in chunks of their own', () => {
    const calls = chunksOf(toolTurn).filter((chunk) => partsIn(chunk).some(({ functionCall }) => functionCall));
    expect(calls.map((chunk) => partsIn(chunk).map(({ thoughtSignature }) => thoughtSignature !== undefined))).toEqual([
      [true],
      [false],
    ]);
    const signatures = chunksOf(toolTurn).flatMap((chunk) =>
      partsIn(chunk).flatMap((part) => part.thoughtSignature ?? []),
    );
    expect(signatures).toHaveLength(1);
    expect(signatures[0]).toMatch(/^[\w+/]{100,}={0,2}$/);
  });

  test('ends an answer without calls with an empty text that is signed', () => {
    const tail = chunksOf(lastTurn).at(-1);
    expect(tail?.candidates[0].finishReason).toBe('STOP');
    expect(tail?.candidates[0].content.parts).toEqual([
      { text: '', thoughtSignature: expect.stringMatching(/.{100}/) },
    ]);
  });

  test('ends a tool turn with an empty text that is not, and a reason that does not tell it from another', () => {
    const tail = chunksOf(toolTurn).at(-1);
    expect(tail?.candidates[0]).toMatchObject({ content: { parts: [{ text: '' }] }, finishReason: 'STOP' });
  });

  test('keeps the spelling of arguments', () => {
    const text = framesOf(toolTurn, options)
      .map((frame) => frame.text)
      .join('');
    for (const part of partsOf(toolTurn)) if ('argsText' in part) expect(text).toContain(`"args": ${part.argsText}}`);
    expect(text).toContain('"kp_at_least": 3.0');
    expect(text).toContain('90210000000000000117');
  });

  test('cuts texts between words, and says of each piece whether it is thought', () => {
    const pieces = chunksOf(toolTurn).flatMap(partsIn);
    const texts = pieces.filter(({ text }) => text);
    expect(texts.length).toBeGreaterThan(8);
    for (const { text = '' } of texts) expect(text).not.toMatch(/^\s/);
    const flags = pieces.map(({ thought = false }) => thought);
    expect(flags.filter((flag, index) => flag !== flags[index - 1])).toEqual([true, false, true, false]);
  });

  test('counts the whole answer so far, and names model and answer, in each chunk', () => {
    for (const answer of script) {
      const chunks = chunksOf(answer);
      const totals = chunks.map(({ usageMetadata }) => usageMetadata.totalTokenCount);
      expect(totals).toEqual(totals.toSorted((one, other) => one - other));
      for (const { usageMetadata, modelVersion, responseId } of chunks) {
        expect(usageMetadata.promptTokenCount).toBe(12);
        expect([modelVersion, responseId]).toEqual(['gemini-local', answer.id.replace('msg_', '')]);
      }
      expect(chunks.at(-1)?.usageMetadata.thoughtsTokenCount).toBeGreaterThan(0);
    }
  });

  test('takes under twelve seconds for the whole conversation', () => {
    const pauses = script.flatMap((answer) => framesOf(answer, options)).map(({ delay }) => delay);
    expect(pauses.reduce((sum, delay) => sum + delay, 0)).toBeLessThan(9000);
  });
});

function partsIn({ candidates: [{ content }] }: Chunk): Part[] {
  return content.parts;
}

/** The chunks, each of which is one line that ends, like the blank one behind it, in CR and LF. */
function chunksOf(answer: ScriptedAnswer): Chunk[] {
  return framesOf(answer, options).map(({ text }) => {
    const [, data = ''] = /^data: (\{[^\r\n]+\})\r\n\r\n$/.exec(text) ?? [];
    expect(data).toMatch(/^\{"candidates": \[\{"content": \{"parts": \[/);
    return JSON.parse(data);
  });
}
