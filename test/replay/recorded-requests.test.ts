import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { chatCompletions, toolMessages } from '../../src/chat-completions.ts';
import { claudeModel } from '../../src/core/claude-model.ts';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import { functionResponses, gemini } from '../../src/gemini.ts';
import { type AssembledTurn, assembleTurn, checkRequest, type Dialect, type RequestContext } from '../../src/index.ts';
import { responses, toolOutputs } from '../../src/responses.ts';
import { chatFolders } from '../dialects/chat-completions/recorded-chunks.ts';
import { listDocuments, listRecordings } from '../recordings.ts';

/** How requests of a dialect are recorded, and how one goes on from a turn. */
interface Recorded {
  readonly name: string;
  readonly dialect: Dialect;
  /** The folders of its streams. */
  readonly folders: readonly string[];
  /** How many accepted requests there are. */
  readonly accepted: number;
  /** Whether a refused request is in it. */
  owns(body: JsonObject): boolean;
  /** A request that answers all calls of a turn, and that one with the user's next word. */
  goOn(turn: AssembledTurn): readonly JsonObject[];
}

const ask = { role: 'user', content: 'Go on.' };
const screenshot = { computer: { type: 'computer_screenshot' }, tool_search: [] } as Readonly<Record<string, unknown>>;

function resultsFor(calls: readonly { readonly id: string }[]): { id: string; content: string }[] {
  return calls.map(({ id }) => ({ id, content: 'x' }));
}

/** The calls that go back, those whose input was invalid among them. */
function callsThatGoBack({ entries }: AssembledTurn, listed: 'content' | 'tool_calls'): { id: string }[] {
  return entries.flatMap((entry) => {
    const list = isJsonObject(entry) ? entry[listed] : undefined;
    const calls = Array.isArray(list) ? list.filter(isJsonObject) : [];
    return calls
      .filter(({ type }) => listed === 'tool_calls' || type === 'tool_use')
      .map(({ id }) => ({ id: String(id) }));
  });
}

/** What the recorded request must have said of thinking, if the model thought. */
function thinkingAsIn({ blocks, model }: AssembledTurn): JsonObject {
  if (!blocks.some(({ kind }) => kind === 'reasoning')) return {};
  const isAdaptive = (claudeModel(model)?.version ?? 0) >= 406;
  return { thinking: isAdaptive ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: 1024 } };
}

/** The turn before one that begins with results: it had the calls, and paused. */
function callsBefore({ entries }: AssembledTurn): JsonObject[] {
  const blocks = entries.flatMap((entry) =>
    isJsonObject(entry) && Array.isArray(entry['content']) ? entry['content'].filter(isJsonObject) : [],
  );
  const calls = new Set(blocks.map(({ id }) => id));
  const content = blocks
    .filter(({ type, tool_use_id: id }) => String(type).endsWith('_tool_result') && !calls.has(id))
    .map(({ tool_use_id: id }) => ({ type: 'server_tool_use', id, name: 'earlier', input: {} }));
  return content.length > 0 ? [{ role: 'assistant', content }] : [];
}

