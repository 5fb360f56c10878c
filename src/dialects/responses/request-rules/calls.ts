import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import type { HistoryRule } from '../../../core/request-rule.ts';
import { isClientCall } from '../item-kind.ts';
import { isDeepSeekModel } from './models.ts';
import {
  clientOutputs,
  error,
  type Found,
  hasStoredHistory,
  itemsOf,
  type PlacedItem,
  refused,
  textOf,
  warning,
} from './reading.ts';

/** Each output names a call that stands before it. */
export const outputWithoutCall: HistoryRule = {
  code: 'output_without_call',
  source: 'https://github.com/openai/openai-node/issues/2571',
  *find(body) {
    const items = itemsOf(body);
    if (hasStoredHistory(body) || items.some(({ type }) => type === 'item_reference')) return;
    // A shell of the service's own leaves its outputs in the history, too.
    const calls = new Set(items.filter(({ type }) => type.endsWith('_call')).map(pairId));
    for (const placed of items.filter(isAnswer)) {
      if (calls.has(pairId(placed))) continue;
      const message =
        `No tool call found for function call output with call_id ${String(pairId(placed))}. ` +
        'Send the call before it, with the `call_id` that it came with, or leave the output out.';
      yield strictly(body, placed.path, message);
    }
  },
};

/** An output that comes before its call answers nothing. */
export const outputBeforeCall: HistoryRule = {
  code: 'output_before_call',
  source: 'https://github.com/openai/openai-node/issues/2571',
  *find(body) {
    const items = itemsOf(body);
    const firstCall = new Map<unknown, number>();
    for (const placed of items.filter(isCall)) {
      if (!firstCall.has(pairId(placed))) firstCall.set(pairId(placed), placed.index);
    }
    for (const placed of items.filter(isAnswer)) {
      const call = firstCall.get(pairId(placed));
      if (call === undefined || call < placed.index) continue;
      const id = String(pairId(placed));
      const message = `No tool call found for function call output with call_id ${id}: it stands in input[${call}].`;
      yield strictly(body, placed.path, `${message} Send each output behind its call.`);
    }
  },
};

/** Each call that the client runs is answered. */
export const callWithoutOutput: HistoryRule = {
  code: 'call_without_output',
  source: 'https://github.com/openai/openai-python/issues/3561',
  *find(body) {
    if (hasStoredHistory(body)) return;
    const items = itemsOf(body);
    const answered = new Set(items.filter(isAnswer).map(pairId));
    for (const placed of items) {
      // A call without an id has a rule of its own, and an asynchronous one is answered when it is ready.
      if (!isCall(placed) || pairId(placed) === undefined || placed.item['async'] === true) continue;
      if (answered.has(pairId(placed)) || isXaiCall(placed)) continue;
      const message =
        `No tool output found for function call ${String(pairId(placed))}. ` +
        'Send an output for each call, be it that the tool was not run, or leave the call and its reasoning out.';
      yield strictly(body, placed.path, message);
    }
  },
};

/** xAI runs some custom tools itself; only the form of the id tells. */
function isXaiCall({ item, type }: PlacedItem): boolean {
  return type === 'custom_tool_call' && String(item['call_id']).startsWith('xs_call');
}

/** Nothing is said between a call and its output. */
export const interruptedCalls: HistoryRule = {
  code: 'message_before_output',
  source: 'https://api-docs.deepseek.com/guides/thinking_mode (recorded: 400, No tool output found for tool call)',
  *find(body) {
    const items = itemsOf(body);
    const answered = new Set(items.filter(isAnswer).map(pairId));
    const isStrict = isDeepSeekModel(body['model']);
    const open = new Set<unknown>();
    for (const placed of items) {
      const { item, type, path } = placed;
      if (isCall(placed) && answered.has(pairId(placed))) open.add(pairId(placed));
      if (isAnswer(placed)) open.delete(pairId(placed));
      if (type !== 'message' || open.size === 0) continue;
      const [id] = open;
      const said = `No tool output found for tool call ${String(id)}: a message stands between it and its output.`;
      // A model may speak between its calls; only DeepSeek's service takes that for the end of the wait.
      if (isStrict) yield error(path, `${said} Send the calls together, and their outputs directly behind them.`);
      else if (item['role'] !== 'assistant') yield warning(path, `${said} Some servers refuse it; send outputs first.`);
    }
  },
};

