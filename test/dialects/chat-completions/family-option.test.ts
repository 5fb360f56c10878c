import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { chatCompletions, type FamilyName } from '../../../src/chat-completions.ts';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { assembleTurn } from '../../../src/rx/assemble-turn.ts';

const call = { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] };

async function turnOf(
  delta: JsonObject,
  family?: FamilyName,
): Promise<{ entry: object | undefined; repairs: string[] }> {
  const chunk = { object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: 'stop' }] };
  const dialect = chatCompletions(family ? { family } : {});
  const turn = await assembleTurn(of(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`), dialect).settled();
  return { entry: turn.entries[0], repairs: turn.repairs.map(({ code }) => code) };
}

describe('chatCompletions with a family', () => {
  test.each(['deepseek', 'kimi'] as const)(
    'adds an empty reasoning beside calls for %s, and says so',
    async (family) => {
      const { entry, repairs } = await turnOf(call, family);
      expect(entry).toMatchObject({ reasoning_content: '' });
      expect(repairs).toEqual(['empty_reasoning']);
    },
  );

  test('adds none beside reasoning, to a turn without calls, or where no family was named', async () => {
    const entries = [
      await turnOf({ ...call, reasoning_content: 'hm' }, 'kimi'),
      await turnOf({ ...call, reasoning_details: [] }, 'deepseek'),
      await turnOf({ content: 'x' }, 'kimi'),
      await turnOf(call),
    ];
    expect(entries.flatMap(({ repairs }) => repairs)).toEqual([]);
    expect(
      entries.map(({ entry }) => Object.entries(entry ?? {}).find(([name]) => name === 'reasoning_content')),
    ).toEqual([['reasoning_content', 'hm'], undefined, undefined, undefined]);
  });

  test('sends no reasoning back to a family that refuses it', async () => {
    const { entry } = await turnOf({ ...call, reasoning_content: 'hm' }, 'deepseek_r1');
    expect(entry).not.toHaveProperty('reasoning_content');
  });

  test('says which families there are', () => {
    expect(() => chatCompletions({ family: 'llama' as unknown as FamilyName })).toThrow(
      /no family "llama".*deepseek, /,
    );
  });
});
