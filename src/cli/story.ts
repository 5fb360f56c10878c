import type { BlockKind } from '../core/turn.ts';
import type { UiEvent } from '../core/turn-event.ts';
import { fitLine, textWidth } from './char-width.ts';
import { describeCitation, describeContent, describeWarning } from './describe-content.ts';
import type { Screen, Style } from './screen.ts';
import { holdHalfPair, visible, visibleLine } from './visible.ts';

/** Tells what happens in a turn on a screen. */
export interface Story {
  push(event: UiEvent): void;
}

/** What a story is made with. */
export interface StoryOptions {
  readonly screen: Screen;
  /** The line that sums the turn up; asked when it is over. */
  summary(): string;
}

/** One block while it is shown. */
interface ShownBlock {
  readonly kind: BlockKind;
  readonly name: string;
  readonly redacted: boolean;
  /** Whether a person saw anything of it but its head. */
  isShown: boolean;
  /** Whether its head was the last that was written, and what it holds begins on the next line. */
  isHeaded: boolean;
  /** The first half of a surrogate pair whose other half has not come yet. */
  half: string;
  /** What is shown in one line when the block is over. */
  detail: string;
  /** The numbers of the sources that it cites. */
  readonly sources: Set<number>;
}

/** Kept of what is shown in one line, in UTF-16 code units; more than any terminal is wide. */
const longestDetail = 1000;

/** Columns for the name of a tool: a model may make one up. */
const longestName = 60;

/** Warnings that are told one by one; `wholeturn events` has all. */
const toldWarnings = 10;

/**
 * Makes the story of one turn.
 *
 * 1. Text blocks that follow each other run on: a provider begins a new one for each citation, in mid-sentence.
 * 2. Calls and results of server tools, and blocks nobody knows, take one line each, when they are over.
 * 3. Warnings, sources and the summary come at the end, so that they interrupt nothing.
 */
