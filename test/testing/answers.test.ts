import { describe, expect, test } from 'vitest';
import { type AssembledTurn, assembleTurn, createTranscript } from '../../src/index.ts';
import { type Fault, serveProvider, strictProvider } from '../../src/testing.ts';
import { usualScript } from './converse.ts';
import { anthropicSide, ask, deepseekSide, gatewaySide, geminiSide, post, responsesSide, type Side } from './sides.ts';

const secret = 'answers';
const script = usualScript;

/** The turn behind a question, with what goes wrong. */
function firstTurn<Entry, Item>(side: Side<Entry, Item>, fault: Fault, idleTimeout?: number): Promise<AssembledTurn> {
  const provider = strictProvider(side.dialect, { secret, script, faults: { 1: fault } });
  const body = side.bodyOf(asked(side));
  return assembleTurn(post(provider, side, body), side.dialect, { idleTimeout }).settled();
}

function asked<Entry, Item>(side: Side<Entry, Item>): readonly Item[] {
  const transcript = createTranscript(side.dialect);
  transcript.user('How do I get to Harlow?');
  return transcript.entries;
}

/** What was thought, said and called, whatever the blocks are cut into. */
function gistOf({ blocks, toolCalls }: AssembledTurn): object {
  const join = (kind: string): string =>
    blocks
      .filter((block) => block.kind === kind)
      .map(({ text }) => text)
      .join('');
  const calls = toolCalls.map(({ name, input }) => ({ name, input }));
  return { reasoning: join('reasoning'), text: join('text'), calls };
}

const expected = {
  reasoning: 'Both the weather and the tides decide this.The tides can be looked up beside it.',
  text: 'I will look. ',
  calls: [
    { name: 'weather', input: { city: 'Harlow', radius: 1 } },
    { name: 'tides', input: { city: 'Harlow', days: 2 } },
  ],
};