const all: readonly Recorded[] = [
  {
    name: 'anthropic',
    dialect: anthropic,
    folders: ['anthropic'],
    accepted: 44,
    owns: ({ messages, model }) => Array.isArray(messages) && String(model).includes('claude'),
    goOn(turn) {
      const results = callsThatGoBack(turn, 'content').map(({ id }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: 'x',
      }));
      const container = isJsonObject(turn.carry['container']) ? turn.carry['container']['id'] : 'container_1';
      const base = { model: turn.model, max_tokens: 4096, container, ...thinkingAsIn(turn) };
      const messages = [ask, ...callsBefore(turn), ...turn.entries];
      const next = [{ type: 'text', text: 'Go on.' }];
      // A paused turn, or one whose server's tools wait for the client's, is not for the user to go on with.
      if (results.length > 0) return [{ ...base, messages: [...messages, { role: 'user', content: results }] }];
      return turn.stopReason === 'pause_turn'
        ? [{ ...base, messages }]
        : [{ ...base, messages: [...messages, { role: 'user', content: next }] }];
    },
  },
  {
    name: 'chatCompletions',
    dialect: chatCompletions,
    folders: chatFolders,
    accepted: 91,
    owns: ({ messages, model }) => Array.isArray(messages) && typeof model === 'string' && !model.includes('claude'),
    goOn(turn) {
      const calls = callsThatGoBack(turn, 'tool_calls');
      const messages = [ask, ...turn.entries, ...toolMessages(calls, resultsFor(calls))];
      const thinking = { type: turn.blocks.some(({ kind }) => kind === 'reasoning') ? 'enabled' : 'disabled' };
      return [
        { model: turn.model, thinking, messages },
        // A user may not speak before the model has answered its results, as Mistral has it.
        {
          model: turn.model,
          thinking,
          messages: [...messages, { role: 'assistant', content: 'Done.', reasoning_content: '' }, ask],
        },
      ].slice(0, turn.model?.includes('stral') ? 1 : 2);
    },
  },
  {
    name: 'responses',
    dialect: responses,
    folders: ['responses'],
    accepted: 56,
    owns: (body) => 'input' in body,
    goOn(turn) {
      const results = turn.toolCalls.map(({ id, name }) => ({ id, content: screenshot[name] ?? 'x' }));
      const input = [ask, ...turn.entries, ...toolOutputs(turn as AssembledTurn<never>, results)];
      return [input, [...input, ask]].map((items) => ({ model: turn.model ?? 'model', input: items }));
    },
  },
  {
    name: 'gemini',
    dialect: gemini,
    folders: ['gemini'],
    accepted: 52,
    owns: (body) => 'contents' in body,
    goOn(turn) {
      const user = { role: 'user', parts: [{ text: 'Go on.' }] };
      const results = resultsFor(turn.toolCalls);
      const answers = results.length > 0 ? [functionResponses(turn as AssembledTurn<never>, results)] : [];
      const contents = [user, ...turn.entries, ...answers];
      return [contents, [...contents, user]].map((list) => ({ model: turn.model ?? 'gemini', contents: list }));
    },
  },
];

/** What is found of each recorded refusal, by the start of its name. */
const refusals: Readonly<Record<string, string>> = {
  'activeagent-This_model_does_not_support_assistant_message_pref': 'prefill_refused',
  'maruel-genai-400_InternalError_Algo_InvalidParameter_The_tool': 'tool_choice_forced_with_thinking',
  'maruel-genai-logprobs_are_not_supported': 'sampling_with_reasoning',
  'mirascope-messages_0_all_messages_must_have_non_empty_conten': 'message_empty',
  'otel-py-Please_use_a_valid_role': 'unknown_role',
  'pydantic-ai-No_tool_output_found': 'message_before_output',
  'pydantic-ai-Unsupported_value_messages_0_role_does_not_support': 'role_refused',
  'req_llm-a-Missing_required_parameter_tools_0_name': 'missing_tool_name',
  'req_llm-b-Model_grok_code_fast_1_does_not_support_parameter': 'reasoning_effort_refused',
  'rig-Thinking_mode_does_not_support_this_tool_choice': 'tool_choice_forced_with_thinking',
};

/** Refusals that no rule is to find, by the start of their names: they are no matter of replay or reasoning. */
const outOfScope: Readonly<Record<string, string>> = {
  'hinthornw-trustcall-Invalid_JSON': 'what the model answered could not be parsed',
  'llmrb-b-Cannot_use_tools_with_stream': 'what one server can do',
  'maruel-genai-Extra_inputs_are_not_permitted_field_tools': 'the schema of a tool',
  'maruel-genai-code_400_message_json_schema': 'the response format',
  'maruel-genai-code_400_message_tools_0_type': 'the tools of one server',
  'maruel-genai-model_features_function_calling': 'the tools of one model',
  'maruel-genai-tool_calling_is_not_supported': 'the tools of one model',
  'mirascope-Invalid_schema_for_function': 'the schema of a tool',
  'openai-dotnet-Invalid_schema_for_function': 'the schema of a tool',
  'pydantic-ai-Invalid_file_data': 'the type of a file',
  'pydantic-ai-Invalid_messages_3_Content_blocks': 'the media of one model',
  'pydantic-ai-The_model_returned_the_following_errors': 'the Converse API of Bedrock',
  'pydantic-ai-This_model_doesn_t_support_the_video': 'the Converse API of Bedrock',
  'pydantic-ai-name_get_something_by_name': 'what the model answered did not match a schema',
  'req_llm-a-Deep_research_models': 'the tools of one model',
  'req_llm-a-Provider_returned_error_raw_code': 'the tool is there; the gateway lost it',
  'req_llm-a-Provider_returned_error_raw_error': 'the system prompt of one model',
  'req_llm-b-n_n_name_add': 'what the model answered did not match a schema',
  'rig-Previous_response_with_id': 'which responses the service has',
  'rig-tools_0_custom': 'the schema of a tool',
  'ruby_llm-prompt_is_too_long': 'the length of the prompt',
};

