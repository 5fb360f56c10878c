import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import type { HistoryRule } from '../../../core/request-rule.ts';
import { gptVersion, isOpenAiModel, reasoningFamily } from './models.ts';
import { error, type Found, refused, textOf, warning } from './reading.ts';

/** Members that choose among the likely next words. */
const sampling: readonly (readonly [name: string, isDefault: (value: unknown) => boolean])[] = [
  ['temperature', (value) => value === 1],
  ['top_p', (value) => value === 1],
  ['top_logprobs', (value) => value === 0],
];

/** Reasoning models sample as they choose. */
export const samplingWithReasoning: HistoryRule = {
  code: 'sampling_with_reasoning',
  source: 'https://platform.openai.com/docs/guides/latest-model (recorded: 400, logprobs with reasoning models)',
  *find(body) {
    const family = reasoningFamily(body['model']);
    if (family === undefined || family === 'none') return;
    const effort = effortOf(body);
    if (family === 'later' && effort === 'none') return;
    // Later models reason by default or do not, each as it likes.
    const found = family === 'later' && effort === undefined ? warning : error;
    for (const [name, isDefault] of sampling) {
      const value = body[name];
      if (value === undefined || value === null || isDefault(value)) continue;
      yield found(name, `Unsupported parameter: '${name}' is not supported with this model. Leave it out.`);
    }
  },
};

/** How much a model may be told to reason. */
export const unsupportedEffort: HistoryRule = {
  code: 'unsupported_effort',
  source: 'https://platform.openai.com/docs/guides/reasoning',
  *find(body) {
    const effort = effortOf(body);
    if (effort === undefined) return;
    const found = effortFinding(body['model'], effort);
    if (found) yield found;
  },
};

function effortFinding(model: unknown, effort: string): Found | undefined {
  const path = 'reasoning.effort';
  const family = reasoningFamily(model);
  if (family === 'none') {
    return error(path, `Unsupported parameter: '${path}' is not supported with this model. It does not reason.`);
  }
  const levels = family && supportedLevels[family];
  if (!levels || levels.includes(effort)) return undefined;
  const message = `Unsupported value: '${effort}' is not supported with this model. Use one of ${levels.join(', ')}.`;
  // What the newest take changes with each of them.
  return family === 'later' && gptVersion(model) > 5.2 ? warning(path, message) : error(path, message);
}

const supportedLevels: Readonly<Record<string, readonly string[]>> = {
  o: ['low', 'medium', 'high'],
  'gpt-5': ['minimal', 'low', 'medium', 'high'],
  later: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
};

function effortOf({ reasoning }: JsonObject): string | undefined {
  return isJsonObject(reasoning) ? textOf(reasoning['effort']) : undefined;
}

/** An answer has room for a few words at least. */
export const outputLimit: HistoryRule = {
  code: 'max_output_tokens_too_low',
  source: 'https://platform.openai.com/docs/api-reference/responses/create',
  *find(body) {
    const { max_output_tokens: limit } = body;
    if (typeof limit !== 'number' || limit >= 16) return;
    const path = 'max_output_tokens';
    const message = `Invalid '${path}': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`;
    yield refused(body, path, message);
  },
};

/** What is not stored can be gone on from only by its ciphertext. */
export const missingInclude: HistoryRule = {
  code: 'ciphertext_not_included',
  source: 'https://platform.openai.com/docs/guides/reasoning',
  *find(body) {
    const { store, include, model } = body;
    const family = reasoningFamily(model);
    if (store !== false || family === undefined || family === 'none') return;
    if (Array.isArray(include) && include.includes('reasoning.encrypted_content')) return;
    const message =
      'With `store: false` the reasoning of this answer is lost, unless the server gives its ciphertext unasked. ' +
      "Ask for it: `include: ['reasoning.encrypted_content']`.";
    yield warning('include', message);
  },
};

/** A function is described in the tool itself, not in a member of it as in chat completions. */
export const chatTool: HistoryRule = {
  code: 'missing_tool_name',
  source: 'https://platform.openai.com/docs/guides/migrate-to-responses (recorded: 400)',
  *find(body) {
    const { tools } = body;
    if (!Array.isArray(tools)) return;
    for (const [index, tool] of (tools as readonly unknown[]).entries()) {
      if (!isJsonObject(tool) || tool['type'] !== 'function' || textOf(tool['name']) !== undefined) continue;
      const path = `tools[${index}].name`;
      const message = `Missing required parameter: '${path}'. Move what stands in \`function\` into the tool.`;
      yield isOpenAiModel(body['model']) ? error(path, message) : warning(path, message);
    }
  },
};