function itAnswers<Entry, Item>(side: Side<Entry, Item>): void {
  test.each(['event', 1, 7, 4096] as const)('with what was scripted, in chunks of: %s', async (chunking) => {
    const provider = strictProvider(side.dialect, { secret, script, chunking });
    const turn = await ask(provider, side, asked(side)).settled();
    expect(turn.status).toBe('complete');
    expect(turn.warnings).toEqual([]);
    expect(turn.repairs).toEqual([]);
    expect(gistOf(turn)).toEqual(expected);
  });

  test('with what was scripted, to the official client', async () => {
    const provider = strictProvider(side.dialect, { secret, script });
    const { url, close } = await serveProvider(provider);
    const turn = await assembleTurn(side.open(asked(side), { url }), side.dialect).settled();
    await close();
    expect(gistOf(turn)).toEqual(expected);
  });

  test('at a pace', async () => {
    const provider = strictProvider(side.dialect, { secret, script: [[{ text: 'one two' }]], pace: 5 });
    const start = performance.now();
    expect((await ask(provider, side, asked(side)).settled()).status).toBe('complete');
    expect(performance.now() - start).toBeGreaterThan(8);
  });

  test.each([429, 503, 529])('with the status %i, and with the turn when it is tried again', async (status) => {
    const fault: Fault = { type: 'status', status, retryAfter: 3 };
    const provider = strictProvider(side.dialect, { secret, script, faults: { 1: [fault, fault] } });
    for (const _try of [1, 2]) {
      const { error } = await ask(provider, side, asked(side)).settled();
      expect(error).toMatchObject({ code: 'http_status', status, retryable: true });
      expect(error).toHaveProperty(['headers', 'retry-after'], '3');
    }
    expect(gistOf(await ask(provider, side, asked(side)).settled())).toEqual(expected);
  });

  test('that is cut at each of many bytes', async () => {
    for (let atByte = 1; atByte < 1200; atByte += 97) {
      const turn = await firstTurn(side, { type: 'cut', atByte });
      expect(turn.status, `cut at ${atByte}`).toBe('truncated');
    }
  });

  test('that is cut by the connection', async () => {
    const turn = await firstTurn(side, { type: 'cut', atByte: 700, how: 'reset' });
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'transport' } });
  });

  test('with an error in the middle', async () => {
    const turn = await firstTurn(side, { type: 'error_event', afterEvents: 3 });
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'provider_error', retryable: true } });
  });

  test('that stalls', async () => {
    const turn = await firstTurn(side, { type: 'stall', afterEvents: 3 }, 40);
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'idle_timeout' } });
  });

  test('that is aborted while it stalls', async () => {
    const faults = { 1: { type: 'stall', afterEvents: 3 } } as const;
    const { url, close } = await serveProvider(strictProvider(side.dialect, { secret, script, faults }));
    const stop = new AbortController();
    const turn = assembleTurn(side.open(asked(side), { url }, stop.signal), side.dialect, { signal: stop.signal });
    turn.ui.subscribe(({ type }) => type === 'block_start' && stop.abort());
    setTimeout(() => stop.abort(), 300);
    expect((await turn.settled()).status).toBe('aborted');
    await close();
  });

  test('that it has not, with a refusal that says so', async () => {
    const { error } = await ask(strictProvider(side.dialect, { secret, script: [] }), side, asked(side)).settled();
    expect(error).toMatchObject({ code: 'http_status', status: 400 });
    expect(JSON.stringify(error)).toContain('The script has no turn 1');
  });

  test('not without a key, elsewhere, for another model, or what is no JSON', async () => {
    const provider = strictProvider(side.dialect, { secret, script, model: 'another' });
    const body = JSON.stringify(side.bodyOf(asked(side)));
    const { url, headers } = side;
    const statuses = [
      await provider(url, { method: 'POST', body }),
      await provider(url, { headers: { ...headers } }),
      await provider(new URL('/nowhere', url), { method: 'POST', body, headers: { ...headers } }),
      await provider(url, { method: 'POST', body, headers: { ...headers } }),
      await provider(url, { method: 'POST', body: '{', headers: { ...headers } }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([side === geminiSide ? 403 : 401, 404, 404, 404, 400]);
  });
}

describe('the strict provider of Anthropic answers', () => itAnswers(anthropicSide));
describe('the strict provider of a gateway answers', () => itAnswers(gatewaySide));
describe('the strict provider of open weights answers', () => itAnswers(deepseekSide));
describe('the strict provider of Responses answers', () => itAnswers(responsesSide));
describe('the strict provider of Gemini answers', () => itAnswers(geminiSide));

describe('a start that comes twice', () => {
  const fault: Fault = { type: 'repeated_start' };

  test('changes nothing for Anthropic and Responses', async () => {
    expect(gistOf(await firstTurn(anthropicSide, fault))).toEqual(expected);
    expect(gistOf(await firstTurn(responsesSide, fault))).toEqual(expected);
  });

  test('is there on the wire', async () => {
    const provider = strictProvider(anthropicSide.dialect, { secret, script, faults: { 1: fault } });
    const text = await (await post(provider, anthropicSide, anthropicSide.bodyOf(asked(anthropicSide)))).text();
    expect(text.match(/^event: message_start$/gm)).toHaveLength(2);
  });

  test.each([gatewaySide.dialect, geminiSide.dialect])('is misuse where nothing starts a turn', (dialect) => {
    expect(() => strictProvider(dialect, { secret, script, faults: { 2: fault } })).toThrow(TypeError);
  });
});

describe('strictProvider', () => {
  test.each([{ pace: -1 }, { chunking: 0 }, { chunking: 1.5 }])('refuses %o', (options) => {
    expect(() => strictProvider(anthropicSide.dialect, { secret, script, ...options })).toThrow(TypeError);
  });

  test('refuses blocks that are none', async () => {
    const wrong = [[{ thinking: 'x' }]] as unknown as typeof script;
    const provider = strictProvider(anthropicSide.dialect, { secret, script: wrong });
    await expect(post(provider, anthropicSide, anthropicSide.bodyOf(asked(anthropicSide)))).rejects.toThrow(TypeError);
  });

  test('asks a function for each turn, with the request', async () => {
    const asks: string[] = [];
    const provider = strictProvider(anthropicSide.dialect, {
      secret,
      async script(request, turnNumber) {
        asks.push(`${turnNumber} ${Object.keys((await request.json()) as object).includes('messages')}`);
        return { blocks: [{ text: 'Half a' }], stopReason: 'max_tokens' };
      },
    });
    const turn = await ask(provider, anthropicSide, asked(anthropicSide)).settled();
    expect(asks).toEqual(['1 true']);
    expect(turn.stopReason).toBe('max_tokens');
  });

  test('takes signatures of another provider with the same secret, and of no other', async () => {
    const made = strictProvider(anthropicSide.dialect, { secret, script });
    const transcript = createTranscript(anthropicSide.dialect);
    transcript.user('How do I get to Harlow?');
    transcript.commit(await ask(made, anthropicSide, transcript.entries).finalTurn());
    transcript.answer(transcript.pending.map(({ id }) => ({ id, content: 'fine' })));
    const body = anthropicSide.bodyOf(transcript.entries);
    const statusWith = async (other: string): Promise<number> =>
      (await post(strictProvider(anthropicSide.dialect, { secret: other, script }), anthropicSide, body)).status;
    expect([await statusWith(secret), await statusWith('another')]).toEqual([200, 400]);
  });
});
