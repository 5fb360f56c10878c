import type { JsonObject } from '../../../core/json-object.ts';
import type { HistoryRule } from '../../../core/request-rule.ts';
import { modelOf } from './model.ts';
import { error, memberOf, objectIn, warning } from './reading.ts';

/** Where the settings of thinking stand, and what they say. */
interface Thinking {
  /** `generationConfig.thinkingConfig`. */
  readonly path: string;
  readonly budget: unknown;
  readonly level: unknown;
}

function thinkingOf(body: JsonObject): Thinking | undefined {
  // The service calls it `generationConfig`, the SDK `config`.
  for (const name of ['generationConfig', 'config']) {
    const settings = objectIn(objectIn(body, name) ?? {}, 'thinkingConfig');
    if (!settings) continue;
    const [budget, level] = [memberOf(settings, 'thinkingBudget'), memberOf(settings, 'thinkingLevel')];
    return { path: `${name}.thinkingConfig`, budget, level };
  }
  return undefined;
}

/** Thinking is measured in one way. */
export const budgetAndLevel: HistoryRule = {
  code: 'thinking_budget_and_level',
  source: 'https://github.com/sterlp/eclipse-peon-ai/issues/115',
  *find(body) {
    const { path, budget, level } = thinkingOf(body) ?? {};
    if (path === undefined || isAbsent(budget) || isAbsent(level)) return;
    const message = 'You can only set only one of thinking budget and thinking level.';
    yield error(path, `${message} Gemini 3 and later take a level, earlier models a budget.`);
  },
};

/** Levels came with Gemini 3, and not each model has each. */
export const thinkingLevel: HistoryRule = {
  code: 'unsupported_thinking_level',
  source: 'https://ai.google.dev/gemini-api/docs/thinking',
  *find(body, context) {
    const { path, level } = thinkingOf(body) ?? {};
    if (path === undefined || isAbsent(level)) return;
    const place = `${path}.thinkingLevel`;
    const { name = '', version } = modelOf(body, context) ?? {};
    const isKnown = typeof level === 'string' && /^(thinking_level_unspecified|minimal|low|medium|high)$/i.test(level);
    if (!isKnown) {
      yield error(place, `Invalid value at '${place}': ${String(level)}. Use minimal, low, medium or high.`);
    } else if (version !== undefined && version < 3) {
      yield error(place, 'Thinking level is not supported for this model. Set `thinkingBudget`.');
    } else if (/^minimal$/i.test(level) && /^gemini-3(\.\d+)?-pro/.test(name) && !name.includes('image')) {
      yield error(place, 'Thinking level MINIMAL is not supported for this model. Use low, or more.');
    }
  },
};

/** What each model takes as budget; -1 lets it choose, 0 switches thinking off. */
const budgets: readonly {
  readonly model: RegExp;
  readonly least: number;
  readonly most: number;
  readonly off: boolean;
}[] = [
  { model: /^gemini-2\.5-pro/, least: 128, most: 32_768, off: false },
  { model: /^gemini-2\.5-flash-lite/, least: 512, most: 24_576, off: true },
  { model: /^gemini-2\.5-flash(?!-(image|live|native))/, least: 1, most: 24_576, off: true },
];

/** A budget is within the model's range. */
export const thinkingBudget: HistoryRule = {
  code: 'thinking_budget_out_of_range',
  source: 'https://ai.google.dev/gemini-api/docs/thinking#set-budget',
  *find(body, context) {
    const { path, budget } = thinkingOf(body) ?? {};
    if (path === undefined || typeof budget !== 'number' || budget === -1) return;
    const place = `${path}.thinkingBudget`;
    const { name = '', version = 0 } = modelOf(body, context) ?? {};
    const range = budgets.find(({ model }) => model.test(name));
    if (budget === 0 && range?.off === false) {
      yield error(place, 'Budget 0 is invalid. This model only works in thinking mode.');
    } else if (budget === 0 && version >= 3 && name.includes('-pro')) {
      yield warning(place, 'Budget 0 is invalid. This model only works in thinking mode; set a level.');
    } else if (budget < 0 || !Number.isInteger(budget)) {
      yield error(place, `The thinking budget ${budget} is invalid. Use a number of tokens, 0 for none or -1 for any.`);
    } else if (range && budget !== 0 && (budget < range.least || budget > range.most)) {
      const message = `The thinking budget ${budget} is invalid. Please choose a value between ${range.least} and ${range.most}.`;
      yield error(place, message);
    }
  },
};

/** Models before 2.5 do not think. */
export const thinkingUnsupported: HistoryRule = {
  code: 'thinking_unsupported',
  source: 'https://ai.google.dev/gemini-api/docs/thinking',
  *find(body, context) {
    const thinking = thinkingOf(body);
    const { name = '', version = 2.5 } = modelOf(body, context) ?? {};
    if (!thinking || version >= 2.5 || name.includes('thinking')) return;
    if (isAbsent(thinking.budget) || thinking.budget === 0) return;
    const message = 'Unable to submit request because thinking is not supported by this model.';
    yield error(thinking.path, `${message} Leave \`thinkingConfig\` out.`);
  },
};

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