/** What pairs a call with its output names one call. */
export const duplicateCallId: HistoryRule = {
  code: 'duplicate_call_id',
  source: 'https://github.com/earendil-works/pi/issues/9057',
  *find(body) {
    const seen = new Set<unknown>();
    const open = new Set<unknown>();
    for (const placed of itemsOf(body)) {
      const id = pairId(placed);
      if (isAnswer(placed)) open.delete(id);
      if (!isCall(placed) || id === undefined) continue;
      const message = `Duplicate 'call_id': ${String(id)}. Give each call the \`call_id\` that it came with.`;
      if (open.has(id)) yield strictly(body, placed.path, message);
      else if (seen.has(id)) yield warning(placed.path, `${message} It is answered above; not every server pairs it.`);
      seen.add(id);
      open.add(id);
    }
  },
};

/** One call, one output. */
export const duplicateOutput: HistoryRule = {
  code: 'duplicate_output',
  source: 'https://platform.openai.com/docs/guides/function-calling',
  *find(body) {
    const answered = new Set<unknown>();
    for (const placed of itemsOf(body)) {
      const id = pairId(placed);
      if (isCall(placed)) answered.delete(id);
      if (!isAnswer(placed) || id === undefined) continue;
      if (answered.has(id)) yield warning(placed.path, `The call ${id} is answered above. Send one output for each.`);
      answered.add(id);
    }
  },
};

/** Without a `call_id` nothing can be paired. */
export const missingCallId: HistoryRule = {
  code: 'missing_call_id',
  source: 'https://github.com/earendil-works/pi/issues/9057',
  *find(body) {
    for (const { item, type, path } of itemsOf(body)) {
      if (!/^(function|custom_tool)_call(_output)?$/.test(type) || textOf(item['call_id']) !== undefined) continue;
      yield error(path, `Missing required parameter: '${path}.call_id'. It is what pairs a call with its output.`);
    }
  },
};

/** The arguments of a function go back as the text they came in. */
export const argumentsText: HistoryRule = {
  code: 'arguments_not_text',
  source: 'https://platform.openai.com/docs/api-reference/responses/create#responses-create-input',
  *find(body) {
    for (const { item, type, path } of itemsOf(body)) {
      if (type !== 'function_call' || typeof item['arguments'] === 'string') continue;
      const place = `${path}.arguments`;
      const message = `Invalid type for '${place}': expected a string. Send the JSON text that came, not its value.`;
      yield refused(body, place, message);
    }
  },
};

/** OpenAI takes any text as arguments; servers of open models parse it. */
export const argumentsJson: HistoryRule = {
  code: 'arguments_not_json',
  source: 'https://github.com/vllm-project/vllm/issues/19419',
  *find(body) {
    for (const { item, type, path } of itemsOf(body)) {
      const { arguments: text } = item;
      if (type !== 'function_call' || typeof text !== 'string' || isJsonText(text)) continue;
      const message = 'The arguments are no JSON object; servers that parse them refuse the request, vLLM for one.';
      yield warning(`${path}.arguments`, `${message} Send \`{}\` for none, and wrap what the model wrote amiss.`);
    }
  },
};

function isJsonText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** The output of a function is a text, or a list of parts. */
export const outputText: HistoryRule = {
  code: 'output_not_text',
  source: 'https://platform.openai.com/docs/api-reference/responses/create#responses-create-input',
  *find(body) {
    for (const { item, type, path } of itemsOf(body)) {
      const { output } = item;
      if (type !== 'function_call_output' && type !== 'custom_tool_call_output') continue;
      if (typeof output === 'string' || Array.isArray(output)) continue;
      const place = `${path}.output`;
      const message = `Invalid type for '${place}': expected a string or an array of parts. Send JSON as text.`;
      yield refused(body, place, message);
    }
  },
};

/** A call that the client runs. */
function isCall({ item, type }: PlacedItem): boolean {
  return isClientCall({ ...item, type });
}

/** The output of such a call. */
function isAnswer({ item, type }: PlacedItem): boolean {
  if (type === 'tool_search_output') return item['execution'] === 'client';
  return clientOutputs.has(type) && type !== 'mcp_approval_response';
}

function pairId({ item }: PlacedItem): string | undefined {
  return textOf(item['call_id']) ?? textOf(item['id']);
}

/** DeepSeek pairs calls as strictly as OpenAI. */
function strictly(body: JsonObject, path: string, message: string): Found {
  return isDeepSeekModel(body['model']) ? error(path, message) : refused(body, path, message);
}
