import { claudeModel } from '../../../core/claude-model.ts';
import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type Found, refused, spoiled } from '../../../core/request-rule.ts';

/** What `thinking` says; `default` where the request leaves it to the model. */
export function thinkingMode({ thinking }: JsonObject): string {
  const type = isJsonObject(thinking) ? thinking['type'] : undefined;
  return typeof type === 'string' ? type : 'default';
}

/** Whether the model is asked to think: `enabled` or `adaptive`. */
export function isThinkingOn(body: JsonObject): boolean {
  const mode = thinkingMode(body);
  return mode === 'enabled' || mode === 'adaptive';
}

/** Whether the model does not think: told so, or of a generation that does so only when it is told to. */
export function isThinkingOff(body: JsonObject): boolean {
  const mode = thinkingMode(body);
  if (mode !== 'default') return mode === 'disabled';
  const version = claudeModel(body['model'])?.version;
  return version !== undefined && version < 500;
}

/** The level of effort that a request asks for; undefined where it asks for none. */
export function effortOf({ output_config: config }: JsonObject): unknown {
  return isJsonObject(config) ? (config['effort'] ?? undefined) : undefined;
}

/** The generation of the model, 406 for 4.6; undefined where its id does not tell. */
export function versionOf({ model }: JsonObject): number | undefined {
  return claudeModel(model)?.version;
}

/** Ids of models whose servers speak this dialect and do not sign. */
const unsigned = /deepseek|kimi|moonshot|minimax|glm|qwen|mimo|step-|doubao|hunyuan|ernie|gpt-|llama/i;

/**
 * Who answers: Anthropic's own models sign their thinking and check it, those of compatible servers do not. Clouds that
 * have the model in the URL serve Claude.
 */
export function servedBy({ model }: JsonObject): 'claude' | 'compatible' | 'unknown' {
  if (typeof model !== 'string' || /claude|anthropic/i.test(model)) return 'claude';
  return unsigned.test(model) ? 'compatible' : 'unknown';
}

/** A finding about what only Claude checks: an error where it answers, a warning where nobody knows, else nothing. */
export function byClaude(body: JsonObject, path: string, message: string): readonly Found[] {
  const server = servedBy(body);
  if (server === 'compatible') return [];
  return [server === 'claude' ? refused(path, message) : spoiled(path, message)];
}

/** A finding about what Claude refuses: an error where it answers, a warning where another server may take it. */
export function refusedByClaude(body: JsonObject, path: string, message: string): Found {
  return (servedBy(body) === 'claude' ? refused : spoiled)(path, message);
}