export function createStory({ screen, summary }: StoryOptions): Story {
  const blocks = new Map<number, ShownBlock>();
  /** The cited sources and their numbers. */
  const sources = new Map<string, number>();
  const warnings: string[] = [];
  /** The block that was written to last. */
  let owner: ShownBlock | undefined;

  return {
    push(event) {
      switch (event.type) {
        case 'turn_start':
        case 'usage':
          return;
        case 'warning':
          warnings.push(describeWarning(event));
          return;
        case 'turn_stop':
          return endTurn(event);
        case 'block_start':
          return startBlock(event);
        default: {
          const block = blocks.get(event.index);
          if (block) growBlock(block, event);
        }
      }
    },
  };

  function startBlock({ index, kind, name, redacted }: Extract<UiEvent, { type: 'block_start' }>): void {
    const block: ShownBlock = {
      kind,
      name: fitLine(visibleLine(name ?? ''), longestName),
      redacted: redacted ?? false,
      isShown: false,
      isHeaded: false,
      half: '',
      detail: '',
      sources: new Set(),
    };
    blocks.set(index, block);
    if (kind === 'reasoning' || kind === 'tool_call' || kind === 'refusal') own(block);
  }

  type BlockEvent = Exclude<
    Extract<UiEvent, { index: number }>,
    { readonly type: 'block_start' } | { readonly type: 'warning' }
  >;

  function growBlock(block: ShownBlock, event: BlockEvent): void {
    switch (event.type) {
      case 'text_delta':
      case 'reasoning_delta':
        write(block, event.text);
        break;
      case 'tool_input_delta':
        if (block.kind === 'tool_call') write(block, event.json);
        else addDetail(block, event.json);
        break;
      case 'block_content':
        addDetail(block, `${block.detail && ' '}${describeContent(event.content)}`);
        break;
      case 'citation':
        cite(block, event.citation);
        break;
      case 'block_stop':
        endBlock(block, event);
    }
  }

  function write(block: ShownBlock, text: string): void {
    const { whole, half } = holdHalfPair(block.half + text);
    block.half = half;
    if (whole === '') return;
    own(block);
    if (block.isHeaded) screen.append('\n', 'plain');
    block.isHeaded = false;
    block.isShown = true;
    screen.append(visible(whole), styleOf(block.kind));
  }

  function addDetail(block: ShownBlock, text: string): void {
    block.detail += text.slice(0, Math.max(longestDetail - block.detail.length, 0));
  }

  /** The same source keeps its number. The place is marked when the block is over: the wire cites before it writes. */
  function cite(block: ShownBlock, citation: unknown): void {
    const source = visibleLine(describeCitation(citation)).slice(0, longestDetail);
    const number = sources.get(source) ?? sources.size + 1;
    sources.set(source, number);
    block.sources.add(number);
  }

  function endBlock(block: ShownBlock, { state, toolCall }: Extract<UiEvent, { type: 'block_stop' }>): void {
    const end = state === 'finished' ? '' : ` [${state}]`;
    if (isOneLine(block.kind)) tellInOneLine(block, end);
    if (toolCall && !block.isShown) write(block, toolCall.inputText);
    if (block.kind === 'reasoning' && !block.isShown && !block.redacted) mark(block, ' (not shown)', 'dim');
    if (block.half !== '') mark(block, visible(block.half), styleOf(block.kind));
    for (const number of block.sources) mark(block, ` [${number}]`, 'dim');
    mark(block, end, 'alarm');
  }

  /** Writes something at the end of a block, under its head again if another block was written to since. */
  function mark(block: ShownBlock, text: string, style: Style): void {
    if (text === '') return;
    own(block);
    screen.append(/\s$/.test(screen.tail) ? text.trimStart() : text, style);
  }

  function tellInOneLine(block: ShownBlock, end: string): void {
    own(block);
    const room = screen.lineLength - textWidth(headOf(block) + end);
    screen.append(fitLine(visibleLine(block.detail), Math.max(room, 0)), 'dim');
  }

  /** Makes a block the one that is written to: on a line of its own, under its head. */
  function own(block: ShownBlock): void {
    if (owner === block) return;
    const runsOn = owner?.kind === 'text' && block.kind === 'text';
    const isList = owner !== undefined && isOneLine(owner.kind) && isOneLine(block.kind);
    owner = block;
    if (runsOn) return;
    endLine({ leaveBlank: !isList });
    block.isHeaded = block.kind === 'reasoning';
    screen.append(headOf(block), block.isHeaded ? 'dim' : 'strong');
  }

  /** Makes what comes next begin on a line of its own, below a blank one if anything stands above and it is wanted. */
  function endLine({ leaveBlank }: { leaveBlank: boolean }): void {
    if (screen.tail === '') return;
    if (!screen.tail.endsWith('\n')) screen.append('\n', 'plain');
    if (leaveBlank && screen.tail !== '\n\n') screen.append('\n', 'plain');
  }

  function endTurn({ error }: Extract<UiEvent, { type: 'turn_stop' }>): void {
    endLine({ leaveBlank: true });
    for (const [source, number] of sources) screen.append(`[${number}] ${source}\n`, 'dim');
    warnings.slice(0, toldWarnings).forEach(tellAlarm);
    const more = warnings.length - toldWarnings;
    if (more > 0) tellAlarm(`${more} more warnings: see \`wholeturn events\``);
    if (error) tellAlarm(`error ${error.code}: ${error.message}`);
    screen.append(`${summary()}\n`, 'dim');
  }

  function tellAlarm(text: string): void {
    screen.append(`${visibleLine(text)}\n`, 'alarm');
  }
}

function isOneLine(kind: BlockKind): boolean {
  return kind === 'server_tool_call' || kind === 'server_tool_result' || kind === 'media' || kind === 'other';
}

function styleOf(kind: BlockKind): Style {
  return kind === 'reasoning' ? 'dim' : kind === 'refusal' ? 'alarm' : 'plain';
}

function headOf({ kind, name, redacted }: ShownBlock): string {
  switch (kind) {
    case 'text':
      return '';
    case 'reasoning':
      return redacted ? 'thinking (withheld by the provider)' : 'thinking';
    case 'tool_call':
      return `→ ${name || 'a tool without a name'} `;
    case 'server_tool_call':
      return `⇢ ${name || 'a tool without a name'} `;
    case 'server_tool_result':
      return '⇠ ';
    case 'media':
    case 'other':
      return '▪ ';
    case 'refusal':
      return 'refused: ';
  }
}
