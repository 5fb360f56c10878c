import { toResponseInputItems } from 'openai-7/lib/responses/ResponseInputItems';
import type { ResponseInputItem } from 'openai-7/resources/responses/responses';
import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { assembleTurn, stringifyRequest } from '../../../src/index.ts';
import { responses } from '../../../src/responses.ts';
import { listFixtures } from '../../fixtures.ts';
import { listResponsesRecordings } from './recorded-events.ts';
import { assemble, callItem, completed, created, done, items, messageItem, reasoningItem } from './wire-events.ts';

/** Streams with items that the SDK has no type for: it throws, and nothing of the turn goes back. */
const unknown: readonly string[] = ['ok_unknown-items'];

const recordings = listResponsesRecordings().map(({ name, bytes }) => [name, bytes, {}] as const);
const fixtures = listFixtures('responses').map(({ name, bytes, expected }) => [name, bytes, expected.options] as const);

/** The items as the SDK would send them back. */
function official(list: readonly JsonObject[]): unknown {
  // The SDK has a type for the items that it knows, and checks those that it gets.
  return toResponseInputItems(list as unknown as ResponseInputItem[]);
}

describe('responses, beside toResponseInputItems of the SDK', () => {
  test.each([...recordings, ...fixtures])('sends back what the SDK would of %s', async (name, bytes, options) => {
    const { entries } = await assembleTurn(of(bytes), responses(options)).settled();
    const sent = JSON.parse(stringifyRequest(entries)) as JsonObject[];
    if (unknown.includes(name)) return expect(() => official(sent)).toThrow(/Unsupported response item type/);
    expect(official(sent)).toEqual(sent);
  });

  test('sends an item that nobody knows back as it came, where the SDK throws', async () => {
    const list = [reasoningItem(0), { type: 'tide_call', id: 't_1', height: 3 }, messageItem(2, 'x')];
    const assembled = await assemble([created(), ...list.map((item, index) => done(index, item)), completed()]);
    expect(items(assembled)).toEqual(list);
    expect(() => official(list)).toThrow(TypeError);
  });

  test('sends back who made an item, which the SDK leaves out', async () => {
    const item = callItem(0, '{}', { created_by: 'user_1' });
    const assembled = await assemble([created(), done(0, item), completed()]);
    expect(items(assembled)).toEqual([item]);
    expect(official([item])).toEqual([callItem(0, '{}')]);
  });
});
