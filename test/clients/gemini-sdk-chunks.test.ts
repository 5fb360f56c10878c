import { type CallableTool, type GenerateContentResponse, GoogleGenAI, type GoogleGenAIOptions } from '@google/genai';
import { of } from 'rxjs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type GeminiEntry, gemini } from '../../src/gemini.ts';
import { type AssembledTurn, assembleTurn, type Dialect, stringifyRequest, type TurnStatus } from '../../src/index.ts';
import { chunk, sse } from '../dialects/gemini/wire-chunks.ts';
import { type Fixture, listFixtures } from '../fixtures.ts';
import { comparable, comparableValues } from './comparable-turn.ts';
import { rawChunk, toolTurn } from './gemini-answer.ts';

/** What the SDK loses of a fixture, and how the turn ends without it. */
interface Loss {
  readonly what: string;
  readonly status: TurnStatus;
}

const lostBySdk: Readonly<Record<string, Loss>> = {
  'bad_bare-error-body': { what: 'an error that is no event, unless it comes in a chunk of its own', status: 'failed' },
  'bad_event-error': { what: 'an event with an `event` line', status: 'truncated' },
  'bad_malformed-event': { what: 'the data that is no JSON', status: 'failed' },
  'cut_finish-reason-unspecified': { what: 'that [DONE] says nothing', status: 'failed' },
  'cut_in-half-an-event': { what: 'that bytes may end in the middle of an event', status: 'failed' },
  'ok_args-no-object': { what: 'the text of args that are no object', status: 'complete' },
  'ok_half-an-event-after-finish-reason': { what: 'that bytes may end in the middle of an event', status: 'failed' },
  'ok_no-last-blank-line': { what: 'the last event, which has no blank line', status: 'failed' },
  'ok_unknown-events': { what: 'that [DONE] says nothing', status: 'failed' },
};

/** What it loses more of the Gemini API, of which it copies known members only; of Vertex AI it keeps candidates whole. */
const lostOfGeminiApi: Readonly<Record<string, Loss>> = {
  ...lostBySdk,
  ok_citations: { what: 'citations that have the name of Vertex AI', status: 'complete' },
};

const services: readonly Service[] = [
  { name: 'the Gemini API', options: {}, lost: lostOfGeminiApi, unknownMembers: ['createTime', 'finishMessage'] },
  { name: 'Vertex AI', options: { vertexai: true }, lost: lostBySdk, unknownMembers: [] },
];

/** One of the services that the SDK speaks to, each in its own way. */
interface Service {
  readonly name: string;
  readonly options: GoogleGenAIOptions;
  readonly lost: Readonly<Record<string, Loss>>;
  /** Members around the content that the SDK does not hand on. */
  readonly unknownMembers: readonly string[];
}

const fixtures = listFixtures('gemini');
const named = fixtures.map((fixture) => [fixture.name, fixture] as const);

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(services)('assembleTurn of gemini, over the chunks of the SDK for $name', (service) => {
  test.each(named)('makes of %s what its bytes make', async (name, fixture) => {
    const [ofChunks, ofBytes] = await assembleBoth(fixture, service);
    const lost = service.lost[name];
    const view = (turn: AssembledTurn): object => comparableValues(withoutMembers(turn, service.unknownMembers));
    if (!lost) return expect(view(ofChunks)).toEqual(view(ofBytes));
    expect(comparable(ofChunks), `the SDK loses ${lost.what}`).not.toEqual(comparable(ofBytes));
    expect(ofChunks.status).toBe(lost.status);
  });

  test('knows the fixtures that it treats on their own', () => {
    expect(fixtures.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(service.lost)));
  });

  test('hands on the parts as they came, unknown ones too', async () => {
    const part = '{"futurePart":{"deep":[{}]},"thoughtSignature":"c2ln+/=","text":null,"partMetadata":{"a":1}}';
    const { entries } = await assembleChunks(rawChunk(part, 'STOP'), service);
    expect(JSON.stringify(entries)).toBe(`[{"role":"model","parts":[${part}]}]`);
  });

  test('has no text of args, but their value', async () => {
    const part = '{"functionCall":{"args": {"b": 1.0, "a":12345678901234567890}, "name":"look"}}';
    const { toolCalls, entries } = await assembleChunks(rawChunk(part, 'STOP'), service);
    expect(toolCalls).toMatchObject([{ name: 'look', inputText: '{"b":1,"a":12345678901234567000}' }]);
    expect(stringifyRequest(entries)).toContain(
      '{"functionCall":{"args":{"b":1,"a":12345678901234567000},"name":"look"}}',
    );
  });
});

