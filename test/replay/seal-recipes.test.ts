import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { assembleTurn, createTranscript, type SealPolicy, stringifyRequest, type Transcript } from '../../src/index.ts';
import { type DialectKit, kits, type Plan, turnOf } from './dialect-kits.ts';
import { refusals } from './provider-rules.ts';

const plan: Plan = {
  id: 'turn_1',
  reasoning: 'Ferry first.',
  text: 'Let me see.',
  calls: [
    { id: 'a', name: 'ferry', input: '{"port": 1.0}' },
    { id: 'b', name: 'tide', input: '{"port": "Eider"}' },
  ],
};
const policies: readonly SealPolicy[] = ['drop', 'keep_text', 'keep_finished'];

function begin({ dialect }: DialectKit): Transcript<object, object> {
  const transcript = createTranscript(dialect);
  transcript.user('When does the ferry leave?');
  return transcript;
}

/** A stream of which the first events have come; what stands in the body up to a word, that word included. */
function running(kit: DialectKit, word: string) {
  const body = new Subject<string>();
  const turn = assembleTurn(body, kit.dialect);
  const events = kit.stream(plan);
  for (const event of events.slice(0, events.findIndex((text) => text.includes(word)) + 1)) body.next(event);
  return { body, turn };
}

/** The conversation must go on whatever was kept: the user speaks, and the model answers. */
function expectToGoOn(kit: DialectKit, transcript: Transcript<object, object>): void {
  expect(transcript.pending).toEqual([]);
  transcript.user('And back?');
  expect(refusals(kit, transcript.entries)).toEqual([]);
  transcript.commit(turnOf(kit, { id: 'turn_2', text: 'At noon.' }));
  expect(refusals(kit, transcript.entries)).toEqual([]);
  expect(stringifyRequest(transcript.entries)).toContain('At noon.');
}

describe.each(kits)('in $name', (kit) => {
  describe.each(policies)('with %s', (policy) => {
    test.each([
      ['thinking', 'Ferry'],
      ['the text', 'Let me'],
      ['tool input', 'Eide'],
    ])('a stop pressed during %s leaves a valid history', async (_what, word) => {
      const { turn } = running(kit, kit.name === 'gemini' || word !== 'Eide' ? word : 'port');
      turn.abort();
      const stopped = await turn.settled();
      expect(stopped.status).toBe('aborted');
      expect(stopped.blocks.length).toBeGreaterThan(0);
      const transcript = begin(kit);
      transcript.commit(stopped, { ifInterrupted: policy, cutText: 'keep' });
      expectToGoOn(kit, transcript);
    });

    test('a stream that is cut leaves a valid history', async () => {
      const { body, turn } = running(kit, 'Eide');
      body.complete();
      const cut = await turn.settled();
      expect(cut.status).toBe('truncated');
      const transcript = begin(kit);
      transcript.commit(cut, { ifInterrupted: policy });
      expectToGoOn(kit, transcript);
    });

    test('an error in mid-stream leaves a valid history', async () => {
      const { body, turn } = running(kit, 'Let me');
      body.next(kit.error);
      const failed = await turn.settled();
      expect([failed.status, failed.error?.code]).toEqual(['failed', 'provider_error']);
      const transcript = begin(kit);
      transcript.commit(failed, { ifInterrupted: policy });
      expectToGoOn(kit, transcript);
    });

    test('a connection that breaks leaves a valid history', async () => {
      const { body, turn } = running(kit, 'Ferry');
      body.error(new Error('socket hang up'));
      const transcript = begin(kit);
      transcript.commit(await turn.settled(), { ifInterrupted: policy });
      expectToGoOn(kit, transcript);
    });
  });

  test('a stop pressed while tools run keeps the results that are there', () => {
    const transcript = begin(kit);
    transcript.commit(turnOf(kit, plan));
    const results = new Map([['b', { id: 'b', content: 'ebb tide' }]]);
    const stopped = { content: 'Stopped by the user.', isError: true };
    transcript.answer(transcript.pending.map(({ id }) => results.get(id) ?? { id, ...stopped }));
    const written = stringifyRequest(transcript.entries);
    expect(written).toMatch(/Stopped by the user\..*ebb tide/);
    expectToGoOn(kit, transcript);
  });

  test('what stays of a conversation that was stopped survives a text', async () => {
    const { turn } = running(kit, 'Eide');
    turn.abort();
    const transcript = begin(kit);
    transcript.commit(await turn.settled(), { ifInterrupted: 'keep_finished' });
    transcript.user('And back?');
    expect(refusals(kit, transcript.trim({ keepCycles: 1 }).entries)).toEqual([]);
    expect(refusals(kit, transcript.withoutReasoning().entries)).toEqual([]);
  });
});
