import { describe, expect, test } from 'vitest';
import { safeView } from '../../src/core/safe-view.ts';

describe('safeView', () => {
  test('leaves out what only the provider can read, at any depth', () => {
    const native = {
      type: 'web_search_tool_result',
      content: [{ title: 'Pier', encrypted_content: 'c2VjcmV0', deep: { signature: 's', thoughtSignature: 't' } }],
      fingerprint: 'f',
    };
    expect(safeView(native)).toEqual({ type: 'web_search_tool_result', content: [{ title: 'Pier', deep: {} }] });
  });

  test('leaves out the data of redacted and encrypted kinds, and keeps that of others', () => {
    expect(safeView({ type: 'redacted_thinking', data: 'x' })).toEqual({ type: 'redacted_thinking' });
    expect(safeView({ type: 'reasoning.encrypted', data: 'x' })).toEqual({ type: 'reasoning.encrypted' });
    expect(safeView({ type: 'image', data: 'iVBOR' })).toEqual({ type: 'image', data: 'iVBOR' });
  });

  test.each(['token', 'session_token', 'SESSION_TOKEN', 'sessionToken'])('leaves out %s, unless it counts', (name) => {
    expect(safeView({ [name]: 'c2VjcmV0', betoken: 'a' })).toEqual({ betoken: 'a' });
    expect(safeView({ [name]: 3 })).toEqual({ [name]: 3 });
  });

  test('copies, so that nobody can change what goes back by what is shown', () => {
    const native = { a: [{ b: 1 }] };
    const view = safeView(native);
    expect(view).toEqual(native);
    expect((view as typeof native).a[0]).not.toBe(native.a[0]);
  });

  test('passes scalars, null and strange keys', () => {
    expect(safeView(null)).toBeNull();
    expect(safeView(3)).toBe(3);
    const odd: unknown = JSON.parse('{"__proto__":{"x":1}}');
    expect(JSON.stringify(safeView(odd))).toBe('{"__proto__":{"x":1}}');
  });

  test('survives nesting of any depth', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(safeView({ deep }))).toMatch(/^\{"deep":\[+\]+\}$/);
  });
});
