import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import {
  added,
  assemble,
  codes,
  completed,
  created,
  delta,
  done,
  items,
  messageItem,
  of,
  reasoning,
  story,
} from './wire-events.ts';

const place = { content_index: 0 };
const begin = [added(0, messageItem(0, '', { content: [] })), delta('output_text', 0, 'Ebb', place)];

function cited(index: number, members: JsonObject = {}): JsonObject {
  const annotation = { type: 'url_citation', url: `https://tide.example/${index}`, ...members };
  return of('output_text.annotation.added', 0, { ...place, annotation_index: index, annotation });
}

function doneWith(...annotations: readonly unknown[]): JsonObject {
  return done(0, messageItem(0, 'Ebb', { content: [{ type: 'output_text', text: 'Ebb', annotations }] }));
}

async function storyOf(...events: readonly JsonObject[]): Promise<string[]> {
  return story(await assemble([created(), ...events, completed()]));
}

describe('responses, annotations', () => {
  test('are citations when they come, without what is opaque in them', async () => {
    const citation = '{"type":"url_citation","url":"https://tide.example/0"}';
    const event = cited(0, { encrypted_index: 'SECRET' });
    expect(await storyOf(...begin, event, doneWith(event['annotation']))).toEqual([
      'start 0 text',
      'text_delta 0 Ebb',
      `citation 0 ${citation}`,
      'stop 0 finished',
    ]);
  });

  test('of a done item are citations before its block stops, those that were not shown', async () => {
    const [first, second] = [cited(0), cited(1)].map(({ annotation }) => annotation);
    expect(await storyOf(...begin, cited(0), doneWith(first, second))).toEqual([
      'start 0 text',
      'text_delta 0 Ebb',
      `citation 0 ${JSON.stringify(first)}`,
      `citation 0 ${JSON.stringify(second)}`,
      'stop 0 finished',
    ]);
  });

  test('go by their place in their part, whatever came of the ones before', async () => {
    const [first, second] = [cited(0), cited(1)].map(({ annotation }) => annotation);
    expect(await storyOf(...begin, cited(1), doneWith(first, second))).toEqual([
      'start 0 text',
      'text_delta 0 Ebb',
      `citation 0 ${JSON.stringify(second)}`,
      `citation 0 ${JSON.stringify(first)}`,
      'stop 0 finished',
    ]);
  });

  test('of several parts are told apart', async () => {
    const annotation = (name: string): JsonObject => ({ type: 'file_citation', name });
    const content = ['a', 'b'].map((name) => ({ type: 'output_text', text: name, annotations: [annotation(name)] }));
    const live = of('output_text.annotation.added', 0, {
      content_index: 1,
      annotation_index: 0,
      annotation: annotation('b'),
    });
    const events = [added(0, messageItem(0, '', { content: [] })), live, done(0, messageItem(0, '', { content }))];
    expect((await storyOf(...events)).filter((line) => line.startsWith('citation'))).toEqual([
      `citation 0 ${JSON.stringify(annotation('b'))}`,
      `citation 0 ${JSON.stringify(annotation('a'))}`,
    ]);
  });

  test('begin a message that waits for its first part', async () => {
    const waiting = added(0, messageItem(0, '', { content: [] }));
    expect(await storyOf(waiting, cited(0), doneWith(cited(0)['annotation']))).toEqual([
      'start 0 text',
      `citation 0 ${JSON.stringify(cited(0)['annotation'])}`,
      'text_delta 0 Ebb',
      'stop 0 finished',
    ]);
  });

  test('come too late for an item that is over: a warning', async () => {
    const late = await assemble([created(), ...begin, doneWith(), cited(0), completed()]);
    expect(codes(late.turn.warnings)).toEqual(['unexpected_delta']);
  });
});

describe('responses, images', () => {
  test('are shown when they come in part, as they came', async () => {
    const item = { type: 'image_generation_call', id: 'ig_0', status: 'in_progress' };
    const partial = of('image_generation_call.partial_image', 0, {
      item_id: 'ig_0',
      sequence_number: 4,
      obfuscation: 'xx',
      partial_image_index: 0,
      partial_image_b64: 'AAAA',
      size: '1x1',
    });
    const whole = { ...item, status: 'completed', result: 'BBBB' };
    expect(await storyOf(added(0, item), partial, done(0, whole))).toEqual([
      'start 0 server_tool_call ig_0 image_generation',
      'content 0 {"type":"partial_image","partial_image_index":0,"partial_image_b64":"AAAA","size":"1x1"}',
      `content 0 ${JSON.stringify(whole)}`,
      'stop 0 finished',
    ]);
  });
});

describe('responses, what comes whole', () => {
  test.each<[string, JsonObject]>([
    ['server_tool_call ws_0 web_search', { type: 'web_search_call', id: 'ws_0', action: { query: 'tide' } }],
    ['server_tool_call pr_0 program', { type: 'program', id: 'pr_0', code: 'x = 1' }],
    ['server_tool_call ml_0 mcp_list_tools', { type: 'mcp_list_tools', id: 'ml_0', tools: [{ name: 'a' }] }],
    ['server_tool_call t_0 tide', { type: 'tide_call', id: 't_0', height: 3 }],
    ['server_tool_result', { type: 'tide_output', id: 'to_0', level: [1] }],
    ['server_tool_result', { type: 'program_output', id: 'po_0', result: '1' }],
    ['other', { type: 'mcp_approval_request', id: 'ma_0', arguments: '{}' }],
    ['other', { type: 'tide_table', rows: [[1]] }],
  ])('is shown once, directly before the stop of %s, and goes back', async (head, item) => {
    const assembled = await assemble([created(), added(0, item), done(0, item), completed()]);
    expect(story(assembled)).toEqual([`start 0 ${head}`, `content 0 ${JSON.stringify(item)}`, 'stop 0 finished']);
    expect(items(assembled)).toEqual([item]);
  });

  test('is shown without ciphertext, and goes back with it', async () => {
    const item = {
      type: 'compaction',
      id: 'cmp_0',
      encrypted_content: 'SECRET',
      deep: [{ fingerprint: 'SECRET', thoughtSignature: 'SECRET', ciphertext: 'SECRET', level: 3 }],
    };
    const assembled = await assemble([created(), done(0, item), completed()]);
    expect(story(assembled)[1]).toBe('content 0 {"type":"compaction","id":"cmp_0","deep":[{"level":3}]}');
    expect(JSON.stringify(assembled.ui)).not.toContain('SECRET');
    expect(items(assembled)).toEqual([item]);
  });

  test('shows the text of a call of the server live, and its item at the end', async () => {
    const item = { type: 'code_interpreter_call', id: 'ci_0', code: 'x = 1', outputs: [{ type: 'logs', logs: '1' }] };
    const events = [added(0, { ...item, code: '', outputs: [] }), delta('code_interpreter_call_code', 0, 'x = 1')];
    expect(await storyOf(...events, done(0, item))).toEqual([
      'start 0 server_tool_call ci_0 code_interpreter',
      'input 0 x = 1',
      `content 0 ${JSON.stringify(item)}`,
      'stop 0 finished',
    ]);
  });

  test('is nothing of reasoning: its ciphertext is in no event, be it the stub or the whole', async () => {
    const { ui } = await assemble([created(), ...reasoning(0, 'r'), done(1, messageItem(1, 'x')), completed()]);
    expect(JSON.stringify(ui)).not.toMatch(/c3R1Yg|c2VhbGVk/);
  });
});
