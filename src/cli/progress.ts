import type { BlockKind, Usage } from '../core/turn.ts';
import type { UiEvent } from '../core/turn-event.ts';
import { visibleLine } from './visible.ts';

/** Follows how far a turn is, in words for its status line and its summary. */
export interface Progress {
  push(event: UiEvent): void;
  /** What goes on, for how long, and the tokens so far; empty when the turn is over. */
  status(): string;
  /** How the turn ended, for how long it went on, and what it used. */
  summary(): string;
}

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const spinnerPeriod = 100;

/** What most tokenizers need for one token of English; shown with `~`, and only while the wire has not counted. */
const charactersPerToken = 4;

/**
 * Makes the progress of one turn, which starts now.
 *
 * @param now A clock in milliseconds.
 */
export function createProgress(now: () => number): Progress {
  const startedAt = now();
  const activities = new Map<number, string>();
  let activity = 'waiting';
  let model = '';
  let usage: Usage | undefined;
  let characters = 0;
  let warnings = 0;
  let ending: Extract<UiEvent, { type: 'turn_stop' }> | undefined;
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
    status() {
      if (ending) return '';
      const elapsed = now() - startedAt;
      const frame = spinner[Math.floor(elapsed / spinnerPeriod) % spinner.length];
      return [`${frame} ${activity}`, duration(elapsed), tokensSoFar()].join(' · ');
    },
    summary() {
      if (!ending) return '';
      const stopReason = visibleLine(ending.stopReason ?? 'no stop reason');
      const warned = warnings === 0 ? '' : `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
      const parts = [ending.status, stopReason, model, usageText(ending.usage), duration(endedAt - startedAt), warned];
      return parts.filter((part) => part !== '').join(' · ');
    },
  };

  function tokensSoFar(): string {
    const counted = usage?.outputTokens ?? 0;
    const guessed = Math.ceil(characters / charactersPerToken);
    const output = guessed > counted ? `~${count(guessed)}` : count(counted);
    const input = usage?.inputTokens == null ? '' : `${count(usage.inputTokens)} in, `;
    return `${input}${output} out tokens`;
  }
}

/** Writes milliseconds for a person: `0.4 s`, `2 min 05 s`. */
function duration(milliseconds: number): string {
  if (milliseconds < 60_000) return `${(Math.floor(milliseconds / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
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

function usageText(usage: Usage): string {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const parts = [
    countOf(inputTokens, 'in'),
    countOf(outputTokens, 'out'),
    countOf(reasoningTokens, 'of it reasoning'),
    countOf(cacheReadTokens || null, 'read from cache'),
    countOf(cacheWriteTokens || null, 'written to cache'),
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join(', ')} tokens`;
}

function countOf(tokens: number | null, what: string): string {
  return tokens === null ? '' : `${count(tokens)} ${what}`;
}

function count(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
