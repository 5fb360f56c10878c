import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type ChatCompletionsEntry, chatCompletions } from '../../../src/chat-completions.ts';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { type AssembledTurn, assembleTurn } from '../../../src/index.ts';
import { officialOutcome } from '../../clients/official-completion.ts';
import { listFixtures } from '../../fixtures.ts';
import { type Answer, officialAnswer, ownAnswer } from './openai-answer.ts';
import { differences } from './openai-differences.ts';
import { type Refusal, refusals } from './openai-refusals.ts';
import { listChatRecordings, readChunks } from './recorded-chunks.ts';
import { done, sse } from './wire-chunks.ts';

type WholeTurn = AssembledTurn<ChatCompletionsEntry>;

/** Invented streams on which the SDK is wrong in a way of its own, and what it does. */
const wrongOnItsOwn: Readonly<Record<string, string>> = {
  'bad_bare-error-body': 'It takes an error that is no event for nothing at all',
  'bad_error-at-the-choice': 'It looks for errors at the top of a chunk only',
  'bad_finish-reason-error': 'It takes the finish reason "error" for a finish',
  'ok_custom-tool': 'It does not know custom tools, and throws',
  'ok_cut-call-takes-its-detail-along': 'It has the last detail only, which is that of a call that was cut',
  'ok_litellm-thinking-blocks': 'It overwrites a field that it does not know with the null of a later chunk',
  'ok_name-late-and-in-pieces': 'It has the last piece of a name',
  'ok_nameless-call': 'It hands out a call that has no name',
  'ok_ollama-arguments-as-object': 'It adds an object to a string',
  'ok_ollama-no-index-no-id': 'It loses calls without an index',
  'ok_openrouter-claude-thinking-cut-after-signed': 'It has the last detail only, which the token limit cut',
  'ok_openrouter-gpt-summary-and-encrypted': 'It has the last detail only',
  'ok_sglang-id-and-name-resent': 'It takes an id from the middle of a call',
};

const recordings = listChatRecordings();
const names = recordings.map((recording) => [recording.name, recording] as const);
const fixtures = listFixtures('chat-completions').filter(({ expected }) => Object.keys(expected.options).length === 0);
const invented = fixtures.map((fixture) => [fixture.name, fixture] as const);

describe('chatCompletions, beside client.chat.completions.stream of the SDK', () => {
  const kindsThatOccur = new Set<string>();

  test.each([...names, ...invented])('makes the same message of %s', async (name, { bytes }) => {
    const turn = await assembleTurn(of(bytes), chatCompletions).settled();
    if (turn.status !== 'complete' && !(name in wrongOnItsOwn)) {
      return expect((await officialOutcome(bytes)).error).toBeInstanceOf(Error);
    }
    const asked = officialAnswerAsOurs(bytes, turn);
    if (name in wrongOnItsOwn) {
      const wrong = await asked.then(({ answer }) => answer, String);
      return expect(wrong, wrongOnItsOwn[name]).not.toEqual(ownAnswer(turn));
    }
    const { answer, kinds } = await asked;
    expect(ownAnswer(turn)).toStrictEqual(answer);
    for (const kind of kinds) kindsThatOccur.add(kind);
  });

  test.skipIf(recordings.length === 0)('differs from the SDK in each of the known kinds', () => {
    const known = new Set([...differences, ...refusals].map(({ kind }) => kind));
    expect([...kindsThatOccur].sort()).toEqual([...known].sort());
  });

  test('knows the invented streams that it treats on their own', () => {
    expect(invented.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(wrongOnItsOwn)));
  });
});

/** The SDK's answer without the known differences, and the kinds of those that were met. */
async function officialAnswerAsOurs(
  bytes: Uint8Array,
  turn: WholeTurn,
): Promise<{ readonly answer: Answer; readonly kinds: readonly string[] }> {
  const chunks = readChunks(bytes);
  const { completion, met } = await askOfficial(bytes, chunks);
  const kinds = met.map(({ kind }) => kind);
  let answer = officialAnswer(completion);
  for (const { undo } of met) if (undo) answer = undo(answer, chunks);
  for (const { kind, undo } of differences) {
    const undone = undo(answer, { chunks, turn });
    if (undone !== answer) kinds.push(kind);
    answer = undone;
  }
  return { answer, kinds };
}

/** The SDK's completion; of a stream that it refuses, that of the mended one, and what it was mended of. */
async function askOfficial(
  bytes: Uint8Array,
  wire: readonly JsonObject[],
): Promise<{ readonly completion: JsonObject; readonly met: readonly Refusal[] }> {
  const met: Refusal[] = [];
  let chunks = wire;
  let { completion, error } = await officialOutcome(bytes);
  while (!completion) {
    const refusal = refusals.find(
      (known) => !met.includes(known) && known.message.test(String(error)) && known.mend(chunks) !== chunks,
    );
    if (!refusal) throw error;
    met.push(refusal);
    chunks = refusal.mend(chunks);
    ({ completion, error } = await officialOutcome(sse(...chunks) + done));
  }
  return { completion, met };
}
