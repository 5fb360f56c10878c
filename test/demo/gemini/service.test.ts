import { ApiError, type Content, GoogleGenAI } from '@google/genai';
import { afterEach, describe, expect, test } from 'vitest';
import { compareBlocks } from '../../../demo/compare.ts';
import { partsOf, sourceOf } from '../../../demo/gemini/contents.ts';
import { createGeminiService } from '../../../demo/gemini/service.ts';
import { createProvider, type Provider } from '../../../demo/provider.ts';
import { script } from '../../../demo/script.ts';

type Json = Record<string, unknown>;

const service = createGeminiService();
const sent = service.answers.map(({ blocks }) => blocks);
const [parts = [], lastParts = []] = script.map((answer) => partsOf(answer).map(sourceOf));
const [thought = '', text = '', laterThought = '', aurora = '', clouds = ''] = parts;
const question = content('user', '{"text":"Northern lights?"}');
const [auroraResponse, cloudsResponse] = [response('aurora_forecast'), response('cloud_cover')];
const responses = content('user', auroraResponse, cloudsResponse);
const started: Provider[] = [];

const mismatch =
  'Please ensure that the number of function response parts is equal to the number of function call parts ' +
  'of the function call turn.';
const lost = 'Please ensure that function response turn comes immediately after a function call turn.';

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

