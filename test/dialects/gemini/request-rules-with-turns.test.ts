import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { gemini } from '../../../src/gemini.ts';
import type { AssembledTurn } from '../../../src/index.ts';
import { checkRequest } from '../../../src/replay/check-request.ts';
import { assemble, call, chunks } from './wire-chunks.ts';

const user = { role: 'user', parts: [{ text: 'When is high water, and how strong is the wind?' }] };
const thought = { text: 'Two things to look up.', thought: true };
const tide = call({ name: 'tide', args: { port: 'Brest', day: 3 } }, { thoughtSignature: 'dGlkZS10aWRlLXRpZGU/' });
const wind = call({ name: 'wind', args: {} });
const answer = { text: 'At 06:40.', thoughtSignature: 'YW5zd2Vy'.repeat(12) };
const responses = {
  role: 'user',
  parts: ['tide', 'wind'].map((name) => ({ functionResponse: { name, response: {} } })),
};

/** The turn with the two calls, and the one with the answer. */
async function turns(modelVersion = 'gemini-3-pro-preview'): Promise<AssembledTurn[]> {
  const lists = [[thought, tide, wind], [answer]];
  const assembled = lists.map((parts) => assemble(chunks(parts).map((chunk) => ({ ...chunk, modelVersion }))));
  return (await Promise.all(assembled)).map(({ turn }) => turn);
}

/** A request with these parts as the first answer. */
function ask(...parts: unknown[]): JsonObject {
  return { model: 'gemini-3-pro-preview', contents: [user, { role: 'model', parts }, responses] };
}

/** A request after an answer without calls. */
function askAfter(...parts: unknown[]): JsonObject {
  return { model: 'gemini-3-pro-preview', contents: [user, { role: 'model', parts }, user] };
}

async function found(body: JsonObject, assembled?: AssembledTurn[]): Promise<string[]> {
  const findings = checkRequest(body, gemini, { turns: assembled ?? (await turns()) });
  return findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

const { thoughtSignature: tideSignature, ...unsignedTide } = tide;

describe('gemini, beside the turns that were assembled', () => {
  test.each<[string, JsonObject, string[]]>([
    ['calls as they came', ask(thought, tide, wind), []],
    ['an answer as it came', askAfter(answer), []],
    [
      'arguments in another order',
      ask({ ...tide, functionCall: { name: 'tide', args: { day: 3, port: 'Brest' } } }, wind),
      [],
    ],
    ['an id for a call', ask({ ...tide, functionCall: { id: 'a', ...Object(tide['functionCall']) } }, wind), []],
    ['a signature in the other alphabet', ask({ ...tide, thoughtSignature: 'dGlkZS10aWRlLXRpZGU_' }, wind), []],
    [
      'the signature at the other call',
      ask(unsignedTide, { ...wind, thoughtSignature: tideSignature }),
      [
        'error missing_thought_signature contents[1].parts[0]',
        'error moved_signature contents[1].parts[1]',
        'warning dropped_signature contents[1].parts[0]',
      ],
    ],
    [
      'other arguments',
      ask({ ...tide, functionCall: { name: 'tide', args: { port: 'Lorient' } } }, wind),
      ['warning moved_signature contents[1].parts[0]'],
    ],
    [
      'a text joined to a signed one',
      askAfter({ ...answer, text: 'At 06:40. And that is that.' }),
      ['warning moved_signature contents[1].parts[0]'],
    ],
    [
      'a text without its signature',
      askAfter({ text: answer.text }),
      ['warning dropped_signature contents[1].parts[0]'],
    ],
    [
      'two signatures in one',
      askAfter({ ...answer, thoughtSignature: `${answer.thoughtSignature}bW9yZQ==` }),
      ['error merged_signature contents[1].parts[0]'],
    ],
    ['a text of another process', askAfter({ text: 'Good.', thoughtSignature: 'b3RoZXI=' }), []],
  ])('%s', async (_title, body, findings) => {
    expect(await found(body)).toEqual(findings);
  });

  test('signatures of another model', async () => {
    const body = askAfter(answer);
    const codes = ['warning foreign_signature contents[1].parts[0]'];
    expect(await found(body, await turns('gemini-2.5-flash'))).toEqual(codes);
    expect(await found(body, await turns('gemini-3-flash-preview'))).toEqual(codes);
    // The service hands a name on to the model that follows.
    expect(await found(body, await turns('gemini-3.1-pro-preview'))).toEqual([]);
  });

  test('the turns tell which model it is where the body does not', async () => {
    const { contents } = ask(unsignedTide, wind);
    const codes = [
      'error missing_thought_signature contents[1].parts[0]',
      'warning dropped_signature contents[1].parts[0]',
    ];
    expect(await found({ contents })).toEqual(codes);
    expect(await found({ contents }, await turns('gemini-2.5-pro'))).toEqual(codes.slice(1));
  });

  test('two equal calls of which one was signed', async () => {
    const { turn } = await assemble(chunks([{ ...wind, thoughtSignature: 'd2luZA==' }, wind]));
    const contents = [user, { role: 'model', parts: [{ ...wind, thoughtSignature: 'd2luZA==' }, wind] }];
    const answers = { role: 'user', parts: ['wind', 'wind'].map((name) => ({ functionResponse: { name } })) };
    expect(await found({ contents: [...contents, answers] }, [turn])).toEqual([]);
  });
});
