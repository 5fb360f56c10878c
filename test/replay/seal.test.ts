import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json-object.ts';
import type { AssembledTurn } from '../../src/core/turn.ts';
import { createTranscript, type SealPolicy, seal, stringifyRequest } from '../../src/index.ts';
import { createChunkStage } from '../../src/rx/chunk-stage.ts';
import * as anthropicWire from '../dialects/anthropic/wire-events.ts';
import * as responsesWire from '../dialects/responses/wire-events.ts';
import { type DialectKit, kits, type Plan, turnOf } from './dialect-kits.ts';
import { refusals } from './provider-rules.ts';

const [anthropicKit, chatKit, responsesKit, geminiKit] = kits as readonly [
  DialectKit,
  DialectKit,
  DialectKit,
  DialectKit,
];
const policies: readonly SealPolicy[] = ['drop', 'keep_text', 'keep_finished'];
const everything: Plan = {
  id: 'turn_1',
  reasoning: 'Ferry first.',
  text: 'Let me see.',
  calls: [
    { id: 'a', name: 'ferry', input: '{"port": 1.0}' },
    { id: 'b', name: 'tide', input: '{}' },
    { id: 'c', name: 'wind', input: '{}' },
  ],
};

/** A turn whose body ends after these events. */
function cutTurn({ dialect }: DialectKit, ...events: readonly string[]): AssembledTurn<object> {
  const stage = createChunkStage(dialect, { clock: () => 0 });
  const last = [...stage.push(events.join('')), ...stage.flush()].find((event) => event.type === 'turn');
  if (!last) throw new Error('There is no turn.');
  return last.turn;
}

function anthropicTurn(...events: JsonObject[]): AssembledTurn<object> {
  return cutTurn(anthropicKit, anthropicWire.sse(anthropicWire.messageStart(), ...events));
}

function responsesTurn(...events: JsonObject[]): AssembledTurn<object> {
  return cutTurn(responsesKit, responsesWire.sse(responsesWire.created(), ...events));
}

const codes = ({ repairs }: { readonly repairs: readonly { code: string; index: number }[] }): string[] =>
  repairs.map(({ code, index }) => `${code} ${index}`);

describe.each(kits)('seal in $name', (kit) => {
  test.each(policies)('%s makes a history that the provider takes, wherever the stream was cut', (policy) => {
    for (let events = 0; events < kit.stream(everything).length; events += 1) {
      for (const how of ['cut', 'stopped', 'error'] as const) {
        const turn = turnOf(kit, everything, events, how);
        if (turn.status === 'complete') continue;
        for (const cutText of ['keep', 'drop'] as const) {
          const { entries, answers } = seal<object>(turn, policy, { cutText });
          const history = [...entries, ...answers];
          expect(refusals(kit, history), `${how} after ${events}`).toEqual([]);
          if (policy === 'drop') expect(history).toEqual([]);
          if (policy === 'keep_text') expect(stringifyRequest(history)).not.toMatch(/Ferry|port|tide/);
        }
      }
    }
  });

  test('gives a complete turn as it is', () => {
    const turn = turnOf(kit, everything);
    for (const policy of policies) {
      const sealed = seal(turn, policy);
      expect(sealed).toEqual({ policy, entries: turn.entries, answers: [], interrupted: [], repairs: turn.repairs });
    }
  });

  test('refuses what it does not know', () => {
    const turn = turnOf(kit, everything, 2);
    expect(() => seal(turn, 'keep' as never)).toThrow(/Expected 'drop', 'keep_text' or 'keep_finished', got keep/);
    expect(() => seal(turn, 'keep_text', { cutText: 'yes' as never })).toThrow(/cutText must be 'drop' or 'keep'/);
    expect(() => seal({ ...turn }, 'keep_text')).toThrow(/was not assembled here/);
    expect(() => seal(turn, 'keep_finished', { results: [{ id: 'zzz', content: '' }] })).toThrow(/no call zzz/);
  });

  test('keeps nothing finished of a turn that ended because a limit was broken, and is not surprised', () => {
    const stage = createChunkStage(kit.dialect, { clock: () => 0, limits: { turnLength: 8 } });
    const turn = [...stage.push(kit.stream(everything).join('')), ...stage.flush()].find(({ type }) => type === 'turn');
    if (turn?.type !== 'turn') throw new Error('There is no turn.');
    expect(turn.turn.status).toBe('failed');
    for (const policy of policies) {
      const { entries, answers } = seal<object>(turn.turn, policy);
      expect(refusals(kit, [...entries, ...answers])).toEqual([]);
    }
  });

  test('keeps the text in the middle of which it was cut only when told to', () => {
    const count = kit.stream({ id: 't', text: 'At nine' }).length;
    const cut = Array.from({ length: count }, (_, events) => turnOf(kit, { id: 't', text: 'At nine' }, events)).find(
      ({ blocks }) => blocks[0]?.text === 'At n',
    );
    if (!cut) throw new Error('There is no turn with half a text.');
    expect(seal(cut, 'keep_text').entries).toEqual([]);
    expect(seal(cut, 'keep_finished').entries).toEqual([]);
    const { entries } = seal<object>(cut, 'keep_text', { cutText: 'keep' });
    expect(stringifyRequest(entries)).toMatch(/"(text|content)":"At n"/);
    expect(refusals(kit, entries)).toEqual([]);
  });
});

