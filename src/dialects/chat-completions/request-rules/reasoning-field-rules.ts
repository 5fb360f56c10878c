import { claudeModel } from '../../../core/claude-model.ts';
import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import { reasoningFamily } from '../families.ts';
import { answersOf, familyOf, isOpenRouter, openCycle, type PlacedMessage, textOf } from './history.ts';

/** The rules of reasoning in plain fields: which family of models wants it back, and which must not get it. */
export const reasoningFieldRules: readonly HistoryRule[] = [
  {
    code: 'reasoning_missing_on_tool_turn',
    source: 'DeepSeek: thinking mode; Moonshot: thinking models',
    *find(body) {
      const verdict = wantsReasoning(body);
      if (verdict === 'no') return;
      const isKimi = familyOf(body) === 'kimi';
      for (const { native, calls, path } of answersOf(body)) {
        if (calls.length === 0 || hasReasoning(native)) continue;
        const said = isKimi
          ? 'thinking is enabled but reasoning_content is missing in assistant tool call message'
          : 'The `reasoning_content` in the thinking mode must be passed back to the API';
        yield (verdict === 'yes' ? refused : spoiled)(
          path,
          `${said}, on every turn with calls, however old. Send it as it came; "" where there was none.`,
        );
      }
    },
  },
  {
    code: 'reasoning_not_taken_back',
    source: 'DeepSeek: reasoning model',
    *find(body) {
      if (reasoningFamily(textOf(body['model'])).takesBack) return;
      for (const { native, path } of answersOf(body)) {
        if (textOf(native['reasoning_content']) !== '')
          yield spoiled(
            `${path}.reasoning_content`,
            'The first DeepSeek R1 answers 400 to reasoning_content in the input. Leave it out for this model.',
          );
      }
    },
  },
  {
    code: 'reasoning_without_details',
    source: 'Anannas: reasoning tokens; OpenRouter: reasoning tokens',
    *find(body) {
      if (familyOf(body) !== 'claude') return;
      for (const { native, path } of answersOf(body)) {
        const field = plainFields.find((name) => textOf(native[name]) !== '');
        const details = native['reasoning_details'];
        if (field === undefined || (Array.isArray(details) && details.length > 0)) continue;
        yield spoiled(
          `${path}.${field}`,
          'A gateway makes a thinking block without a valid signature of it, which Claude refuses. Send reasoning_details as they came, or neither.',
        );
      }
    },
  },
  {
    code: 'reasoning_missing_in_cycle',
    source: 'Anannas: preserving reasoning blocks; OpenRouter: reasoning tokens',
    *find(body) {
      // Newer models decide for themselves whether to think, so a turn without thinking may be as it came.
      const isManual = (claudeModel(body['model'])?.version ?? 406) < 406;
      const [first, ...more] = openCycle(body);
      if (!isManual || !first || thinkingAsked(body) !== true) return;
      if ([first, ...more].some(({ native }) => hasReasoning(native))) return;
      yield spoiled(
        first.path,
        'Expected `thinking` or `redacted_thinking`, but found `tool_use`: the turn goes back without its reasoning while its tool cycle is open. Send reasoning_details as they came, or ask for no reasoning in this request.',
      );
    },
  },
  {
    code: 'thought_signature_missing',
    source: 'OpenRouter: reasoning tokens; Gemini: thought signatures',
    *find(body) {
      if (!/gemini-(?:[3-9]|\d\d)/.test(textOf(body['model']))) return;
      for (const message of openCycle(body)) {
        const [first] = message.calls;
        if (!first || isSignedByGemini(message)) continue;
        yield (isOpenRouter(body) ? refused : spoiled)(
          first.path,
          'Gemini models require OpenRouter reasoning details to be preserved in each request: Function call is missing a thought_signature. Send reasoning_details, or the extra_content of the call, as they came.',
        );
      }
    },
  },
];

const plainFields = ['reasoning', 'reasoning_content', 'reasoning_text'];

/** "" counts: it says that there was none. */
function hasReasoning(message: JsonObject): boolean {
  return plainFields.some((name) => typeof message[name] === 'string') || Array.isArray(message['reasoning_details']);
}

/** Whether the model refuses turns with calls that lack their reasoning; `maybe` behind a gateway, which may mend it. */
function wantsReasoning(body: JsonObject): 'yes' | 'maybe' | 'no' {
  const model = textOf(body['model']).toLowerCase();
  if (reasoningFamily(model).afterClose !== 'must') return 'no';
  const asked = thinkingAsked(body);
  const thinksUnasked = /deepseek-(?:v[4-9]|reasoner)|kimi-k(?:2\.[5-9]|2-thinking|[3-9])/.test(model);
  if (asked === false || (asked === undefined && !thinksUnasked)) return 'no';
  return model.includes('/') ? 'maybe' : 'yes';
}

/** Whether the request switches thinking on or off; undefined where it leaves it to the model. */
function thinkingAsked(body: JsonObject): boolean | undefined {
  const { thinking, reasoning, enable_thinking: enable } = body;
  if (typeof enable === 'boolean') return enable;
  if (isJsonObject(thinking) && typeof thinking['type'] === 'string') return thinking['type'] !== 'disabled';
  if (isJsonObject(reasoning)) return reasoning['enabled'] !== false && reasoning['effort'] !== 'none';
  return undefined;
}

function isSignedByGemini({ native, calls }: PlacedMessage): boolean {
  const details = Array.isArray(native['reasoning_details']) ? native['reasoning_details'] : [];
  const isSealed = (detail: unknown): boolean =>
    isJsonObject(detail) && (textOf(detail['data']) !== '' || textOf(detail['signature']) !== '');
  return details.some(isSealed) || calls.some(({ native: call }) => isJsonObject(call['extra_content']));
}
