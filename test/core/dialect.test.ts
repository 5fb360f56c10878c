import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { chatCompletions } from '../../src/chat-completions.ts';
import type { Dialect } from '../../src/core/dialect.ts';
import { gemini } from '../../src/gemini.ts';
import { responses } from '../../src/responses.ts';

const dialects: readonly (Dialect & ((options: object) => Dialect))[] = [anthropic, chatCompletions, responses, gemini];

describe.each(dialects.map((dialect) => [dialect.name, dialect] as const))('%s', (name, dialect) => {
  test('refuses an option that it does not have, which would change nothing', () => {
    expect(() => dialect({ stored: false })).toThrow(
      new RegExp(`^${name} has no option stored\\. Did you mean one of \\w`),
    );
  });

  test('is the same as a value, and made of no options', () => {
    expect(dialect({}).name).toBe(name);
  });
});
