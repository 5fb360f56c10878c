import type { BlockKind, Usage } from '../core/turn.ts';
import type { UiEvent } from '../core/turn-event.ts';
import { textWidth } from './char-width.ts';
import { visibleLine } from './visible.ts';

/** Follows how far a turn is, in words for its status line and its summary. */
export interface Progress {
  push(event: UiEvent): void;
  /** What goes on, for how long, and the tokens so far, as far as some columns allow; empty when the turn is over. */
  status(width: number): string;
  /** How the turn ended, what it used, and for how long it went on; if wider than some columns, to be broken at blanks. */
  summary(width: number): string;
}

type TurnStop = Extract<UiEvent, { type: 'turn_stop' }>;

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const spinnerPeriod = 100;

/** The no-break space, where a line is not to be broken: between a number and its unit. */
const unbroken = '\u00a0';

/** What most tokenizers need for one token of English; shown with `~`, and only while the wire has not counted. */
const charactersPerToken = 4;

/**
 * Makes the progress of one turn, which starts now.
 *
 * @param now A clock in milliseconds.
 * @param isTimed Whether the summary tells for how long the turn went on.
 */
export function createProgress(now: () => number, isTimed: boolean): Progress {
  const startedAt = now();
  const activities = new Map<number, string>();
  let activity = 'waiting';
  let model = '';
  let usage: Usage | undefined;
  let characters = 0;
  let warnings = 0;
  let ending: TurnStop | undefined;
  let endedAt = startedAt;

  return {
    push(event) {
      if ('index' in event && event.index !== undefined) activity = activities.get(event.index) ?? activity;
      switch (event.type) {
        case 'turn_start':
          model = visibleLine(event.model ?? '');
          return;
        case 'block_start':
          activity = activityOf(event.kind, visibleLine(event.name ?? ''));
          activities.set(event.index, activity);
          return;
        case 'text_delta':
        case 'reasoning_delta':
          characters += event.text.length;
          return;
        case 'tool_input_delta':
          characters += event.json.length;
          return;
        case 'usage':
          usage = event.usage;
          return;
        case 'warning':
          warnings += 1;
          return;
        case 'turn_stop':
          ending = event;
          endedAt = now();
          return;
      }
    },
    status(width) {
      if (ending) return '';
      const elapsed = now() - startedAt;
      const action = `${spinner[Math.floor(elapsed / spinnerPeriod) % spinner.length]} ${activity}`;
      const output = outputSoFar(usage?.outputTokens ?? 0);
      const both = joined([countOf(usage?.inputTokens ?? null, 'in'), output], ', ');
      const forms = [`${both} tokens`, both, output, ''].map((form) => joined([action, duration(elapsed), form]));
      return firstThatFits([...forms, action], width);
    },
    summary(width) {
      if (!ending) return '';
      const { status } = ending;
      const stopReason = visibleLine(ending.stopReason ?? 'no stop reason');
      const elapsed = isTimed ? duration(endedAt - startedAt) : '';
      const warned = warnings === 0 ? '' : countOf(warnings, warnings === 1 ? 'warning' : 'warnings');
      const tokens = joined(usageOf(ending), ', ');
      const forms = tokens === '' ? [''] : [`${tokens} tokens`, tokens];
      const lines = forms.map((form) => joined([status, stopReason, model, form, elapsed, warned]));
      return firstThatFits(lines, width);
    },
  };

  function usageOf({ status, usage: used }: TurnStop): readonly string[] {
    return [
      countOf(used.inputTokens, 'in'),
      status === 'complete' ? countOf(used.outputTokens, 'out') : outputSoFar(used.outputTokens),
      countOf(used.reasoningTokens, 'of it reasoning'),
      countOf(used.cacheReadTokens || null, 'read from cache'),
      countOf(used.cacheWriteTokens || null, 'written to cache'),
    ];
  }

  /** The wire counts the output at its end; before that, what came tells more. */
  function outputSoFar(counted: number | null): string {
    const guessed = Math.ceil(characters / charactersPerToken);
    return guessed > (counted ?? 0) ? `~${countOf(guessed, 'out')}` : countOf(counted, 'out');
  }
}

/** The first of some lines that needs no more than some columns, or else the last, to be broken or cut. */
function firstThatFits(lines: readonly string[], width: number): string {
  const fitting = lines.find((line) => textWidth(line) <= width);
  return fitting?.replaceAll(unbroken, ' ') ?? lines.at(-1) ?? '';
}

function joined(parts: readonly string[], separator = ' · '): string {
  return parts.filter((part) => part !== '').join(separator);
}

/** Writes milliseconds for a person: `0.4 s`, `2 min 05 s`. */
function duration(milliseconds: number): string {
  if (milliseconds < 60_000) return `${(Math.floor(milliseconds / 100) / 10).toFixed(1)}${unbroken}s`;
  const seconds = Math.floor(milliseconds / 1000);
  return [Math.floor(seconds / 60), 'min', String(seconds % 60).padStart(2, '0'), 's'].join(unbroken);
}

function activityOf(kind: BlockKind, name: string): string {
  switch (kind) {
    case 'reasoning':
      return 'thinking';
    case 'tool_call':
      return `calling ${name || 'a tool'}`;
    case 'server_tool_call':
      return `running ${name || 'a tool'}`;
    case 'server_tool_result':
      return 'reading results';
    default:
      return 'writing';
  }
}

function countOf(count: number | null, what: string): string {
  return count === null ? '' : `${count.toLocaleString('en-US')}${unbroken}${what.replaceAll(' ', unbroken)}`;
}
