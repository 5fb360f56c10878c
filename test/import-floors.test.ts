import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = new URL('../src', import.meta.url).pathname;

/** A file imports from floors below, or from its own folder. */
const floors: Readonly<Record<string, number>> = {
  core: 0,
  text: 1,
  dialects: 2,
  rx: 3,
  replay: 3,
  loop: 4,
  adapters: 5,
  testing: 5,
  cli: 6,
};

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\/.*\.ts$/.test(file));

/** Where an import leads: a path below `src`, or the name of a package. */
function importsOf(file: string): { readonly inside: string[]; readonly packages: string[] } {
  const text = readFileSync(join(root, file), 'utf8');
  const targets = [...text.matchAll(/^(?:import|export)\b[^'";]*?from '([^']+)';/gm)].map(([, target]) => target ?? '');
  const inside = targets
    .filter((target) => target.startsWith('.'))
    .map((target) => relative(root, join(root, dirname(file), target)));
  return { inside, packages: targets.filter((target) => !target.startsWith('.')) };
}

function floorOf(file: string): number {
  return floors[file.split('/')[0] ?? ''] ?? Number.NaN;
}

/** The folder that a file may import from freely: a dialect's own, or its floor's. */
function homeOf(file: string): string {
  const [floor, folder] = file.split('/');
  return floor === 'dialects' ? `${floor}/${folder}` : (floor ?? '');
}

describe('src', () => {
  test('has files on the floors', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => Number.isNaN(floorOf(file)))).toEqual([]);
  });

  test.each(files)('%s imports only from floors below, or its own folder', (file) => {
    const wrong = importsOf(file)
      .inside.filter((path) => !path.startsWith('..'))
      .filter((path) => homeOf(path) !== homeOf(file) && !(floorOf(path) < floorOf(file)));
    expect(wrong).toEqual([]);
  });

  test.each(files)('%s imports only packages that its floor may know', (file) => {
    const wrong = importsOf(file).packages.filter((name) => {
      if (name === 'rxjs') return floorOf(file) < 3;
      if (name === 'eventsource-parser') return file !== 'text/sse-reader.ts';
      if (name.startsWith('node:')) return !/^(testing|cli)\//.test(file);
      if (name.startsWith('@anthropic-ai/sdk')) return !file.startsWith('dialects/anthropic/');
      return true;
    });
    expect(wrong).toEqual([]);
  });

  test('has no cycle of imports that exist at run time', () => {
    const graph = new Map(files.map((file) => [file, runTimeImportsOf(file)]));
    expect(files.map((file) => cycleFrom(file, graph)).filter((cycle) => cycle !== undefined)).toEqual([]);
  });

  test.each(readdirSync(root).filter((file) => file.endsWith('.ts')))('the entry %s only re-exports', (file) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/^export (type )?\{[^}]*\} from '[^']+';$/gm, '');
    expect(text.trim()).toBe('');
  });
});

/** Imports that are not erased: `import type` and lists of types only are. */
function runTimeImportsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export) (?!type\b)([^'";]*?)from '(\.[^']+)';/gm)]
    .filter(([, names = '']) => /(?:\{|,)\s*(?!type\b)\w/.test(names))
    .map(([, , target = '']) => relative(root, join(root, dirname(file), target)));
}

function cycleFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const seen = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const cycle = visit(next, [...path, next]);
      if (cycle) return cycle;
    }
    return undefined;
  };
  return visit(start, [start]);
}
