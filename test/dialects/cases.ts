import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../src/core/dialect.ts';
import { assembleTurn } from '../../src/rx/assemble-turn.ts';
import { stringifyRequest } from '../../src/text/verbatim-json.ts';
import { eventsOf } from '../laws/dialect-laws.ts';
import { listRecordings } from '../recordings.ts';

interface Expected {
  readonly why: string;
  readonly options?: object;
}

/** What was shown of one kind, in the order it came, whatever was discarded later. */
function shown(events: ReturnType<typeof eventsOf>, type: 'text_delta' | 'reasoning_delta'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}

/**
 * Tests a dialect on the cases: streams with tricky traits, each with the one right result.
 *
 * @param folder The folder below `../shared/cases`.
 */
export function testOnCases(folder: string, dialectWith: (options: object) => Dialect): void {
  const cases = listRecordings(`cases/${folder}`);

  describe.skipIf(cases.length === 0)(`${folder}, on the cases`, () => {
    test.each(cases)('gives the expected result of $name', async ({ bytes, read }) => {
      const { why: _why, options = {}, ...expected } = JSON.parse(read('.expected.json')) as Expected;
      const dialect = dialectWith(options);
      for (const chunks of [[bytes], Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))]) {
        const turn = await assembleTurn(of(...chunks), dialect).settled();
        const events = eventsOf(dialect, chunks);
        expect({
          status: turn.status,
          stopReason: turn.stopReason,
          entries: JSON.parse(stringifyRequest(turn.entries)) as unknown,
          toolCalls: turn.toolCalls.map(({ id, name, inputText }) => ({ id, name, inputText })),
          blocks: turn.blocks.map(({ kind, state }) => ({ kind, state })),
          text: shown(events, 'text_delta'),
          reasoning: shown(events, 'reasoning_delta'),
        }).toEqual(expected);
      }
    });
  });
}
