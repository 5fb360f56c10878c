import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../src/core/json-object.ts';
import { checkRequest, type JsonObject } from '../../src/index.ts';
import { editable, verdictOn } from './converse.ts';
import { type Kind, mutationsOf } from './mutations.ts';
import { have, steps } from './random-conversation.ts';
import { anthropicSide, deepseekSide, gatewaySide, geminiSide, responsesSide, type Side } from './sides.ts';

function itTakes<Entry, Item>(side: Side<Entry, Item>): void {
  test.each([true, false])(
    'takes all that a transcript sends; signatures are bound: %s',
    async (bindPrefix) => {
      const property = fc.asyncProperty(steps, async (plan) => {
        const { provider, transcript } = await have(side, plan, bindPrefix);
        const verdict = await verdictOn(provider, side, editable(side.bodyOf(transcript.entries)));
        expect(verdict).toEqual({ status: 200, said: '' });
      });
      await fc.assert(property, { numRuns: 60 });
    },
    60_000,
  );
}

function instructionsOf({ messages }: JsonObject): string {
  const [first] = Array.isArray(messages) ? messages : [];
  return JSON.stringify(isJsonObject(first) && first['role'] === 'system' ? first : null);
}

/**
 * @param shown The changes that `checkRequest` finds, too, if it is given the turns and all of them are complete. The
 *   others a body does not always show: the provider alone knows what stood before a signature, and what is in it.
 */
function itRefuses<Entry, Item>(side: Side<Entry, Item>, shown: readonly Kind[]): void {
  test('refuses each change before the last signature', async () => {
    const property = fc.asyncProperty(steps, fc.nat(), async (plan, choice) => {
      const { provider, transcript, turns } = await have(side, plan, true);
      const whole = editable(side.bodyOf(transcript.entries));
      const mutations = mutationsOf(whole);
      const mutation = mutations[choice % mutations.length];
      fc.pre(mutation !== undefined);
      const body = editable(whole);
      mutation.make(body);
      const { status } = await verdictOn(provider, side, body);
      expect([400, 404], mutation.kind).toContain(status);
      // Beside the transcript each change shows, and nothing else does.
      const changes = (request: JsonObject): string[] =>
        checkRequest(request, side.dialect, { transcript })
          .filter(({ code }) => code === 'history_changed')
          .map(({ path }) => path);
      expect(changes(whole)).toEqual([]);
      // What the request says before the history is its own, and not in the transcript.
      if (instructionsOf(whole) === instructionsOf(body)) expect(changes(body)).not.toEqual([]);
      if (!shown.includes(mutation.kind) || turns.some((turn) => turn.status !== 'complete')) return;
      const findings = (request: JsonObject): string[] =>
        checkRequest(request, side.dialect, { turns }).map(({ code, path }) => `${code} ${path}`);
      const before = findings(whole);
      expect(findings(body).filter((finding) => !before.includes(finding))).not.toEqual([]);
    });
    await fc.assert(property, { numRuns: 120 });
  }, 60_000);
}

describe('the strict provider of Anthropic', () => {
  itTakes(anthropicSide);
  itRefuses(anthropicSide, ['edit reasoning']);
});

describe('the strict provider of a gateway', () => {
  itTakes(gatewaySide);
  // What is dropped altogether may have been left out on purpose, after its cycle: that only the transcript shows.
  itRefuses(gatewaySide, ['edit reasoning', 'edit seal']);
});

// Nothing is signed there: what it refuses is in the list of mistakes.
describe('the strict provider of open weights', () => itTakes(deepseekSide));

describe('the strict provider of Responses', () => {
  itTakes(responsesSide);
  itRefuses(responsesSide, ['edit seal']);
});

describe('the strict provider of Gemini', () => {
  itTakes(geminiSide);
  itRefuses(geminiSide, []);
});
