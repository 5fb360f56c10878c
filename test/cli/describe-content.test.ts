import { describe, expect, it } from 'vitest';
import { describeCitation, describeContent, describeRepair, describeWarning } from '../../src/cli/describe-content.ts';

describe('describeContent', () => {
  it.each([
    [
      { type: 'web_search_tool_result', tool_use_id: 'x', content: [{ title: 'One' }, { title: 'Two' }] },
      'web_search_tool_result (2 items) One, Two',
    ],
    [{ type: 'x_tool_result', content: [{ text: 'a' }] }, 'x_tool_result (1 item) {"text":"a"}'],
    [{ type: 'x_tool_result', content: [] }, 'x_tool_result (0 items)'],
    [{ type: 'x_tool_result', content: { error_code: 'unavailable' } }, 'x_tool_result {"error_code":"unavailable"}'],
    [{ type: 'brand_new', a: 1 }, 'brand_new {"a":1}'],
    [{ type: 'brand_new' }, 'brand_new'],
    [{ a: 1 }, '{"a":1}'],
    ['text', '"text"'],
    [undefined, 'nothing'],
  ])('describes %j as %j', (content, words) => {
    expect(describeContent(content)).toBe(words);
  });
});

describe('describeCitation', () => {
  it.each([
    [{ title: 'A page', url: 'https://example.com/' }, 'A page – https://example.com/'],
    [{ document_title: 'A book', start_page_number: 3 }, 'A book'],
    [{ title: null, source: 'notes' }, 'notes'],
    [{ cited_text: 'x' }, '{"cited_text":"x"}'],
    [undefined, 'nothing'],
  ])('describes %j as %j', (citation, words) => {
    expect(describeCitation(citation)).toBe(words);
  });
});

describe('describeRepair', () => {
  it('leaves it to the message to name the block', () => {
    expect(describeRepair({ code: 'cut', index: 2, message: 'Block 2 was cut' })).toBe('repair cut: Block 2 was cut');
  });
});

describe('describeWarning', () => {
  it('names the block, if the warning is about one', () => {
    const warning = { code: 'unknown_delta', message: 'Odd' } as const;
    expect(describeWarning(warning)).toBe('warning unknown_delta: Odd');
    expect(describeWarning({ ...warning, index: 2 })).toBe('warning unknown_delta (block 2): Odd');
  });
});
