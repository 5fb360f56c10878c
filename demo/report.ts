import type { Anthropic } from '@anthropic-ai/sdk';
import { stringifyRequest } from '../src/index.ts';
import type { BlockReport } from './verify.ts';

/** Writes the lines around the streamed answers. */
export interface Report {
  /** A step of the story. */
  heading(text: string): void;
  /** What the person asks. */
  quote(text: string): void;
  /** The blocks that go back, none at first; with a mark where somebody compared them. */
  blocks(blocks: readonly (Omit<BlockReport, 'isEqual'> & Partial<BlockReport>)[]): void;
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

  return {
    heading(text) {
      write(`\n${paint(bold, text)}\n`);
    },
    quote(text) {
      write(`  “${text}”\n`);
    },
    blocks(blocks) {
      for (const { path, type, bytes, isEqual } of blocks) {
        const mark =
          isEqual === undefined ? '' : isEqual ? paint(green, '✓ equal') : paint(red, '✗ not what was sent here');
        write(`  ${path.padEnd(22)} ${type.padEnd(18)} ${String(bytes).padStart(5)} bytes  ${mark}`.trimEnd());
        write('\n');
      }
      write('\n');
    },
    verdict(isGood, text) {
      write(`\n${isGood ? paint(green, '✓') : paint(red, '✗')} ${text}\n`);
    },
  };
}

/** The blocks of the answers in a history, where nobody on the other side says what it got. */
export function blocksOf(messages: readonly Anthropic.MessageParam[]): Omit<BlockReport, 'isEqual'>[] {
  return messages.flatMap(({ role, content }, message) =>
    role !== 'assistant' || typeof content === 'string'
      ? []
      : content.map((block, index) => ({
          path: `messages.${message}.content.${index}`,
          type: block.type,
          bytes: Buffer.byteLength(stringifyRequest(block)),
        })),
  );
}
