import type { BlockLine, BlockReport } from './compare.ts';

/** A block that goes back; with a mark where somebody compared it. */
type MarkedLine = BlockLine & Partial<BlockReport>;

/** Writes the lines around the streamed answers. */
export interface Report {
  /** A step of the story. */
  heading(text: string): void;
  /** What the person asks. */
  quote(text: string): void;
  /** The blocks that go back, none at first. */
  blocks(blocks: readonly MarkedLine[]): void;
  /** How a step ended. */
  verdict(isGood: boolean, text: string): void;
}

/** What a report is made with. */
export interface ReportOptions {
  readonly withColor: boolean;
  write(text: string): void;
}

/** Makes a report. */
export function createReport({ withColor, write }: ReportOptions): Report {
  const paint = (code: number, text: string): string => (withColor ? `\x1b[${code}m${text}\x1b[0m` : text);
  const [bold, red, green] = [1, 31, 32];
  const markOf = ({ match }: MarkedLine): string => {
    if (match === undefined) return '';
    if (match === 'equal') return paint(green, '✓ equal');
    return paint(red, match === 'missing' ? '✗ missing' : '✗ not what was sent here');
  };

  return {
    heading(text) {
      write(`\n${paint(bold, text)}\n`);
    },
    quote(text) {
      write(`  “${text}”\n`);
    },
    blocks(blocks) {
      const pathWidth = widest(blocks, ({ path }) => path);
      const typeWidth = widest(blocks, ({ type }) => type);
      const lineOf = (block: MarkedLine): string => {
        const bytes = String(block.bytes).padStart(5);
        return `  ${block.path.padEnd(pathWidth)}  ${block.type.padEnd(typeWidth)} ${bytes} bytes  ${markOf(block)}`.trimEnd();
      };
      const lines = runsOf(blocks).flatMap((run) => shortened(run.map(lineOf)));
      write([...lines, '', ''].join('\n'));
    },
    verdict(isGood, text) {
      write(`\n${isGood ? paint(green, '✓') : paint(red, '✗')} ${text}\n`);
    },
  };
}

/** Blocks that stand side by side and are alike but for their size. */
function runsOf(blocks: readonly MarkedLine[]): MarkedLine[][] {
  const runs: MarkedLine[][] = [];
  for (const block of blocks) {
    const run = runs.at(-1);
    if (run?.[0]?.type === block.type && run[0].match === block.match) run.push(block);
    else runs.push([block]);
  }
  return runs;
}

/** The first and the last line of many that are alike. */
function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= longestRun) return lines;
  return [...lines.slice(0, 1), `  … ${lines.length - 2} more of this kind`, ...lines.slice(-1)];
}

const longestRun = 4;

function widest(blocks: readonly MarkedLine[], column: (block: MarkedLine) => string): number {
  return Math.max(0, ...blocks.map((block) => column(block).length));
}