describe('the service', () => {
  test('accepts an answer that comes back as it was', () => {
    expect(refusalOf(model(...parts), responses)).toBeNull();
  });

  test('accepts both answers, each beside what was sent', () => {
    expect(refusalOf(model(...parts), responses, model(...lastParts), question)).toBeNull();
  });

  test('accepts blanks and members in another order', () => {
    const { functionCall, thoughtSignature }: Json = JSON.parse(aurora);
    expect(Object.keys(Object(functionCall))).toEqual(['name', 'args']);
    const raw = aurora.slice(aurora.indexOf('"args": ') + 8, aurora.indexOf('},"thoughtSignature"'));
    const reordered = `{"thoughtSignature":${JSON.stringify(thoughtSignature)},"functionCall":{"args":${raw},"name":"aurora_forecast"}}`;
    expect(refusalOf(model(thought, text, laterThought, reordered, clouds), responses)).toBeNull();
  });

  test('refuses a first call without its signature, by its place among the contents', () => {
    expect(refusalOf(model(thought, text, laterThought, unsigned(aurora), clouds), responses)).toBe(
      missing('aurora_forecast', 2),
    );
  });

  test('refuses calls in contents of their own: the second is the first of its content', () => {
    expect(refusalOf(model(thought, text, laterThought, aurora), model(clouds), responses)).toBe(
      missing('cloud_cover', 3),
    );
    expect(refusalOf(...parts.map((part) => model(part)), responses)).toBe(missing('cloud_cover', 6));
  });

  test('refuses calls in another order, and a first call that is left out', () => {
    expect(refusalOf(model(thought, text, laterThought, clouds, aurora), responses)).toBe(missing('cloud_cover', 2));
    expect(refusalOf(model(thought, text, laterThought, clouds), content('user', cloudsResponse))).toBe(
      missing('cloud_cover', 2),
    );
  });

  test('looks for signatures in the current turn alone', () => {
    const bare = '{"functionCall":{"name":"a","args":{}}}';
    const history = [question, model(bare), content('user', response('a'))];
    expect(verify(history, [])).toBe(missing('a', 2));
    expect(verify([...history, model('{"text":"Yes"}'), question], [])).toBeNull();
  });

  test('accepts a call of another model with the sentinel for its signature', () => {
    const foreign = '{"functionCall":{"name":"a","args":{}},"thoughtSignature":"skip_thought_signature_validator"}';
    expect(verify([question, model(foreign), content('user', response('a'))], [])).toBeNull();
  });

  test.each<[string, readonly string[]]>([
    ['on a call', [thought, text, laterThought, signed(aurora, 'AAAA'), clouds]],
    ['emptied', [thought, text, laterThought, signed(aurora, ''), clouds]],
    ['added to a sibling', [thought, text, laterThought, aurora, signed(clouds, 'AAAA')]],
    ['added to a thought', [signed(thought, 'AAAA'), text, laterThought, aurora, clouds]],
  ])('refuses a signature that was changed: %s', (_, changed) => {
    expect(refusalOf(model(...changed), responses)).toBe('Corrupted thought signature.');
  });

  test('refuses signatures that it never gave', () => {
    expect(verify([question, model(...parts), responses], [])).toBe('Corrupted thought signature.');
  });

  test.each<[string, readonly string[]]>([
    ['missing', [content('user', '{"text":"Well?"}')]],
    ['not sent at all', []],
    ['partly missing', [content('user', auroraResponse)]],
    ['in contents of their own', [content('user', auroraResponse), content('user', cloudsResponse)]],
    ['one too many', [content('user', auroraResponse, cloudsResponse, cloudsResponse)]],
  ])('refuses responses that are %s', (_, contents) => {
    expect(refusalOf(model(...parts), ...contents)).toBe(mismatch);
  });

  test('refuses responses that follow no calls', () => {
    expect(verify([responses], [])).toBe(lost);
    expect(verify([question, responses], [])).toBe(lost);
    expect(verify([question, model('{"text":"Hm"}'), responses], [])).toBe(lost);
  });

  test.each<[string, readonly string[], string]>([
    ['a text', [thought, '{"text":"Hm"}', laterThought, aurora, clouds], 'contents.1.parts.1: Expected the `text`'],
    ['no thought', [text, aurora, clouds], 'contents.1.parts.0: Expected the `thought` block'],
    [
      'thoughts in pieces',
      [...pieces(thought), text, laterThought, aurora, clouds],
      'contents.1.parts.0: Expected the',
    ],
    [
      'a signature that moved to the sibling',
      [thought, text, laterThought, aurora, signed(clouds, signatureOf(aurora))],
      'contents.1.parts.4: Expected the `functionCall` block',
    ],
    [
      'a number spelt otherwise',
      [thought, text, laterThought, aurora.replace('3.0', '3'), clouds],
      'contents.1.parts.3: Expected the `functionCall` block of the original response, unchanged and in its place',
    ],
    [
      'a call id of the client',
      [thought, text, laterThought, aurora.replace('"name"', '"id": "call_1","name"'), clouds],
      'contents.1.parts.3: Expected the `functionCall` block',
    ],
  ])('refuses %s that was changed', (_, changed, sentence) => {
    expect(refusalOf(model(...changed), responses)).toContain(sentence);
  });

  test('refuses an end without its signature, or without the text that carries it', () => {
    const end = content('user', '{"text":"Sure?"}');
    const [lastThought = '', lastText = '', tail = ''] = lastParts;
    const refused = (...changed: readonly string[]) =>
      refusalOf(model(...parts), responses, model(lastThought, ...changed), end);
    expect(refused(lastText, tail)).toBeNull();
    expect(refused(lastText)).toContain('contents.3.parts.2: Expected the `text` block');
    expect(refused(signed(lastText, signatureOf(tail)))).toContain('contents.3.parts.1: Expected the `text` block');
  });

  test('refuses every swap, every gap and every repetition', () => {
    const places = [...parts.keys()];
    const lists = places.flatMap((one) => [
      parts.toSpliced(one, 1),
      parts.toSpliced(one, 0, parts[one] ?? ''),
      ...places.slice(0, one).map((other) => parts.with(one, parts[other] ?? '').with(other, parts[one] ?? '')),
    ]);
    expect(lists).toHaveLength(5 + 5 + 10);
    for (const list of lists) expect(refusalOf(model(...list), responses)).not.toBeNull();
  });

  test('names each part by its place in the request, and what is missing', () => {
    const messages = service.readMessages([question, model(text, thought)]);
    expect(compareBlocks(messages, sent).map(({ path, type, match }) => [path, type, match])).toEqual([
      ['contents.1.parts.0', 'text', 'different'],
      ['contents.1.parts.1', 'thought', 'different'],
      ['contents.1.parts.2', 'thought', 'missing'],
      ['contents.1.parts.3', 'functionCall', 'missing'],
      ['contents.1.parts.4', 'functionCall', 'missing'],
    ]);
  });

  test('answers the official client, and refuses with the error shape that it reads', async () => {
    const client = new GoogleGenAI({ apiKey: 'local', vertexai: false, httpOptions: { baseUrl: (await start()).url } });
    const ask = (contents: Content[]) => client.models.generateContentStream({ model: 'gemini-local', contents });
    const calls: (string | undefined)[] = [];
    let last: string | undefined;
    for await (const chunk of await ask([{ role: 'user', parts: [{ text: 'Northern lights?' }] }])) {
      calls.push(...(chunk.functionCalls ?? []).map(({ name }) => name));
      last = chunk.candidates?.[0]?.finishReason;
    }
    expect([calls, last]).toEqual([['aurora_forecast', 'cloud_cover'], 'STOP']);
    const refused = await ask([{ role: 'user', parts: [{ functionResponse: { name: 'a', response: {} } }] }]).catch(
      (cause: unknown) => cause,
    );
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({
      status: 400,
      message: JSON.stringify({ error: { code: 400, message: lost, status: 'INVALID_ARGUMENT' } }),
    });
  });

  test.each<[string, { path?: string; headers?: Record<string, string>; body?: string }, number, string, string]>([
    [
      'no key',
      { headers: {} },
      403,
      'PERMISSION_DENIED',
      "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity.",
    ],
    [
      'another method of a model',
      { path: '/v1beta/models/m:generateContent' },
      404,
      'NOT_FOUND',
      'POST /v1beta/models/m:generateContent is not found',
    ],
    [
      'an answer that is to come at once',
      { path: '/v1beta/models/m:streamGenerateContent' },
      400,
      'INVALID_ARGUMENT',
      'stream: this local provider only streams',
    ],
    ['no contents', { body: '{}' }, 400, 'INVALID_ARGUMENT', 'contents: Field required'],
    [
      'empty contents',
      { body: '{"contents":[]}' },
      400,
      'INVALID_ARGUMENT',
      'contents: at least one content is required',
    ],
    [
      'an odd role',
      { body: '{"contents":[{"role":"assistant","parts":[{"text":"a"}]}]}' },
      400,
      'INVALID_ARGUMENT',
      'contents.0: Input should be a content with parts, of the role user or model',
    ],
  ])('refuses %s', async (_, trial, code, status, message) => {
    const provider = await start();
    const {
      path = '/v1beta/models/m:streamGenerateContent?alt=sse',
      headers = { 'x-goog-api-key': 'k' },
      body = `{"contents":[${question}]}`,
    } = trial;
    const answer = await fetch(`${provider.url}${path}`, { method: 'POST', headers, body });
    expect(answer.status).toBe(code);
    expect(await answer.json()).toEqual({ error: { code, message, status } });
  });
});

