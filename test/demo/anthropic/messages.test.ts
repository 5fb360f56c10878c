import { describe, expect, test } from 'vitest';
import { blockOf, readMessages, sourceOf } from '../../../demo/anthropic/messages.ts';
import { script } from '../../../demo/script.ts';

describe('sourceOf', () => {
  test('keeps the spelling of a tool input', () => {
    const [source = ''] = (script[0]?.blocks ?? []).filter(({ type }) => type === 'tool_use').map(sourceOf);
    expect(source).toBe(
      '{"type":"tool_use","id":"toolu_demo_aurora","name":"aurora_forecast",' +
        '"input":{"place": "Tromsø", "kp_at_least": 3.0, "note": "tonight, \\ud83c\\udf0c or a 🌠"}}',
    );
  });
});

describe('readMessages', () => {
  test('keeps the text of each block, and where it stands', () => {
    const source = '{"type":"tool_use", "input": {"a": 1.0}}';
    expect(readMessages([`{"role": "assistant", "content": [${source}]}`])).toEqual([
      { path: 'messages.0', role: 'assistant', content: [blockOf(source, 0)] },
    ]);
    expect(blockOf(source, 0)).toMatchObject({ source, place: 'content.0', type: 'tool_use' });
  });

  test('reads a content that is a string as one text', () => {
    expect(readMessages(['{"role":"user","content":"Why?"}'])[0]?.content.map(({ value }) => value)).toEqual([
      { type: 'text', text: 'Why?' },
    ]);
  });
});
