import { describe, expect, test } from 'vitest';
import { readMessages, sourceOf } from '../../demo/anthropic/messages.ts';
import { createAnthropicService } from '../../demo/anthropic/service.ts';
import { compareBlocks, listBlocks } from '../../demo/compare.ts';
import { script } from '../../demo/script.ts';

const sent = createAnthropicService().answers.map(({ blocks }) => blocks);
const answer = script[0]?.blocks.map(sourceOf) ?? [];
const [, text = ''] = answer;
const question = JSON.stringify({ role: 'user', content: 'Northern lights?' });

describe('compareBlocks', () => {
  const edited = answer.with(1, JSON.stringify({ type: 'text', text: 'ö' }));

  test('reports each block that came back beside the one that was sent', () => {
    const reports = compareBlocks(readMessages([question, assistant(edited)]), sent);
    expect(reports.map(({ match }) => match)).toEqual(answer.map((_, place) => (place === 1 ? 'different' : 'equal')));
    expect(reports[1]).toEqual({ path: 'messages.1.content.1', type: 'text', bytes: 27, match: 'different' });
  });

  test('reports what is missing', () => {
    const reports = compareBlocks(readMessages([question, assistant(answer.slice(0, 5))]), sent);
    expect(reports.slice(5).map(({ path, match }) => [path, match])).toEqual([
      ['messages.1.content.5', 'missing'],
      ['messages.1.content.6', 'missing'],
    ]);
  });

  test('finds nothing equal in a place where nothing was sent', () => {
    const reports = compareBlocks(readMessages([question, assistant([...answer, text])]), sent);
    expect(reports.at(-1)?.match).toBe('different');
  });
});

describe('listBlocks', () => {
  test('lists the blocks of the answers alone', () => {
    expect(listBlocks(readMessages([question, assistant([text])]))).toEqual([
      { path: 'messages.1.content.0', type: 'text', bytes: Buffer.byteLength(text) },
    ]);
  });
});

function assistant(blocks: readonly string[]): string {
  return `{"role":"assistant","content":[${blocks.join(',')}]}`;
}
