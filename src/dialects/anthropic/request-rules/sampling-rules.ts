import { claudeModel } from '../../../core/claude-model.ts';
import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import { isServerCall, isServerResult, messagesOf, type PlacedMessage, textOf } from './history.ts';
import { byClaude, isThinkingOn, servedBy, thinkingMode, versionOf } from './thinking-mode.ts';

/** The rules of sampling, tool choice and prefilled answers, most of which thinking narrows. */
export const samplingRules: readonly HistoryRule[] = [
  {
    code: 'temperature_with_thinking',
    source: "Return Claude's Thinking Blocks or Your Agent Breaks; Anthropic: extended thinking",
    *find(body) {
      const { temperature } = body;
      if (!isThinkingOn(body) || !isGiven(temperature) || temperature === 1) return;
      yield* byClaude(
        body,
        'temperature',
        '`temperature` may only be set to 1 when thinking is enabled. Leave it out.',
      );
    },
  },
  {
    code: 'top_p_with_thinking',
    source: "Return Claude's Thinking Blocks or Your Agent Breaks; Anthropic: extended thinking",
    *find(body) {
      const { top_p: topP } = body;
      if (!isThinkingOn(body) || !isGiven(topP) || (typeof topP === 'number' && topP >= 0.95)) return;
      yield* byClaude(
        body,
        'top_p',
        '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled. Leave it out.',
      );
    },
  },
  {
    code: 'top_k_with_thinking',
    source: 'Anthropic: extended thinking; Anannas: reasoning tokens',
    *find(body) {
      if (!isThinkingOn(body) || !isGiven(body['top_k'])) return;
      yield* byClaude(body, 'top_k', '`top_k` must be unset when thinking is enabled. Leave it out.');
    },
  },
  {
    code: 'sampling_refused',
    source: 'Anthropic: migration guide',
    *find(body) {
      if ((versionOf(body) ?? 0) < 407) return;
      const names = ['temperature', 'top_p', 'top_k'].filter((name) => isGiven(body[name]));
      for (const name of names.filter((given) => body[given] !== 1 || given === 'top_k'))
        yield refused(
          name,
          `\`${name}\` is deprecated for this model: from Claude 4.7 on it is refused. Leave it out.`,
        );
    },
  },
  {
    code: 'temperature_and_top_p',
    source: 'Anthropic: migration guide',
    *find(body) {
      const { family = '', version = 0 } = claudeModel(body['model']) ?? {};
      const isStrict = (version >= 405 && version <= 406) || (version === 401 && family === 'opus');
      if (!isStrict || !isGiven(body['temperature']) || !isGiven(body['top_p'])) return;
      yield refused('top_p', '`temperature` and `top_p` cannot both be specified for this model. Please use only one.');
    },
  },
  {
    code: 'tool_choice_forced_with_thinking',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks; Anthropic: extended thinking',
    *find(body) {
      if (!isForced(body) || refusesForcing(body) !== 'no' || servedBy(body) === 'compatible') return;
      if (thinkingMode(body) === 'enabled')
        yield* byClaude(
          body,
          'tool_choice',
          'Thinking may not be enabled when tool_choice forces tool use. Use "auto" or "none", or leave thinking out.',
        );
      if (thinkingMode(body) === 'adaptive')
        yield spoiled(
          'tool_choice',
          'With a forced tool the answer begins with the call and has no thinking. Use "auto" if the model is to think first.',
        );
    },
  },
  {
    code: 'tool_choice_forced_refused',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find(body) {
      const verdict = refusesForcing(body);
      if (!isForced(body) || verdict === 'no') return;
      const message =
        'This model refuses a forced tool on every request, whether it thinks or not. Use "auto" or "none".';
      yield (verdict === 'yes' ? refused : spoiled)('tool_choice', message);
    },
  },
  {
    code: 'tool_choice_forced_by_compatible_server',
    source: 'DeepSeek: thinking mode',
    *find(body) {
      if (servedBy(body) !== 'compatible' || !isForced(body) || !isThinkingOn(body)) return;
      const message = 'Thinking mode does not support this tool_choice. Use "auto" or "none", or disable thinking.';
      yield (/deepseek/i.test(textOf(body['model'])) ? refused : spoiled)('tool_choice', message);
    },
  },
  {
    code: 'tool_choice_unknown_tool',
    source: 'Anthropic: tool use',
    *find({ tool_choice: choice, tools }) {
      if (!isJsonObject(choice) || choice['type'] !== 'tool' || typeof choice['name'] !== 'string') return;
      const { name } = choice;
      if (Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && tool['name'] === name)) return;
      yield refused('tool_choice.name', `Tool '${name}' not found in provided tools. Name one of them.`);
    },
  },
  {
    code: 'prefill_refused',
    source: 'Anthropic: Messages API',
    *find(body) {
      const last = messagesOf(body).at(-1);
      // A retry of a refused answer goes on from its start, which its credit allows.
      const isRetry = Object.keys(body).some((name) => name.startsWith('fallback'));
      if (!last || !isPrefill(last) || isRetry || servedBy(body) === 'compatible') return;
      if ((versionOf(body) ?? 0) >= 406)
        yield refused(
          last.path,
          'This model does not support assistant message prefill. The conversation must end with a user message. Say in a user message how the answer shall begin.',
        );
      else if (thinkingMode(body) === 'enabled' && !last.blocks.some(({ type }) => type === 'thinking'))
        yield* byClaude(
          body,
          last.path,
          'Expected `thinking` or `redacted_thinking`, but found `text`: an answer cannot be begun for a model that thinks. End with a user message.',
        );
    },
  },
];

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isForced({ tool_choice: choice }: JsonObject): boolean {
  return isJsonObject(choice) && (choice['type'] === 'any' || choice['type'] === 'tool');
}

/** Opus and Sonnet 5.5, Fable and Mythos 5.1 refuse a forced tool on every request; of later ones nothing is known. */
function refusesForcing({ model }: JsonObject): 'yes' | 'maybe' | 'no' {
  const { family = '', version = 0 } = claudeModel(model) ?? {};
  const since = /^(?:opus|sonnet)$/.test(family) ? 505 : /^(?:fable|mythos)$/.test(family) ? 501 : Number.NaN;
  if (!(version >= since)) return 'no';
  return version === since ? 'yes' : 'maybe';
}

/** Whether a message is the start of an answer, and not a paused turn that goes on. */
function isPrefill({ role, blocks }: PlacedMessage): boolean {
  const isPaused = ({ type }: { type: string }): boolean =>
    isServerCall(type) || isServerResult(type) || type === 'tool_use' || type === 'compaction' || type === 'fallback';
  return role === 'assistant' && blocks.length > 0 && !blocks.some(isPaused);
}
