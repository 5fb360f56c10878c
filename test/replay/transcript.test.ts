import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import type { AssembledTurn } from '../../src/core/turn.ts';
import { createTranscript, type Dialect, stringifyRequest, type Transcript } from '../../src/index.ts';
import { type DialectKit, kits, turnOf } from './dialect-kits.ts';
import { refusals } from './provider-rules.ts';

const twoCalls = {
  id: 'turn_1',
  reasoning: 'Ferry first.',
  text: 'Let me see.',
  calls: [
    { id: 'a', name: 'ferry', input: '{"port": "Harlow"}' },
    { id: 'b', name: 'tide', input: '{"port": 1.0}' },
  ],
};
const answer = { id: 'turn_2', reasoning: 'So at nine.', text: 'At nine.' };
const invalidCall = { id: 'turn_1', calls: [{ id: 'a', name: 'ferry', input: '[1]' }] };
const results = [
  { id: 'b', content: 'neap' },
  { id: 'a', content: 'half past nine' },
];

function begin({ dialect }: DialectKit): Transcript<object, object> {
  const transcript = createTranscript(dialect);
  transcript.user('When does the ferry leave?');
  return transcript;
}

describe.each(kits)('createTranscript in $name', (kit) => {
  test('keeps the user, the turn, its results in call order, and the answer', () => {
    const transcript = begin(kit);
    const first = turnOf(kit, twoCalls);
    transcript.commit(first);
    transcript.answer(results);
    const second = turnOf(kit, answer);
    transcript.commit(second);
    const { entries } = transcript;
    expect(refusals(kit, entries)).toEqual([]);
    expect(entries.slice(1, 1 + first.entries.length)).toEqual(first.entries);
    expect(entries.slice(-second.entries.length)).toEqual(second.entries);
    const written = stringifyRequest(entries);
    expect(written.indexOf('half past nine')).toBeLessThan(written.indexOf('neap'));
    expect(written).toMatch(/\{\\?"port\\?": 1\.0\}/);
  });

  test('says what waits for a result, and whether the cycle is open', () => {
    const transcript = begin(kit);
    expect([transcript.pending, transcript.isCycleOpen]).toEqual([[], false]);
    const turn = turnOf(kit, twoCalls);
    transcript.commit(turn);
    expect(transcript.pending.map(({ id, name, inputText }) => ({ id, name, inputText }))).toEqual([
      { id: 'a', name: 'ferry', inputText: '{"port": "Harlow"}' },
      { id: 'b', name: 'tide', inputText: '{"port": 1.0}' },
    ]);
    expect(transcript.isCycleOpen).toBe(true);
    transcript.answer(results);
    expect([transcript.pending, transcript.isCycleOpen]).toEqual([[], true]);
    transcript.user('Hurry!');
    expect(transcript.isCycleOpen).toBe(true);
    transcript.commit(turnOf(kit, answer));
    expect(transcript.isCycleOpen).toBe(false);
  });

  test('takes neither the user nor a turn while calls wait', () => {
    const transcript = begin(kit);
    transcript.commit(turnOf(kit, twoCalls));
    const before = transcript.entries;
    expect(() => transcript.user('Hurry!')).toThrow(/The call a \(ferry\) waits for its result.*the user speaks/);
    expect(() => transcript.commit(turnOf(kit, answer))).toThrow(/call a .*another turn is committed/);
    expect(transcript.entries).toBe(before);
  });

  test.each([
    [['a'], /call b has no result/],
    [['a', 'b', 'a'], /call a has two results/],
    [['a', 'b', 'c'], /no call c in this turn/],
  ])('refuses results that do not fit the calls: %j', (ids, message) => {
    const transcript = begin(kit);
    transcript.commit(turnOf(kit, twoCalls));
    const before = transcript.entries;
    expect(() => transcript.answer(ids.map((id) => ({ id, content: '' })))).toThrow(message);
    expect(transcript.entries).toBe(before);
    transcript.answer(results);
    expect(() => transcript.answer(results)).toThrow(/No call waits/);
  });

  test('answers a call with invalid input itself, beside others and alone', () => {
    const beside = begin(kit);
    beside.commit(turnOf(kit, { id: 't', calls: [...invalidCall.calls, { id: 'b', input: '{}' }] }));
    expect(beside.pending.map(({ id }) => id)).toEqual(['b']);
    beside.answer([{ id: 'b', content: 'low' }]);
    expect(refusals(kit, beside.entries)).toEqual([]);

    const alone = begin(kit);
    const report = alone.commit(turnOf(kit, invalidCall));
    expect([alone.pending, alone.isCycleOpen, report.added]).toEqual([[], true, 2]);
    expect(refusals(kit, alone.entries)).toEqual([]);
    alone.commit(turnOf(kit, answer));
    expect(refusals(kit, alone.entries)).toEqual([]);
  });

  test('knows a call by itself, whatever its input looks like', () => {
    const transcript = begin(kit);
    const calls = [
      { id: 'a', input: '{"INVALID_JSON": "copied by the model"}' },
      { id: 'b', input: '{}' },
    ];
    transcript.commit(turnOf(kit, { id: 't', calls }));
    expect(transcript.pending.map(({ id, inputText }) => `${id} ${inputText}`)).toEqual([
      'a {"INVALID_JSON": "copied by the model"}',
      'b {}',
    ]);
  });

  test('edits nothing: what was there is there, the same objects, frozen to their depth', () => {
    const transcript = begin(kit);
    transcript.commit(turnOf(kit, twoCalls));
    const before = transcript.entries;
    transcript.answer(results);
    expect(before.every((entry, at) => entry === transcript.entries[at])).toBe(true);
    expect(transcript.entries).not.toBe(before);
    expect(transcript.entries).toBe(transcript.entries);
    expect(() => Object.assign(transcript.entries, { 0: {} })).toThrow(TypeError);
    const nested = Object.values(transcript.entries.at(1) ?? {}).filter((value) => typeof value === 'object');
    expect(nested.every((value) => Object.isFrozen(value))).toBe(true);
  });

  test('freezes nothing that is in use elsewhere', () => {
    const transcript = begin(kit);
    transcript.commit(turnOf(kit, twoCalls));
    const level = { metres: 1.5, ports: ['Eider'] };
    transcript.answer([
      { id: 'a', content: level },
      { id: 'b', content: [level] },
    ]);
    level.ports.push('Harlow');
    const part = { type: 'text', text: 'And now?' };
    transcript.user([part]);
    part.text = 'changed';
    const written = stringifyRequest(transcript.entries);
    expect(written).toContain('And now?');
    expect(written).not.toContain('changed');
    const [call] = turnOf(kit, twoCalls).toolCalls;
    Object.assign(call?.input as JsonObject, { port: 'mine' });
  });

  test('takes a turn once, and two that share an id', () => {
    const transcript = begin(kit);
    const turn = turnOf(kit, answer);
    transcript.commit(turn);
    expect(() => transcript.commit(turn)).toThrow(/The turn turn_2 is in the transcript already/);
    expect(() => transcript.commit(turnOf(kit, answer))).toThrow(/in the transcript already/);
    // Some servers draw the ids of their answers from a thousand.
    transcript.user('And then?');
    transcript.commit(turnOf(kit, { ...answer, text: 'At ten.' }));
    expect(refusals(kit, transcript.entries)).toEqual([]);
  });

  test('leaves out a turn that is only reasoning, and says so', () => {
    const transcript = begin(kit);
    const report = transcript.commit(turnOf(kit, { id: 't', reasoning: 'Hm.' }));
    expect([report.added, report.leftOut]).toEqual([0, null]);
    expect(report.repairs.map(({ code }) => code)).toEqual(['trailing_reasoning']);
    expect(transcript.entries).toHaveLength(1);
  });

  test('goes on from a history that was given, as it is', () => {
    const first = begin(kit);
    first.commit(turnOf(kit, twoCalls));
    const second = createTranscript(kit.dialect, { entries: first.entries });
    expect(second.entries).toEqual(first.entries);
    expect(second.pending.map(({ id }) => id)).toEqual(['a', 'b']);
    second.answer(results);
    first.answer(results);
    expect(stringifyRequest(second.entries)).toBe(stringifyRequest(first.entries));
  });

  test('refuses a history in which calls and results do not fit', () => {
    const whole = begin(kit);
    whole.commit(turnOf(kit, twoCalls));
    const open = whole.entries;
    whole.answer(results);
    const answers = whole.entries.slice(open.length);
    const said = whole.entries.slice(0, 1);
    const from = (entries: readonly object[]) => () => createTranscript(kit.dialect, { entries });
    expect(from([...open, ...said])).toThrow(/call a and its results do not fit: 2 calls, 0 results/);
    expect(from([...said, ...answers])).toThrow(/result for the call|2 results/);
    expect(from([...whole.entries, ...answers])).toThrow(TypeError);
    if (answers.length > 1) {
      expect(from([...open, ...answers.slice(0, 1), ...answers.slice(0, 1)])).toThrow(/call a has two results/);
    }
  });
});