function missing(name: string, position: number): string {
  return (
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, ' +
    `and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , ` +
    `position ${position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`
  );
}

/** The refusal's sentence for a history of the question and these contents. */
function refusalOf(...contents: readonly string[]): string | null {
  return verify([question, ...contents]);
}

function verify(contents: readonly string[], answers = sent): string | null {
  for (const source of contents) expect(service.isMessage(JSON.parse(source))).toBe(true);
  return service.verify(service.readMessages(contents), answers)?.message ?? null;
}

function model(...sources: readonly string[]): string {
  return content('model', ...sources);
}

function content(role: string, ...sources: readonly string[]): string {
  return `{"role":"${role}","parts":[${sources.join(',')}]}`;
}

function response(name: string): string {
  return `{"functionResponse":{"name":"${name}","response":{"output":"{}"}}}`;
}

function unsigned(source: string): string {
  return source.replace(/,"thoughtSignature": "[^"]*"/, '');
}

function signed(source: string, signature: string): string {
  return `${unsigned(source).slice(0, -1)},"thoughtSignature": ${JSON.stringify(signature)}}`;
}

function signatureOf(source: string): string {
  return /"thoughtSignature": "([^"]*)"/.exec(source)?.[1] ?? '';
}

/** A text in two parts. */
function pieces(source: string): string[] {
  const { text: whole, ...rest }: Json = JSON.parse(source);
  return [String(whole).slice(0, 9), String(whole).slice(9)].map((piece) => JSON.stringify({ text: piece, ...rest }));
}

async function start(): Promise<Provider> {
  const provider = await createProvider({ service, speed: 0 });
  started.push(provider);
  return provider;
}
