import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as anthropicEntry from '../src/anthropic.ts';
import * as chatCompletionsEntry from '../src/chat-completions.ts';
import * as geminiEntry from '../src/gemini.ts';
import * as rootEntry from '../src/index.ts';
import * as responsesEntry from '../src/responses.ts';
import * as testingEntry from '../src/testing.ts';

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const root = new URL('..', import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Manifest;

describe('package.json', () => {
  test('exports one subpath for each entry of src, and no other', () => {
    const subpaths = Object.keys(manifest.exports).filter((subpath) => subpath !== './package.json');
    const entries = readdirSync(`${root}src`).filter((file) => file.endsWith('.ts'));
    const expected = entries.map((file) => (file === 'index.ts' ? '.' : `./${file.replace(/\.ts$/, '')}`));
    expect(subpaths.sort()).toEqual(expected.sort());
  });

  test('has eventsource-parser as its only dependency', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['eventsource-parser']);
  });

  test('has a license and a changelog beside it', () => {
    expect(existsSync(`${root}LICENSE`) && existsSync(`${root}CHANGELOG.md`)).toBe(true);
  });
});

describe('wholeturn', () => {
  test('exports the names of the design', () => {
    expect(Object.keys(rootEntry).sort()).toEqual(
      [
        'HttpStatusError',
        'IdleTimeoutError',
        'LimitExceededError',
        'NotEventStreamError',
        'ProviderError',
        'TransportError',
        'TurnInterruptedError',
        'WholeturnError',
        'WireFormatError',
        'assembleTurn',
        'checkRequest',
        'carryCost',
        'createTranscript',
        'defaultLimits',
        'finishedBlocks',
        'fromResponse',
        'parseTranscript',
        'seal',
        'sseMessages',
        'stringifyRequest',
        'toolLoop',
        'turnEvents',
        'turnView',
        'uiEvents',
      ].sort(),
    );
  });

  test('keeps what tests need in an entry of its own', () => {
    expect(Object.keys(testingEntry).sort()).toEqual(['serveProvider', 'strictProvider']);
  });

  test('keeps each dialect in an entry of its own', () => {
    expect(Object.keys(anthropicEntry)).toEqual(['anthropic']);
    expect(Object.keys(chatCompletionsEntry)).toContain('chatCompletions');
    expect(Object.keys(responsesEntry).sort()).toEqual(['continueResponse', 'responses', 'toolOutputs']);
    expect(Object.keys(geminiEntry).sort()).toEqual(['functionResponses', 'gemini']);
  });
});
