import { claudeModel } from '../../../core/claude-model.ts';
import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type HistoryRule, spoiled } from '../../../core/request-rule.ts';
import { isThinking, messagesOf, openCycle } from './history.ts';
import { effortOf, thinkingMode } from './thinking-mode.ts';

/** The rules of what may change from one request of a conversation to the next. */
export const previousRules: readonly HistoryRule[] = [
  {
    code: 'thinking_changed_in_cycle',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find(body, { previous }) {
      const path = previous && changedSetting(previous, body);
      if (path === undefined || openCycle(body).length === 0) return;
      yield spoiled(
        path,
        'Thinking is configured anew in the middle of a tool cycle. The service does not error: it may disable thinking for this request without a word. Change it on the next user turn, when the cycle is closed.',
      );
    },
  },
  {
    code: 'thinking_change_loses_cache',
    source:
      "Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks; Return Claude's Thinking Blocks or Your Agent Breaks",
    *find(body, { previous }) {
      const path = previous && changedSetting(previous, body);
      if (path === undefined) return;
      yield spoiled(
        path,
        'Changing effort, budget or mode of thinking invalidates the prompt cache: the history is read anew, at full price. Pick one for the conversation; for more or less thought say so in the user message.',
      );
    },
  },
  {
    code: 'bound_prefix_changed',
    source: 'Anthropic: preserved thinking',
    *find(body, { previous }) {
      if (!previous || !bindsToPrefix(body)) return;
      for (const path of changedPrefix(previous, body))
        yield spoiled(
          path,
          'Invalid `signature` in `thinking` block. The block is bound to a different conversation: this stands before it and changed since, so it and all later thinking is refused, or dropped. Leave the history as it was sent, and append the change.',
        );
    },
  },
];

/** The path of the first setting of thinking that differs; undefined where none does. */
function changedSetting(previous: JsonObject, body: JsonObject): string | undefined {
  const settings: Readonly<Record<string, (request: JsonObject) => unknown>> = {
    'thinking.type': thinkingMode,
    'thinking.budget_tokens': ({ thinking }) => (isJsonObject(thinking) ? thinking['budget_tokens'] : undefined),
    'output_config.effort': effortOf,
  };
  return Object.keys(settings).find((path) => settings[path]?.(previous) !== settings[path]?.(body));
}

/** From Fable and Mythos 5.1, Opus, Sonnet and Haiku 5.5 on a signature is bound to all that stands before its block. */
function bindsToPrefix({ model }: JsonObject): boolean {
  const { family = '', version = 0 } = claudeModel(model) ?? {};
  return version >= (/^(?:fable|mythos)$/.test(family) ? 501 : 505);
}

/** What differs before the last thinking block that both requests have. */
function* changedPrefix(previous: JsonObject, body: JsonObject): Iterable<string> {
  const [before, now] = [messagesOf(previous), messagesOf(body)];
  const end = now.findLastIndex(({ blocks }) => blocks.some(isThinking));
  if (end === -1) return;
  for (const name of ['system', 'tools']) if (plainJson(previous[name]) !== plainJson(body[name])) yield name;
  const shared = before.slice(0, end);
  const at = shared.findIndex(({ native }, index) => plainJson(native) !== plainJson(now[index]?.native));
  if (at !== -1) yield now[at]?.path ?? 'messages';
}

/** JSON text without cache breakpoints, which are outside of the comparison. */
function plainJson(value: unknown): string | undefined {
  return JSON.stringify(value, (name, member: unknown) => (name === 'cache_control' ? undefined : member));
}
