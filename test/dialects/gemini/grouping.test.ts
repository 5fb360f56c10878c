import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import type { AssembledTurn } from '../../../src/core/turn.ts';
import { createTurnStage } from '../../../src/core/turn-stage.ts';
import { type GeminiEntry, type GeminiPart, gemini } from '../../../src/gemini.ts';
import { call, chunk, pieces } from './wire-chunks.ts';

const runs = process.env['CI'] ? 2000 : 300;

const anyPart = fc.constantFrom<unknown>(
  { text: 'a' },
  { text: '' },
  { text: 'b', thought: true },
  { text: '', thought: true },
  { text: 'c', thoughtSignature: 's1' },
  { text: '', thoughtSignature: 's2' },
  { text: 'd', thought: true, thoughtSignature: 's3' },
  { thoughtSignature: 's4' },
  call({ name: 'f', args: { a: 1 } }, { thoughtSignature: 's5' }),
  call({ name: 'f', id: 'f1' }),
  call({ name: 'f', id: 'f1', args: [1] }),
  call({ args: {} }),
  call({ name: 'g', willContinue: true }, { thoughtSignature: 's6' }),
  pieces(['$.a', { stringValue: 'x', willContinue: true }]),
  pieces(['$.a', { stringValue: 'y' }]),
  pieces(['$.b[1]', { numberValue: 2 }]),
  pieces(['$.b[0]', { numberValue: 2 }]),
  call({}),
  { executableCode: { code: '1' } },
  { codeExecutionResult: { output: '1' } },
  { functionResponse: { name: 'f', response: {} } },
  { inlineData: { mimeType: 'image/png', data: 'aW1hZ2U=' }, thoughtSignature: 's7' },
  { hologram: 1 },
  null,
);
const anyReason = fc.constantFrom('', 'STOP', 'MAX_TOKENS', 'SAFETY', 'OTHER');
const anyParts = fc.array(anyPart, { maxLength: 12 });

interface Told {
  readonly turn: AssembledTurn<GeminiEntry>;
  /** All text and reasoning that a person saw. */
  readonly shown: string;
}

function tell(groups: readonly (readonly unknown[])[], finishReason: string): Told {
  const stage = createTurnStage(gemini, { clock: () => 0 });
  const events: readonly JsonObject[] = [...groups.map((group) => chunk(group)), chunk(undefined, { finishReason })];
  const told = [...events.flatMap((event) => [...stage.push({ data: JSON.stringify(event) })]), ...stage.flush()];
  const last = told.at(-2);
  if (last?.type !== 'turn') throw new Error('the turn does not end');
  return { turn: last.turn, shown: told.map((event) => ('text' in event ? event.text : '')).join('') };
}

test('the same parts in chunks of any number are the same turn', () => {
  fc.assert(
    fc.property(anyParts, anyReason, fc.array(fc.nat(12)), (parts, reason, cuts) => {
      const ends = [...cuts, parts.length].sort((a, b) => a - b);
      const groups = ends.map((end, at) => parts.slice(ends[at - 1] ?? 0, end));
      const one = tell(
        parts.map((part) => [part]),
        reason,
      );
      expect(JSON.stringify(tell(groups, reason))).toBe(JSON.stringify(one));
    }),
    { numRuns: runs },
  );
});

test('any parts give a content that is safe to send back', () => {
  fc.assert(
    fc.property(anyParts, anyReason, (parts, reason) => {
      const { turn } = tell([parts], reason);
      const { blocks, entries, toolCalls } = turn;
      const sent = entries.flatMap((entry) => entry.parts);
      expect(sent.at(-1)?.thought).toBeUndefined();
      expect(blocks.slice(0, -1).some(({ state }) => state === 'cut')).toBe(false);
      expect(sent).toEqual(blocks.flatMap(({ native }) => (sent.includes(native as GeminiPart) ? [native] : [])));
      for (const { functionCall } of sent.filter((part) => part.functionCall)) {
        expect(functionCall?.name).toMatch(/^[fg]$/);
        expect(Object.keys(functionCall ?? {})).not.toContain('partialArgs');
      }
      expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(toolCalls.length);
      expect(turn.status).toBe(reason === '' ? 'truncated' : 'complete');
      if (reason === '') expect([entries, toolCalls]).toEqual([[], []]);
      let signatures = parts.map((part) => Object(part).thoughtSignature);
      for (const signature of sent.flatMap((part) => part.thoughtSignature ?? [])) {
        expect(signatures).toContain(signature);
        signatures = signatures.slice(signatures.indexOf(signature) + 1);
      }
    }),
    { numRuns: runs },
  );
});