describe.each([anthropicKit, responsesKit, geminiKit])('keep_finished in $name', (kit) => {
  const events = kit.stream(everything);
  const end = events.findIndex((event) => event.includes('wind'));
  const turn = turnOf(kit, everything, end + 1, 'stopped');

  test('keeps calls with their results, gives an error to those without, and leaves out the cut one', () => {
    const results = [{ id: 'a', content: 'half past nine' }];
    const sealed = seal<object>(turn, 'keep_finished', { results });
    expect(sealed.interrupted).toEqual(['b']);
    expect(codes(sealed)).toEqual(['cut 4']);
    const history = [...sealed.entries, ...sealed.answers];
    expect(refusals(kit, history)).toEqual([]);
    const written = stringifyRequest(history);
    expect(written).toMatch(/Ferry first\..*Let me see\..*half past nine.*interrupted before this call ran/);
    expect(written).toMatch(/\{\\?"port\\?": 1\.0\}/);
  });

  test('is the same through commit', () => {
    const transcript = createTranscript(kit.dialect);
    transcript.user('When?');
    expect(() => transcript.commit(turn)).toThrow(/The turn is aborted. Say with ifInterrupted what to keep of it/);
    expect(transcript.entries).toHaveLength(1);
    const results = [{ id: 'b', content: 'ebb' }];
    const report = transcript.commit(turn, { ifInterrupted: 'keep_finished', results });
    const sealed = seal<object>(turn, 'keep_finished', { results });
    expect(transcript.entries.slice(1)).toEqual([...sealed.entries, ...sealed.answers]);
    const { status, added, leftOut, interrupted, repairs } = report;
    expect({ status, leftOut, interrupted, repairs }).toEqual({
      status: 'aborted',
      leftOut: 'interrupted',
      interrupted: ['a'],
      repairs: sealed.repairs,
    });
    expect(added).toBe(sealed.entries.length + sealed.answers.length);
    expect([transcript.pending, transcript.isCycleOpen]).toEqual([[], true]);
  });

  test('may follow a commit that dropped it', () => {
    const transcript = createTranscript(kit.dialect);
    transcript.user('When?');
    expect(transcript.commit(turn, { ifInterrupted: 'drop' })).toMatchObject({ added: 0, leftOut: 'interrupted' });
    expect(transcript.commit(turn, { ifInterrupted: 'keep_text' })).toMatchObject({ added: 1 });
    expect(() => transcript.commit(turn, { ifInterrupted: 'keep_text' })).toThrow(/in the transcript already/);
  });
});