describe('assembleTurn of gemini, over the chunks of the SDK', () => {
  const [geminiApi] = services as [Service];

  test.each(['createTime', 'finishMessage'])('has no %s of the Gemini API', async (member) => {
    const body = sse({
      ...chunk([{ text: 'Hi' }], { finishReason: 'STOP', finishMessage: 'Over' }),
      createTime: 'now',
    });
    const ofChunks = await assembleChunks(body, geminiApi);
    const ofBytes = await assembleTurn(of(body), gemini).settled();
    expect(ofBytes.envelope).toHaveProperty(member);
    expect(ofChunks.envelope).not.toHaveProperty(member);
  });

  test('leaves what the SDK adds out of the turn, and asks none of its getters', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const seen: GenerateContentResponse[] = [];
    async function* watched(): AsyncGenerator<GenerateContentResponse> {
      for await (const response of await sdkStream(toolTurn, geminiApi)) {
        seen.push(response);
        yield response;
      }
    }
    const turn = await assembleTurn(watched(), gemini).finalTurn();
    expect(seen.every((response) => response.sdkHttpResponse?.headers?.['x-local'] === 'yes')).toBe(true);
    expect(JSON.stringify(turn)).not.toContain('sdkHttpResponse');
    expect(turn.warnings).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
    // The getters complain about what they leave out.
    expect(seen.map(({ text }) => text)).toEqual([undefined, 'Looking.', undefined, '']);
    expect(warn).toHaveBeenCalled();
  });

  test.each([
    ['without a code', { message: 'Busy', status: 'UNAVAILABLE' }],
    ['with a code that is none of HTTP', { code: 14, message: 'Busy', status: 'UNAVAILABLE' }],
  ])('never hears of an error %s', async (_which, error) => {
    const body = sse(chunk([{ text: 'Hel' }]), { error });
    await expect(assembleTurn(of(body), gemini).settled()).resolves.toMatchObject({
      status: 'failed',
      error: { code: 'provider_error', said: 'Busy' },
    });
    await expect(assembleChunks(body, geminiApi)).resolves.toMatchObject({
      status: 'truncated',
      entries: [],
      warnings: [{ code: 'unknown_event' }],
    });
  });

  test('takes what a chat of the SDK gives, too', async () => {
    const fixture = fixtureOf('ok_parallel-calls-in-several-chunks');
    const chat = clientOf(geminiApi, fixture.bytes).chats.create({ model: 'any' });
    const ofChunks = await assembleTurn(chat.sendMessageStream({ message: 'any' }), gemini).settled();
    const [, ofBytes] = await assembleBoth(fixture, geminiApi);
    expect(comparableValues(ofChunks)).toEqual(comparableValues(ofBytes));
  });
});

describe('a stream in which the SDK runs the tools itself', () => {
  const callTurn = sse(chunk([{ functionCall: { name: 'look', args: {} } }], { finishReason: 'STOP' }));
  const textTurn = sse(chunk([{ text: 'Fog.' }], { finishReason: 'STOP' }));
  const run = (disable: boolean): Promise<AssembledTurn<GeminiEntry>> => {
    const look: CallableTool = {
      tool: async () => ({ functionDeclarations: [{ name: 'look' }] }),
      callTool: async () => [{ functionResponse: { name: 'look', response: { sky: 'fog' } } }],
    };
    const config = { tools: [look], automaticFunctionCalling: { disable } };
    const client = clientOf(services[0] as Service, callTurn, textTurn);
    return assembleTurn(
      client.models.generateContentStream({ model: 'any', contents: 'any', config }),
      gemini,
    ).settled();
  };

  test('is one turn, and the call is for the caller, once that is disabled', async () => {
    const { entries, toolCalls } = await run(true);
    expect(toolCalls).toMatchObject([{ name: 'look' }]);
    expect(entries).toEqual([{ role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] }]);
  });

  test('else holds several turns and the results between them; what was run is not to be run again', async () => {
    const { entries, toolCalls } = await run(false);
    expect(toolCalls).toEqual([]);
    expect(entries).toMatchObject([{ parts: [{ functionCall: {} }, { functionResponse: {} }, { text: 'Fog.' }] }]);
  });
});

/** Hands a whole body to the SDK, and what the SDK makes of it to `assembleTurn`. */
function assembleChunks(
  body: Uint8Array | string,
  service: Service,
  dialect: Dialect<GeminiEntry> = gemini,
): Promise<AssembledTurn<GeminiEntry>> {
  return assembleTurn(sdkStream(body, service), dialect).settled();
}

/** What the SDK makes of a body. */
function sdkStream(body: Uint8Array | string, service: Service): Promise<AsyncGenerator<GenerateContentResponse>> {
  return clientOf(service, body).models.generateContentStream({ model: 'any', contents: 'any' });
}

/** A client whose requests are answered with these bodies in turn. */
function clientOf({ options }: Service, ...bodies: readonly (Uint8Array | string)[]): GoogleGenAI {
  const headers = { 'content-type': 'text/event-stream', 'x-local': 'yes' };
  const waiting = [...bodies];
  const answer: typeof fetch = async () => {
    const body = waiting.shift() ?? '';
    return new Response(typeof body === 'string' ? body : new Uint8Array(body), { headers });
  };
  return new GoogleGenAI({ apiKey: 'unused', ...options, httpOptions: { fetch: answer } });
}

/** The turn without members of its envelope. */
function withoutMembers(turn: AssembledTurn, names: readonly string[]): AssembledTurn {
  const members = Object.entries(turn.envelope).filter(([name]) => !names.includes(name));
  return { ...turn, envelope: Object.fromEntries(members) };
}

function dialectOf({ expected: { options } }: Fixture): Dialect<GeminiEntry> {
  const { candidate } = options;
  return typeof candidate === 'number' ? gemini({ candidate }) : gemini;
}

/** The turn of what the SDK makes of a fixture, and that of its bytes. */
async function assembleBoth(
  fixture: Fixture,
  service: Service,
): Promise<readonly [AssembledTurn<GeminiEntry>, AssembledTurn<GeminiEntry>]> {
  const dialect = dialectOf(fixture);
  const ofBytes = assembleTurn(of(fixture.bytes), dialect).settled();
  return [await assembleChunks(fixture.bytes, service, dialect), await ofBytes];
}

function fixtureOf(name: string): Fixture {
  const fixture = fixtures.find((other) => other.name === name);
  if (!fixture) throw new Error(`There is no fixture ${name}`);
  return fixture;
}