describe('createTranscript', () => {
  const [kit] = kits;
  if (!kit) throw new Error('There are no dialects.');

  test('refuses what is no dialect, one without histories, and what is no list of objects', () => {
    const bare = { name: 'bare', recognises: () => false, createAssembler: anthropic.createAssembler };
    expect(() => createTranscript('anthropic' as never)).toThrow(/Expected a dialect/);
    expect(() => createTranscript(bare as unknown as Dialect)).toThrow(/bare does not say how a history is written/);
    expect(() => createTranscript(anthropic, { entries: 'x' as never })).toThrow(/Expected a list of entries/);
    expect(() => createTranscript(anthropic, { entries: [{ role: 'user', content: 'x' }, null as never] })).toThrow(
      /Entry 1 of the history is no object/,
    );
  });

  test.each<[unknown, RegExp]>([
    ['', /says nothing/],
    [' \n', /says nothing/],
    [[], /says nothing/],
    [undefined, /a text or a list of parts, got undefined/],
    [{ text: 'x' }, /a text or a list of parts, got object/],
  ])('refuses a user who says %j, before every request is refused for it', (content, message) => {
    const transcript = createTranscript(anthropic);
    expect(() => transcript.user(content as string)).toThrow(message);
    expect(transcript.entries).toEqual([]);
  });

  test('refuses a turn of another dialect', () => {
    for (const other of kits.slice(1)) {
      expect(() => begin(kit).commit(turnOf(other, answer))).toThrow(/does not go into a transcript of anthropic/);
    }
  });

  test('takes a turn that came as JSON from elsewhere', () => {
    for (const each of kits) {
      const transcript = begin(each);
      transcript.commit(JSON.parse(JSON.stringify(turnOf(each, twoCalls))) as AssembledTurn<object>);
      expect(transcript.pending.map(({ id }) => id)).toEqual(['a', 'b']);
    }
  });

  test.each([
    ['anthropic', 'refusal'],
    ['chatCompletions', 'content_filter'],
    ['responses', 'content_filter'],
    ['gemini', 'SAFETY'],
  ])('leaves out what %s refused (%s), unless told otherwise', (name, stopReason) => {
    const each = kits.find((one) => one.name === name) ?? kit;
    const refused = { id: 't', text: 'I cannot', stopReason };
    const transcript = begin(each);
    expect(transcript.commit(turnOf(each, refused))).toMatchObject({
      added: 0,
      leftOut: 'refused',
      status: 'complete',
    });
    expect(transcript.entries).toHaveLength(1);
    expect(transcript.commit(turnOf(each, refused), { keepRefused: true })).toMatchObject({ added: 1, leftOut: null });
    expect(transcript.reports.map(({ leftOut }) => leftOut)).toEqual(['refused', null]);
  });

  test('knows that a paused turn goes on', () => {
    const transcript = begin(kit);
    transcript.commit(turnOf(kit, { id: 't', text: 'Searching', stopReason: 'pause_turn' }));
    expect([transcript.pending, transcript.isCycleOpen]).toEqual([[], true]);
    transcript.commit(turnOf(kit, answer));
    expect(transcript.isCycleOpen).toBe(false);
    expect(transcript.entries).toHaveLength(3);
  });
});
