import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import {
  answersOf,
  byVendor,
  exchangesOf,
  familyOf,
  isMistralApi,
  messagesOf,
  type PlacedCall,
  textOf,
} from './history.ts';

const source = 'OpenAI: function calling';

/** The rules of calls and of their results. */
export const toolRules: readonly HistoryRule[] = [
  {
    code: 'tool_result_missing',
    source: 'OpenAI: function calling; Mistral: function calling',
    *find(body) {
      const said = isMistralApi(body)
        ? 'Not the same number of function calls and responses.'
        : "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
      for (const { calls, results } of exchangesOf(body)) {
        const answered = new Set(results.map(({ native }) => native['tool_call_id']));
        for (const { path, id } of calls.filter((call) => !answered.has(call.id)))
          yield byVendor(body, path, `${said} ${id} has none: put it directly behind the calls, be it an error.`);
      }
    },
  },
  {
    code: 'tool_result_unexpected',
    source,
    *find(body) {
      for (const { calls, results } of exchangesOf(body)) {
        const ids = new Set(calls.map(({ id }) => id));
        for (const { path, native } of results.filter((result) => !ids.has(textOf(result.native['tool_call_id']))))
          yield byVendor(
            body,
            path,
            `Messages with role 'tool' must be a response to a preceding message with 'tool_calls', and ${String(native['tool_call_id'])} is none of it. Send call and result together, with nothing between them.`,
          );
      }
    },
  },
  {
    code: 'tool_result_repeated',
    source,
    *find(body) {
      for (const { results } of exchangesOf(body)) {
        const seen = new Set<unknown>();
        for (const { path, native } of results) {
          const id = native['tool_call_id'];
          if (seen.has(id)) yield spoiled(path, `The call ${String(id)} has two results. Leave the second out.`);
          seen.add(id);
        }
      }
    },
  },
  {
    code: 'tool_call_id_repeated',
    source: 'OpenAI: function calling; Anthropic: tool use',
    *find(body) {
      const isClaude = familyOf(body) === 'claude';
      const seen = new Set<string>();
      for (const { calls } of answersOf(body)) {
        // Some models number their calls anew in each turn, and take that back.
        if (!isClaude) seen.clear();
        for (const { id, path } of calls) {
          if (id !== '' && seen.has(id))
            yield (isClaude ? refused : spoiled)(
              path,
              `\`tool_use\` ids must be unique, and ${id} stands there twice. Leave the repeated call out.`,
            );
          seen.add(id);
        }
      }
    },
  },
  {
    code: 'tool_call_incomplete',
    source,
    *find(body) {
      for (const call of callsIn(body)) {
        if (call.id === '')
          yield byVendor(
            body,
            `${call.path}.id`,
            'Missing required parameter: the id of a call. Make one, and answer it.',
          );
        if (nameOf(call) === '')
          yield byVendor(
            body,
            `${call.path}.function.name`,
            'Missing required parameter: the name. Leave the call out.',
          );
      }
    },
  },
  {
    code: 'tool_arguments_not_text',
    source,
    *find(body) {
      for (const { path, native } of callsIn(body)) {
        const args = isJsonObject(native['function']) ? native['function']['arguments'] : '';
        if (typeof args === 'string') continue;
        yield byVendor(
          body,
          `${path}.function.arguments`,
          "Invalid type for 'function.arguments': expected a string. Send the raw text that came, not the parsed object.",
        );
      }
    },
  },
  {
    code: 'tool_arguments_not_json',
    source: 'OpenAI: function calling; vLLM; DashScope',
    *find(body) {
      for (const { path, native } of callsIn(body)) {
        const args = isJsonObject(native['function']) ? native['function']['arguments'] : undefined;
        if (typeof args !== 'string' || isObjectText(args)) continue;
        yield (familyOf(body) === 'claude' ? refused : spoiled)(
          `${path}.function.arguments`,
          'Arguments that are no JSON object are refused by servers that parse them (Claude behind a gateway, vLLM, DashScope). Wrap what came: {"INVALID_JSON": "…"}; for "" send {}.',
        );
      }
    },
  },
  {
    code: 'user_message_after_results',
    source: 'Mistral: function calling; DeepSeek: thinking mode',
    *find(body) {
      const family = familyOf(body);
      if (family !== 'mistral' && family !== 'deepseek') return;
      const messages = messagesOf(body);
      for (const [at, { role, path }] of messages.entries()) {
        if (role !== 'user' || messages[at - 1]?.role !== 'tool') continue;
        if (family === 'deepseek')
          yield spoiled(
            path,
            'A user message behind tool results makes the model forget its reasoning. Put it into a result.',
          );
        else
          yield (isMistralApi(body) ? refused : spoiled)(
            path,
            "Unexpected role 'user' after role 'tool'. Let the model answer first, or put the text into a result.",
          );
      }
    },
  },
  {
    code: 'tool_choice_unknown_tool',
    source,
    *find({ tool_choice: choice, tools }) {
      const name = isJsonObject(choice) && isJsonObject(choice['function']) ? choice['function']['name'] : undefined;
      if (typeof name !== 'string' || (Array.isArray(tools) && tools.some((tool) => toolName(tool) === name))) return;
      yield refused('tool_choice', `Required function ${name} is not present in the provided tools. Name one of them.`);
    },
  },
];

function callsIn(body: JsonObject): readonly PlacedCall[] {
  return answersOf(body).flatMap(({ calls }) => calls);
}

function nameOf({ native }: PlacedCall): string {
  const { function: fn, custom } = native;
  return textOf(isJsonObject(fn) ? fn['name'] : isJsonObject(custom) ? custom['name'] : '');
}

function toolName(tool: unknown): unknown {
  return isJsonObject(tool) && isJsonObject(tool['function']) ? tool['function']['name'] : undefined;
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}
