import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { assembleTurn } from '../../../src/index.ts';
import { continueResponse, responses, toolOutputs } from '../../../src/responses.ts';
import {
  added,
  assemble,
  blocks,
  call,
  callItem,
  completed,
  created,
  delta,
  done,
  incomplete,
  items,
  message,
  messageItem,
  of,
  reasoning,
  reasoningItem,
  sse,
  story,
  toolCalls,
} from './wire-events.ts';

// What users of other libraries reported, by the repository and number of the report.
describe('responses, on what was reported of others', () => {
  test('langchainjs#9816: argument deltas without an id, behind a reasoning item, find their call', async () => {
    const assembled = await assemble([created(), ...reasoning(0, 'r'), ...call(1, '{"a":', '1}'), completed()]);
    expect(toolCalls(assembled)).toEqual(['call_1 tool {"a":1}']);
  });

  test('Roo-Code#9669: a text is shown once, although it comes again in four whole forms', async () => {
    const assembled = await assemble([created(), ...message(0, 'o', 'k'), completed([messageItem(0, 'ok')])]);
    expect(story(assembled)).toEqual(['start 0 text', 'text_delta 0 o', 'text_delta 0 k', 'stop 0 finished']);
  });

  test('docker-agent#3846, litellm#30071, vercel/ai#18548: ids that change in every event double and lose nothing', async () => {
    const rotate = (event: JsonObject, n: number): JsonObject => {
      const { item, response } = event;
      return {
        ...event,
        item_id: `id_${n}`,
        ...(item !== undefined && { item: { ...Object(item), id: `id_${n}` } }),
        ...(response !== undefined && { response: { ...Object(response), id: `resp_${n}` } }),
      };
    };
    const list = [reasoningItem(0, ['r'], { id: 'x' }), messageItem(1, '{"a":1}', { id: 'y' })];
    const events = [created(), ...reasoning(0, 'r'), ...message(1, '{"a"', ':1}'), completed(list)].map(rotate);
    const assembled = await assemble(events);
    expect(blocks(assembled)).toEqual(['reasoning finished r', 'text finished {"a":1}']);
    expect(items(assembled).map(({ id }) => id)).toEqual(['id_4', 'id_11']);
    expect(assembled.turn.warnings).toEqual([]);
  });

  test('vercel/ai#7099, langchainjs#9938, openai-node#1791: reasoning goes back with its call and its message', async () => {
    const list = [reasoningItem(0), callItem(1, '{}'), reasoningItem(2), messageItem(3, 'x')];
    const assembled = await assemble([created(), ...list.map((item, index) => done(index, item)), completed()]);
    expect(items(assembled)).toEqual(list);
  });

  test('agency-swarm#367, rig#751: no call goes back without the reasoning that led to it', async () => {
    const assembled = await assemble([created(), ...reasoning(0), ...call(1, '{}'), completed()]);
    expect(items(assembled).map(({ type }) => type)).toEqual(['reasoning', 'function_call']);
  });

  test('opencode#7724, oh-my-pi#41: no bare id of a reasoning item goes where nothing is stored', async () => {
    const bare = { id: 'rs_0', type: 'reasoning', summary: [] };
    const events = [created({ store: false }), done(0, bare), ...call(1, '{}'), completed([], { store: false })];
    expect(items(await assemble(events, { store: false }))).toEqual([callItem(1, '{}')]);
  });

  test('oh-my-pi#290, bifrost#5186: id and ciphertext are those of one event', async () => {
    const at = (event: string): JsonObject => ({ id: `rs_${event}`, encrypted_content: `sealed_${event}` });
    const terminal = [reasoningItem(0, [], at('terminal')), messageItem(1, 'x')];
    const events = [added(0, reasoningItem(0, [], at('added'))), done(0, reasoningItem(0, [], at('done')))];
    const assembled = await assemble([created(), ...events, ...message(1, 'x'), completed(terminal)]);
    expect(items(assembled)[0]).toMatchObject(at('done'));
    const late = await assemble([created(), ...events.slice(0, 1), ...message(1, 'x'), completed(terminal)]);
    expect(items(late)[0]).toMatchObject(at('terminal'));
  });

  test('hermes-agent#5689, picoclaw#2674, open-webui#27800: an empty terminal output takes nothing away', async () => {
    const assembled = await assemble([created(), ...message(0, 'x'), ...call(1, '{}'), completed([])]);
    expect(items(assembled)).toEqual([messageItem(0, 'x'), callItem(1, '{}')]);
  });

  test.each([
    ['only in their own done', [of('function_call_arguments.done', 0, { arguments: '{"a":1}' })]],
    ['only in the done item', []],
  ])('openclaude#1259: arguments that come %s are read', async (_, whole) => {
    const events = [added(0, callItem(0, '')), ...whole, done(0, callItem(0, '{"a":1}'))];
    const assembled = await assemble([created(), ...events, completed()]);
    expect(toolCalls(assembled)).toEqual(['call_0 tool {"a":1}']);
    expect(story(assembled)[1]).toBe('input 0 {"a":1}');
  });

  test('openai-node#1964: a keepalive between any two events changes nothing', async () => {
    const events = [created(), ...reasoning(0, 'r'), ...call(1, '{"a":', '1}'), ...message(2, 'x'), completed()];
    const plain = await assemble(events);
    const kept = await assemble(events.flatMap((event) => [event, { type: 'keepalive', sequence_number: 1 }]));
    expect(kept).toEqual(plain);
  });

  test('openai-java#719: an event after the terminal one spoils nothing', async () => {
    const { turn } = await assemble([created(), completed(), { type: 'response.rate_limits.updated', limits: {} }]);
    expect([turn.status, turn.warnings]).toEqual(['complete', []]);
  });

  test('openai-python#3538: an incomplete response is a turn, and so is a failed one', async () => {
    const stopped = await assemble([created(), ...message(0, 'Half'), incomplete('max_output_tokens')]);
    expect([stopped.turn.status, items(stopped)]).toEqual(['complete', [messageItem(0, 'Half')]]);
    const failed = await assemble([created(), ...message(0, 'Half'), { type: 'response.failed', response: {} }]);
    expect([failed.turn.status, blocks(failed)]).toEqual(['failed', ['text finished Half']]);
  });

  test('openai-node#2571, vercel/ai#10638: a call that was seen and aborted is not run, not sent, not answered', async () => {
    const source = new Subject<string>();
    const turn = assembleTurn(source, responses);
    source.next(sse(created(), ...reasoning(0), added(1, callItem(1, ''))));
    turn.abort();
    const aborted = await turn.settled();
    expect([aborted.status, aborted.entries, aborted.toolCalls]).toEqual(['aborted', [], []]);
    expect(toolOutputs(aborted, [])).toEqual([]);
    expect(() => continueResponse(aborted, [], { history: [] })).toThrow(TypeError);
  });

  test('octofriend#233: a connection that fails in a call leaves nothing behind that needs an answer', async () => {
    const events = [...reasoning(0), ...call(1, '{"a":1}').slice(0, -1)];
    const { turn } = await assemble([created(), ...events]);
    expect([turn.status, turn.entries, toolOutputs(turn, [])]).toEqual(['truncated', [], []]);
    expect(turn.blocks.map(({ state }) => state)).toEqual(['finished', 'cut']);
  });

  test('inspect_ai#3334: the phase of every message goes back', async () => {
    const list = ['commentary', 'final_answer', null].map((phase, index) => messageItem(index, 'x', { phase }));
    const assembled = await assemble([created(), ...list.map((item, index) => done(index, item)), completed()]);
    expect(items(assembled)).toEqual(list);
  });

  test('harness-sdk#3389, litellm#40288: reasoning goes back as it came, not made anew of its summary', async () => {
    const item = { ...reasoningItem(0, ['One', 'Two']), status: null, content: null, extra: '\u00e9 "' };
    const events = [added(0, reasoningItem(0)), delta('reasoning_summary_text', 0, 'On', { summary_index: 0 })];
    const assembled = await assemble([created(), ...events, done(0, item), ...message(1, 'x'), completed()]);
    expect(items(assembled)[0]).toEqual(item);
  });

  test('costrict#1360, vercel/ai#13137: arguments that parse are no evidence where a limit cut the call', async () => {
    const pieces = ['{"path":"/"}', ' '];
    for (const end of [[incomplete('max_output_tokens')], [], [{ type: 'error', message: 'x' }]]) {
      const { turn } = await assemble([created(), ...call(0, ...pieces), ...end]);
      expect([turn.toolCalls, turn.entries, turn.blocks[0]?.state]).toEqual([[], [], 'cut']);
    }
  });
});
