import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import { type PrefixGuard, prefixGuard, toolLoop } from '../../src/index.ts';
import { call, messageEnd, messageStart, text, thinking } from '../dialects/anthropic/wire-events.ts';
import { asked, response } from './scripted-loop.ts';

const report = { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'prefix_binding_mismatch' };
const model = 'claude-opus-5-5';
const turns = [
  [
    messageStart({ id: 'msg_1', model }),
    ...thinking(0, 'Now.'),
    ...call(1, { name: 'clock' }, '{}'),
    ...messageEnd('tool_use'),
  ],
  [
    messageStart({ id: 'msg_2', model }),
    ...text(0, 'Late.'),
    ...messageEnd('end_turn', { input_transformations: [report] }),
  ],
];

/** Plays a loop whose system prompt is that of its turn, and returns what it finds. */
async function found(system: readonly string[], guard: PrefixGuard | undefined, isShown = true): Promise<unknown[]> {
  const findings: unknown[] = [];
  const loop = toolLoop({
    dialect: anthropic,
    transcript: asked(),
    tools: { clock: () => 'late' },
    guard,
    send(messages, { check, turnNumber }) {
      const body: JsonObject = { model, system: system[turnNumber - 1], messages };
      const known = isShown ? check(body) : [];
      expect(known.length).toBe(isShown && guard && system[turnNumber - 1] !== system[0] ? 1 : 0);
      return response(turns[turnNumber - 1] ?? []);
    },
  });
  await loop.forEach((event) => {
    if (event.type === 'prefix_finding') findings.push([event.turnNumber, event.finding.code, event.finding.path]);
  });
  return findings;
}

describe('the guard of a loop', () => {
  test('finds what a request changed before it is sent, and what the provider made of it', async () => {
    const guard = prefixGuard(anthropic);
    expect(await found(['Monday.', 'Tuesday.'], guard)).toEqual([
      [2, 'prefix_changed', 'system'],
      [2, 'reasoning_dropped', 'messages[1].content[0]'],
    ]);
    expect(guard.findings).toMatchObject([{ reported: { causes: [{ path: 'system' }] } }]);
  });

  test('finds nothing by itself where nothing changed', async () => {
    expect(await found(['Monday.', 'Monday.'], prefixGuard(anthropic))).toEqual([
      [2, 'reasoning_dropped', 'messages[1].content[0]'],
    ]);
  });

  test('sees no body that it is not shown, and may be left out', async () => {
    expect(await found(['Monday.', 'Tuesday.'], prefixGuard(anthropic), false)).toEqual([]);
    expect(await found(['Monday.', 'Tuesday.'], undefined)).toEqual([]);
  });
});
