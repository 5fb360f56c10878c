import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const readme = readFileSync(`${root}README.md`, 'utf8');

/** What the snippets take for granted: the reader's own names. */
const givens = `
declare const url: string;
declare const request: RequestInit;
declare const question: string;
declare const settings: { model: string; max_tokens: number };
declare const body: Record<string, unknown>;
declare const input: import('openai/resources/responses/responses').ResponseInputItem[];
declare const ai: import('@google/genai').GoogleGenAI;
declare const model: string;
declare const contents: import('@google/genai').Content[];
declare const stopButton: { onclick: () => void };
declare function render(event: unknown): void;
declare function runTool(name: string, input: unknown): Promise<string>;
declare function sendAgain(): void;
`;

/** Names that a snippet may use without importing them, as one before it did. */
const importable: Readonly<Record<string, string>> = {
  assembleTurn: 'wholeturn',
  fromResponse: 'wholeturn',
  sseMessages: 'wholeturn',
  turnEvents: 'wholeturn',
  uiEvents: 'wholeturn',
  TurnInterruptedError: 'wholeturn',
  carryCost: 'wholeturn',
  createTranscript: 'wholeturn',
  parseTranscript: 'wholeturn',
  seal: 'wholeturn',
  stringifyRequest: 'wholeturn',
  anthropic: 'wholeturn/anthropic',
  gemini: 'wholeturn/gemini',
};

/** A snippet as a module: its imports, those it takes for granted, and its statements in a function. */
function moduleOf(snippet: string): string {
  const lines = snippet.split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  const statements = lines.filter((line) => !line.startsWith('import '));
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(statements.join('\n'));
  const taken = Object.entries(importable)
    .filter(([name]) => uses(name) && !imports.some((line) => line.includes(name)))
    .map(([name, module]) => `import { ${name} } from '${module}';`);
  const declared = [
    !uses('const messages') && "declare const messages: import('@anthropic-ai/sdk').default.MessageParam[];",
    !uses('const turn') &&
      "declare const turn: import('wholeturn').Turn<import('wholeturn/anthropic').AnthropicEntry>;",
    !uses('const transcript') &&
      "declare const transcript: ReturnType<typeof import('wholeturn').createTranscript<import('wholeturn/anthropic').AnthropicEntry, import('wholeturn/anthropic').AnthropicMessage>>;",
  ].filter((line) => line !== false);
  const body = ['export async function run(): Promise<void> {', ...statements, '}'];
  return [...imports, ...taken, ...declared, givens, ...body].join('\n');
}

function problemsOf(files: readonly string[]): string[] {
  const paths = Object.fromEntries(
    ['index', 'anthropic', 'chat-completions', 'responses', 'gemini', 'testing'].map((entry) => [
      entry === 'index' ? 'wholeturn' : `wholeturn/${entry}`,
      [`${root}src/${entry}.ts`],
    ]),
  );
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as {
    config: { compilerOptions: object };
  };
  const options = {
    ...config.compilerOptions,
    isolatedDeclarations: false,
    declaration: false,
    noUnusedLocals: false,
    paths,
  };
  const { options: parsed } = ts.convertCompilerOptionsFromJson(options, root);
  const program = ts.createProgram([...files], parsed);
  return ts.getPreEmitDiagnostics(program).map((problem) => {
    return `${problem.file?.fileName.split('/').at(-1) ?? ''}: ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`;
  });
}

describe('README.md', () => {
  const snippets = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, snippet = '']) => snippet);

  test('has its first snippet by line 15', () => {
    const lines = readme.split('\n');
    expect(lines.indexOf('```ts') + 1).toBeLessThanOrEqual(5);
    expect(lines.indexOf('```') + 1).toBeLessThanOrEqual(15);
  });

  test('has snippets that type-check under the strictest flags', () => {
    expect(snippets.length).toBeGreaterThan(7);
    const cache = `${root}node_modules/.cache`;
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'readme-'));
    try {
      const files = snippets.map((snippet, at) => {
        const file = join(folder, `snippet-${at}.ts`);
        writeFileSync(file, moduleOf(snippet));
        return file;
      });
      expect(problemsOf(files)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);

  test('prints the promises that the tests hold', () => {
    expect([...readme.matchAll(/^\d\. \*\*([\w ]+)\.\*\*/gm)].map(([, name]) => name)).toEqual([
      'Faithful',
      'Finished only',
      'Nothing secret on screen',
      'One story',
      'Any split',
      'Nothing unknown is fatal',
      'Linear',
      'Stop means stop',
      'Bounded',
    ]);
  });
});