describe('seal', () => {
  test('keeps no call of a chat message that was cut: only its end says that they are whole', () => {
    const turn = turnOf(chatKit, everything, chatKit.stream(everything).length - 2, 'stopped');
    const { entries, answers } = seal(turn, 'keep_finished');
    expect(entries).toEqual([{ role: 'assistant', content: 'Let me see.', reasoning_content: 'Ferry first.' }]);
    expect(answers).toEqual([]);
  });

  test('leaves out a call of a server tool that nobody goes on with', () => {
    const server = (index: number, id: string): JsonObject[] =>
      anthropicWire.call(index, { type: 'server_tool_use', id, name: 'web_search' }, '{"query":"tide"}');
    const result = anthropicWire.start(3, { type: 'web_search_tool_result', tool_use_id: 's2', content: [] });
    const turn = anthropicTurn(
      ...anthropicWire.text(0, 'Let me look.'),
      ...server(1, 's1'),
      ...server(2, 's2'),
      result,
      anthropicWire.stop(3),
      ...anthropicWire.text(4, 'So:'),
    );
    const sealed = seal(turn, 'keep_finished');
    expect(sealed.entries).toMatchObject([
      { content: [{ type: 'text' }, { id: 's2' }, { type: 'web_search_tool_result' }, { type: 'text', text: 'So:' }] },
    ]);
    expect(codes(sealed)).toEqual(['unpaired 1']);
  });

  test('keeps the call of a server tool that waits for one of the client', () => {
    const turn = anthropicTurn(
      ...anthropicWire.call(0, { type: 'server_tool_use', id: 's1', name: 'code_execution' }, '{}'),
      ...anthropicWire.call(1, { id: 'a', caller: { type: 'code_execution', tool_id: 's1' } }, '{}'),
      anthropicWire.start(2, { type: 'text', text: '' }),
    );
    expect(seal(turn, 'keep_finished')).toMatchObject({
      entries: [{ content: [{ id: 's1' }, { id: 'a' }] }],
      interrupted: ['a'],
    });
  });

  test('answers a call whose input was invalid as such, and not as interrupted', () => {
    const turn = anthropicTurn(
      ...anthropicWire.call(0, { id: 'a' }, '[1]'),
      anthropicWire.start(1, { type: 'text', text: '' }),
    );
    const { interrupted, answers } = seal(turn, 'keep_finished');
    expect(interrupted).toEqual([]);
    expect(answers).toMatchObject([
      { content: [{ tool_use_id: 'a', is_error: true, content: expect.stringMatching(/no JSON object/) }] },
    ]);
  });

  test('lets no Responses text go with the id that binds it to reasoning', () => {
    const turn = turnOf(responsesKit, everything, responsesKit.stream(everything).length - 2);
    expect(seal(turn, 'keep_text').entries).toEqual([
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Let me see.', annotations: [] }],
      },
    ]);
  });

  test('keeps the text alone where a call cannot be answered with an error', () => {
    const screen = { id: 'cu_1', call_id: 'a', type: 'computer_call', action: { type: 'screenshot' } };
    const turn = responsesTurn(
      ...responsesWire.message(0, 'Looking.'),
      responsesWire.added(1, screen),
      responsesWire.done(1, screen),
      responsesWire.added(2, responsesWire.messageItem(2, '')),
    );
    const sealed = seal(turn, 'keep_finished');
    expect(sealed).toMatchObject({ policy: 'keep_text', answers: [], interrupted: [] });
    expect(sealed.entries).toHaveLength(1);
    const results = [{ id: 'a', content: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA==' } }];
    const kept = seal<object>(turn, 'keep_finished', { results });
    expect(kept.policy).toBe('keep_finished');
    expect(kept.answers).toMatchObject([{ type: 'computer_call_output', call_id: 'a' }]);
  });

  test('knows the calls of Responses by their places, whatever order they came in', () => {
    const item = (at: number, id: string): JsonObject => responsesWire.callItem(at, `{"n":${at}}`, { call_id: id });
    const turn = responsesTurn(
      responsesWire.added(1, item(1, 'late')),
      responsesWire.done(1, item(1, 'late')),
      responsesWire.added(0, item(0, 'early')),
      responsesWire.done(0, item(0, 'early')),
      responsesWire.added(2, responsesWire.messageItem(2, '')),
    );
    const results = [{ id: 'late', content: 'of 1' }];
    const { answers, interrupted } = seal(turn, 'keep_finished', { results });
    expect(interrupted).toEqual(['early']);
    expect(answers).toMatchObject([{ call_id: 'early' }, { call_id: 'late', output: 'of 1' }]);
  });
});