function errorsOf(body: JsonObject, dialect: Dialect, context?: RequestContext): string[] {
  const findings = checkRequest(body, dialect, context).filter(({ severity }) => severity === 'error');
  return findings.map(({ code, path }) => `${code} ${path}`);
}

const documents = listDocuments('corpus/replays');

describe.skipIf(documents.length === 0)('checkRequest, of requests that were accepted', () => {
  describe.each(all)('$name', ({ dialect, folders, accepted }) => {
    const bytesOf = new Map(
      folders.flatMap((folder) =>
        listRecordings(`corpus/streams/${folder}`).map(({ name, bytes }) => [`streams/${folder}/${name}.sse`, bytes]),
      ),
    );
    const replays = documents.flatMap(({ name, document }) =>
      isJsonObject(document) && bytesOf.has(String(document['stream'])) ? [{ name, document }] : [],
    );

    test.each(replays)('finds no error in $name', async ({ document }) => {
      const { next_request_body: body, stream, url, elided_fields: elided } = document;
      if (!isJsonObject(body)) throw new Error('There is no request body');
      expect(errorsOf(body, dialect)).toEqual([]);
      expect(errorsOf(body, dialect, { previous: body })).toEqual([]);
      // Gemini has the model in the URL.
      const [, model] = /models\/([^:]+)/.exec(String(url)) ?? [];
      if (model !== undefined) expect(errorsOf({ model, ...body }, dialect)).toEqual([]);
      // What the recording shortened is not what came.
      if (elided !== 0) return;
      const bytes = bytesOf.get(String(stream));
      const turns = bytes ? [await assembleTurn(of(bytes), dialect).settled()] : [];
      expect(errorsOf(body, dialect, { turns })).toEqual([]);
    });

    test('has as many as were recorded', () => {
      expect(replays).toHaveLength(accepted);
    });
  });
});

const refused = listDocuments('corpus/refusals').flatMap(({ name, document }) => {
  const body = isJsonObject(document) ? document['request_body'] : undefined;
  return isJsonObject(body) ? [{ name, body }] : [];
});

describe.skipIf(refused.length === 0)('checkRequest, of requests that were refused', () => {
  test.each(refused)('finds why $name, or it is out of scope', ({ name, body }) => {
    const startsName = (start: string): boolean => name.startsWith(start);
    const dialect = all.find(({ owns }) => owns(body))?.dialect;
    const errors = dialect ? errorsOf(body, dialect).map((error) => error.split(' ')[0]) : [];
    if (Object.keys(outOfScope).some(startsName)) expect(errors).toEqual([]);
    else expect(errors).toContain(Object.entries(refusals).find(([start]) => startsName(start))?.[1]);
  });

  test.each([...Object.keys(refusals), ...Object.keys(outOfScope)])('%s is recorded', (start) => {
    expect(refused.some(({ name }) => name.startsWith(start))).toBe(true);
  });
});

describe('checkRequest, of requests that go on from a recorded turn', () => {
  test.each(all)(
    'finds no error for $name, whatever the turn',
    async ({ dialect, folders, goOn }) => {
      const recordings = folders.flatMap((folder) => listRecordings(`corpus/streams/${folder}`));
      const faults: string[] = [];
      let checked = 0;
      for (const { name, bytes } of recordings) {
        const turn = await assembleTurn(of(bytes), dialect).settled();
        if (turn.entries.length === 0) continue;
        checked += 1;
        for (const body of goOn(turn))
          faults.push(...errorsOf(body, dialect, { turns: [turn] }).map((error) => `${name} ${error}`));
      }
      expect(faults).toEqual([]);
      expect(checked > 0).toBe(recordings.length > 0);
    },
    60_000,
  );
});
