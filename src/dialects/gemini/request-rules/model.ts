import type { JsonObject } from '../../../core/json-object.ts';
import type { RequestContext } from '../../../core/request-rule.ts';
import { isText } from '../wire.ts';

/** What is told of a model by its name. */
export interface GeminiModel {
  /** `gemini-3.1-pro-preview`, without what stands before it. */
  readonly name: string;
  /** 3.1; undefined for `gemini-flash-latest` and its kin. */
  readonly version: number | undefined;
}

/**
 * The model that a request is meant for. The service has it in the address, an SDK in the body; else it is the one that
 * gave the last of the turns.
 *
 * @returns undefined if nothing tells, or if it is no Gemini model.
 */
export function modelOf(body: JsonObject, { turns = [] }: RequestContext): GeminiModel | undefined {
  const name = nameOf(body, turns);
  const match = /(?:^|\/)(gemini-(\d+(?:\.\d+)?)?.*)$/.exec(name ?? '');
  if (!match) return undefined;
  return { name: match[1] ?? '', version: match[2] === undefined ? undefined : Number(match[2]) };
}

/** Whether a model is known to be none of Google's Gemini models. */
function isOtherModel(body: JsonObject, context: RequestContext): boolean {
  return nameOf(body, context.turns ?? []) !== undefined && modelOf(body, context) === undefined;
}

/** Whether a model's thoughts must come back signed: yes, no, or not told by its name. */
export function insistsOnSignatures(body: JsonObject, context: RequestContext): boolean | undefined {
  if (isOtherModel(body, context)) return false;
  const version = modelOf(body, context)?.version;
  return version === undefined ? undefined : version >= 3;
}

function nameOf({ model }: JsonObject, turns: NonNullable<RequestContext['turns']>): string | undefined {
  return isText(model) ? model : (turns.at(-1)?.model ?? undefined);
}
