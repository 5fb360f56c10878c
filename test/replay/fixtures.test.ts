import { describe, expect, test } from 'vitest';
import type { ConfigurableDialect } from '../../src/core/dialect.ts';
import { createTranscript, parseTranscript, stringifyRequest } from '../../src/index.ts';
import { createChunkStage } from '../../src/rx/chunk-stage.ts';
import { type Fixture, listFixtures } from '../fixtures.ts';
import { type DialectKit, kits } from './dialect-kits.ts';
import { refusals } from './provider-rules.ts';

const folders: Readonly<Record<DialectKit['name'], string>> = {
  anthropic: 'anthropic',
  chatCompletions: 'chat-completions',
  responses: 'responses',
  gemini: 'gemini',
};

/** Faults that are the provider's own: they go back as they came. */
const asTheyCame = new Set(['ok_empty-message', 'ok_unsigned-thinking-kept']);
const policies = ['drop', 'keep_text', 'keep_finished'] as const;

describe.each(kits)('the fixtures of $name', (kit) => {
  const fixtures = listFixtures(folders[kit.name]).map((fixture) => ({ ...fixture, ...dialectOf(kit, fixture) }));

  test.each(fixtures)('make a transcript of $name, whole and cut', ({ name, bytes, dialect }) => {
    for (const share of [1, 0.9, 0.7, 0.5, 0.25]) {
      const stage = createChunkStage(dialect, { clock: () => 0 });
      const cut = bytes.subarray(0, Math.floor(share * bytes.length));
      const last = [...stage.push(cut), ...stage.flush()].find((event) => event.type === 'turn');
      if (!last) throw new Error('There is no turn.');
      for (const ifInterrupted of policies) {
        const transcript = createTranscript(dialect);
        transcript.user('Hello?');
        transcript.commit(last.turn, { ifInterrupted, cutText: 'keep', keepRefused: true });
        const { pending } = transcript;
        expect(pending.map(shapeOf)).toEqual(last.turn.toolCalls.map(shapeOf));
        const parsed = parseTranscript(dialect, transcript.stringify());
        expect(parsed.stringify()).toBe(transcript.stringify());
        expect(stringifyRequest(parsed.entries)).toBe(stringifyRequest(transcript.entries));
        expect(parsed.pending.map(shapeOf)).toEqual(pending.map(shapeOf));
        if (pending.length > 0)
          transcript.answer(pending.map(({ id, name: tool }) => ({ id, content: resultOf(tool) })));
        if (!asTheyCame.has(name)) expect(refusals(kit, transcript.entries), `${ifInterrupted} ${share}`).toEqual([]);
      }
    }
  });
});

function dialectOf({ dialect }: DialectKit, { expected }: Fixture): Pick<DialectKit, 'dialect'> {
  return { dialect: (dialect as ConfigurableDialect<object, object, object>)(expected.options) };
}

function shapeOf({ id, name, inputText, input }: { id: string; name: string; inputText: string; input: unknown }) {
  return { id, name, inputText, input };
}

/** Two tools of Responses take no text. */
function resultOf(tool: string): unknown {
  if (tool === 'computer') return { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA==' };
  return tool === 'tool_search' ? [] : 'ok';
}
