import { accumulateResponse } from 'openai-7/lib/responses/ResponseAccumulator';
import type { ResponseStreamEvent } from 'openai-7/resources/responses/responses';
import { describe, expect, test } from 'vitest';
import { framesOf } from '../../../demo/responses/frames.ts';
import { itemsOf } from '../../../demo/responses/items.ts';
import { type ScriptedAnswer, script } from '../../../demo/script.ts';

interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item?: { readonly id: string; readonly type: string; readonly encrypted_content?: string };
  readonly delta?: string;
  readonly obfuscation?: string;
  readonly response?: object;
}

const options = { model: 'gpt-local', inputTokens: 12 };
const [toolTurn = { id: '', stopReason: 'end_turn', blocks: [] }] = script;

describe('framesOf', () => {
  test.each(script)('sends all of answer $id, as the official accumulator reads it', (answer) => {
    const [first, ...rest] = wireEvents(answer);
    const response = rest.reduce(
      (snapshot, event) => accumulateResponse(event, snapshot),
      first && accumulateResponse(first),
    );
    const { id, status, output, usage } = response ?? {};
    expect({ id, status, output }).toEqual({
      id: answer.id.replace('msg', 'resp'),
      status: 'completed',
      output: itemsOf(answer),
    });
    expect(usage).toMatchObject({ input_tokens: 12 });
  });

  test('grows each item to what it says at its end, and to what the response says', () => {
    for (const answer of script) {
      const events = eventsOf(answer);
      for (const [index, item] of itemsOf(answer).entries()) {
        const own = events.filter(({ output_index }) => output_index === index);
        const whole =
          item.type === 'function_call'
            ? item.arguments
            : (item.type === 'reasoning' ? item.summary : item.content).map(({ text }) => text).join('');
        expect(own.map(({ delta = '' }) => delta).join('')).toBe(whole);
        expect(own.at(-1)).toMatchObject({ type: 'response.output_item.done', item });
      }
      expect(events.at(-1)?.response).toMatchObject({ output: itemsOf(answer) });
    }
  });

  test('numbers its events from 0', () => {
    for (const answer of script) {
      const numbers = eventsOf(answer).map(({ sequence_number }) => sequence_number);
      expect(numbers).toEqual([...numbers.keys()]);
    }
  });

  test('announces reasoning with ciphertext that is not yet that of its end', () => {
    const pairs = script.flatMap((answer) => {
      const items = eventsOf(answer).flatMap(({ type, item }) => (item?.type === 'reasoning' ? [{ type, item }] : []));
      const added = items.filter(({ type }) => type === 'response.output_item.added');
      return added.map(({ item: { id, encrypted_content } }) => {
        const done = items.find(({ type, item }) => type === 'response.output_item.done' && item.id === id);
        return [encrypted_content, done?.item.encrypted_content] as const;
      });
    });
    expect(pairs).toHaveLength(3);
    for (const [added, done] of pairs) {
      expect(added).toMatch(/^gAAAA[\w-]{80,}$/);
      expect(done).toMatch(/^gAAAA[\w-]{100,}$/);
      expect(added).not.toBe(done);
    }
  });

  test('lets parallel calls grow side by side', () => {
    const deltas = eventsOf(toolTurn).filter(({ type }) => type === 'response.function_call_arguments.delta');
    const places = deltas.map(({ output_index }) => output_index);
    const turns = places.filter((place, index) => place !== places[index - 1]);
    expect(turns.slice(0, 4)).toEqual([3, 4, 3, 4]);
    const types = eventsOf(toolTurn).map(({ type, output_index }) => `${type} ${output_index}`);
    expect(types.indexOf('response.output_item.added 4')).toBeLessThan(types.indexOf('response.output_item.done 3'));
  });

  test('cuts arguments between the halves of a surrogate pair', () => {
    const pieces = eventsOf(toolTurn).map(({ delta = '' }) => delta);
    expect(pieces.filter((piece) => /[\ud800-\udbff]$/.test(piece))).toHaveLength(1);
  });

  test('hides the length of a delta', () => {
    const padded = script.flatMap(eventsOf).filter(({ delta }) => delta !== undefined);
    for (const { delta = '', obfuscation = '' } of padded) {
      expect(obfuscation).not.toBe('');
      expect((delta.length + obfuscation.length) % 16).toBe(0);
    }
  });

  test('names the phase of each message', () => {
    const phases = script.flatMap(itemsOf).flatMap((item) => (item.type === 'message' ? item.phase : []));
    expect(phases).toEqual(['commentary', 'final_answer']);
  });

  test('starts and ends as the service does, without a sentinel', () => {
    for (const answer of script) {
      const types = eventsOf(answer).map(({ type }) => type);
      expect(types.slice(0, 3)).toEqual(['response.created', 'response.in_progress', 'response.output_item.added']);
      expect(types.slice(-2)).toEqual(['response.output_item.done', 'response.completed']);
    }
  });
});

describe('itemsOf', () => {
  test('makes one reasoning item of thinking that stands side by side, and puts the calls last', () => {
    expect(itemsOf(toolTurn).map(({ id, type }) => [type, id])).toEqual([
      ['reasoning', 'rs_demo_01_0'],
      ['message', 'msg_demo_01_1'],
      ['reasoning', 'rs_demo_01_2'],
      ['function_call', 'fc_demo_aurora'],
      ['function_call', 'fc_demo_clouds'],
    ]);
    const thoughts = toolTurn.blocks.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []));
    const summaries = itemsOf(toolTurn).flatMap((item) =>
      item.type === 'reasoning' ? [item.summary.map(({ text }) => text)] : [],
    );
    expect(summaries).toEqual([thoughts.slice(0, 1), thoughts.slice(1)]);
  });
});

function eventsOf(answer: ScriptedAnswer): Event[] {
  return textsOf(answer).map((data) => JSON.parse(data));
}

function wireEvents(answer: ScriptedAnswer): ResponseStreamEvent[] {
  return textsOf(answer).map((data) => JSON.parse(data));
}

/** The data of each message, whose name has to be the type of its event. */
function textsOf(answer: ScriptedAnswer): string[] {
  return framesOf(answer, options).map(({ text }) => {
    const [, name, data = ''] = /^event: (.+)\ndata: (\{.+\})\n\n$/.exec(text) ?? [];
    const { type }: Event = JSON.parse(data);
    expect(type).toBe(name);
    return data;
  });
}
