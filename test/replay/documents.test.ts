import { describe, expect, test } from 'vitest';
import { anthropic } from '../../src/anthropic.ts';
import { chatCompletions } from '../../src/chat-completions.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import type { RequestContext } from '../../src/core/request-rule.ts';
import { anthropicRules } from '../../src/dialects/anthropic/request-rules.ts';
import { chatCompletionsRules } from '../../src/dialects/chat-completions/request-rules.ts';
import { checkRequest } from '../../src/index.ts';
import { turnOf } from '../dialects/anthropic/request-parts.ts';
import { turnOf as chatTurnOf } from '../dialects/chat-completions/request-parts.ts';

/** What a document states of requests, a request that goes against it, and what is found. */
interface Statement {
  readonly states: string;
  readonly body: JsonObject;
  readonly context?: RequestContext;
  readonly finds: string;
}

const ask = { role: 'user', content: 'When?' };
const use = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
const second = { ...use, id: 'toolu_2' };
const resultOf = (id: string): JsonObject => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: '9' }],
});
const thought = { type: 'thinking', thinking: 'North.', signature: 'c2ln' };
const redacted = { type: 'redacted_thinking', data: 'b3BhcXVl' };
const budget = { type: 'enabled', budget_tokens: 2048 };
const tools = [{ name: 'f', input_schema: {} }];

function loop(...content: readonly JsonObject[]): JsonObject {
  return {
    model: 'claude-sonnet-4-5',
    max_tokens: 8000,
    thinking: budget,
    messages: [ask, { role: 'assistant', content }, resultOf('toolu_1')],
  };
}

const ofAnthropic: Readonly<Record<string, readonly Statement[]>> = {
  'Thinking blocks in the tool loop': [
    {
      states: 'an edited character of thinking fails verification',
      body: loop({ ...thought, thinking: 'North' }, use),
      context: { turns: [turnOf(thought, use)] },
      finds: 'error thinking_edited',
    },
    {
      states: 'blocks keep the order in which they arrived',
      body: loop(redacted, thought, use),
      context: { turns: [turnOf(thought, redacted, use)] },
      finds: 'error thinking_moved',
    },
    {
      states: 'a filter by type loses the redacted variant',
      body: loop(thought, use),
      context: { turns: [turnOf(thought, redacted, use)] },
      finds: 'error thinking_moved',
    },
    {
      states: 'a dropped signature fails verification',
      body: loop({ type: 'thinking', thinking: 'North.' }, use),
      finds: 'error thinking_without_signature',
    },
    {
      states: 'a loop without its reasoning is accepted, and gets worse',
      body: { ...loop(use), model: 'claude-sonnet-5', thinking: { type: 'adaptive' } },
      context: { turns: [turnOf(thought, use)] },
      finds: 'warning thinking_dropped',
    },
    {
      states: 'results of parallel calls belong in one message',
      body: {
        ...loop(),
        messages: [
          ask,
          { role: 'assistant', content: [thought, use, second] },
          resultOf('toolu_1'),
          resultOf('toolu_2'),
        ],
      },
      finds: 'warning tool_results_split',
    },
    {
      states: 'each call is followed by its result',
      body: { ...loop(), messages: [ask, { role: 'assistant', content: [thought, use] }, ask] },
      finds: 'error tool_result_missing',
    },
  ],
  'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks': [
    {
      states: '"adaptive" is no level of effort',
      body: { model: 'claude-sonnet-4-6', output_config: { effort: 'adaptive' } },
      finds: 'error effort_unknown',
    },
    {
      states: 'levels of effort depend on the model',
      body: { model: 'claude-sonnet-4-6', output_config: { effort: 'xhigh' } },
      finds: 'error effort_not_of_model',
    },
    {
      states: 'manual mode is deprecated on 4.6',
      body: { model: 'claude-sonnet-4-6', max_tokens: 8000, thinking: budget },
      finds: 'warning thinking_enabled_deprecated',
    },
    {
      states: 'manual mode is refused on 4.7 and later',
      body: { model: 'claude-opus-4-7', max_tokens: 8000, thinking: budget },
      finds: 'error thinking_enabled_refused',
    },
    {
      states: 'manual mode refuses a forced tool',
      body: { ...loop(thought, use), tools, tool_choice: { type: 'any' } },
      finds: 'error tool_choice_forced_with_thinking',
    },
    {
      states: 'adaptive mode takes a forced tool, and gives no thinking',
      body: { model: 'claude-sonnet-5', thinking: { type: 'adaptive' }, tools, tool_choice: { type: 'any' } },
      finds: 'warning tool_choice_forced_with_thinking',
    },
    {
      states: 'four models refuse a forced tool on every request',
      body: { model: 'claude-mythos-5-1', tools, tool_choice: { type: 'any' } },
      finds: 'error tool_choice_forced_refused',
    },
    {
      states: 'display is summarized or omitted',
      body: { model: 'claude-sonnet-5', thinking: { type: 'adaptive', display: 'full' } },
      finds: 'warning thinking_display_unknown',
    },
    {
      states: 'in manual mode the final assistant turn begins with thinking',
      body: loop(use),
      finds: 'error thinking_missing',
    },
    {
      states: 'text in an omitted block is ignored',
      body: loop({ ...thought, thinking: 'Mine.' }, use),
      context: { turns: [turnOf({ ...thought, thinking: '' }, use)] },
      finds: 'warning thinking_edited',
    },
    {
      states: 'thinking toggled in mid-loop is disabled in silence',
      body: { ...loop(thought, use), thinking: { type: 'disabled' } },
      finds: 'warning thinking_toggled_in_cycle',
    },
    {
      states: 'the configuration changes on the next user turn',
      body: { ...loop(thought, use), thinking: { ...budget, budget_tokens: 4000 } },
      context: { previous: { thinking: budget } },
      finds: 'warning thinking_changed_in_cycle',
    },
    {
      states: 'a change of effort, or of mode, loses the cache',
      body: { model: 'claude-sonnet-5', output_config: { effort: 'low' } },
      context: { previous: { model: 'claude-sonnet-5', output_config: { effort: 'high' } } },
      finds: 'warning thinking_change_loses_cache',
    },
  ],
  "Return Claude's Thinking Blocks or Your Agent Breaks": [
    { states: 'the first block of a turn with calls is thinking', body: loop(use), finds: 'error thinking_missing' },
    {
      states: 'the block goes back with its signature',
      body: loop({ type: 'thinking', thinking: 'North.' }, use),
      finds: 'error thinking_without_signature',
    },
    {
      states: 'blocks are not merged',
      body: loop({ ...thought, thinking: 'North.East.' }, use),
      context: { turns: [turnOf(thought, { ...thought, thinking: 'East.', signature: 'bmV4dA' }, use)] },
      finds: 'error thinking_edited',
    },
    {
      states: 'redacted thinking goes back exactly as received',
      body: loop({ type: 'redacted_thinking', data: '' }, use),
      finds: 'error redacted_thinking_without_data',
    },
    {
      states: 'the budget is 1024 at least',
      body: { ...loop(thought, use), thinking: { type: 'enabled', budget_tokens: 1000 } },
      finds: 'error thinking_budget_below_floor',
    },
    {
      states: 'the budget is less than max_tokens',
      body: { ...loop(thought, use), max_tokens: 2048 },
      finds: 'error thinking_budget_not_below_max_tokens',
    },
    {
      states: 'temperature is constrained',
      body: { ...loop(thought, use), temperature: 0.2 },
      finds: 'error temperature_with_thinking',
    },
    { states: 'top_p is restricted', body: { ...loop(thought, use), top_p: 0.5 }, finds: 'error top_p_with_thinking' },
    {
      states: 'streaming is required past a certain max_tokens',
      body: { ...loop(thought, use), max_tokens: 64_000 },
      finds: 'warning streaming_needed',
    },
    {
      states: 'the budget stays the same across a cycle',
      body: loop(thought, use),
      context: { previous: { thinking: { ...budget, budget_tokens: 4000 } } },
      finds: 'warning thinking_change_loses_cache',
    },
  ],
};

const claude = { model: 'anthropic/claude-3.7-sonnet', max_tokens: 16_000, messages: [ask] };
const functions = [{ type: 'function', function: { name: 'f' } }];
const detail = { type: 'reasoning.text', text: 'North.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 };
const sealed = { type: 'reasoning.encrypted', data: 'b3BhcXVl', format: 'anthropic-claude-v1', index: 1 };
const chatTurn = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
};
const chatLoop = (...details: readonly JsonObject[]): JsonObject => ({
  ...claude,
  messages: [ask, { ...chatTurn, reasoning_details: details }, { role: 'tool', tool_call_id: 'call_1', content: '9' }],
});

const ofGateway: Readonly<Record<string, readonly Statement[]>> = {
  'Anannas: ': [
    {
      states: 'effort or max_tokens, not both',
      body: { ...claude, reasoning: { effort: 'low', max_tokens: 2000 } },
      finds: 'error reasoning_effort_and_max_tokens',
    },
    {
      states: 'efforts are high, medium and low',
      body: { ...claude, reasoning: { effort: 'minimal' } },
      finds: 'warning reasoning_effort_unknown',
    },
    {
      states: 'the parameter is max_tokens',
      body: { ...claude, reasoning: { maxTokens: 2000 } },
      finds: 'warning reasoning_parameter_misspelt',
    },
    {
      states: 'the allocation is 1024 at least',
      body: { ...claude, reasoning: { max_tokens: 100 } },
      finds: 'warning reasoning_budget_below_floor',
    },
    {
      states: 'the allocation is 32000 at most',
      body: { ...claude, max_tokens: 50_000, reasoning: { max_tokens: 33_000 } },
      finds: 'warning reasoning_budget_above_cap',
    },
    {
      states: 'max_tokens is strictly higher without tools',
      body: { ...claude, max_tokens: 1024, reasoning: { effort: 'low' } },
      finds: 'error reasoning_budget_not_below_max_tokens',
    },
    {
      states: 'tool_choice is auto or none',
      body: { ...claude, reasoning: { enabled: true }, tools: functions, tool_choice: 'required' },
      finds: 'error reasoning_forced_tool_choice',
    },
    {
      states: 'top_k is not allowed',
      body: { ...claude, reasoning: { enabled: true }, top_k: 5 },
      finds: 'error reasoning_top_k',
    },
    {
      states: 'an answer cannot be begun',
      body: { ...claude, reasoning: { enabled: true }, messages: [ask, { role: 'assistant', content: '{' }] },
      finds: 'error reasoning_prefill',
    },
    {
      states: 'the :thinking variant is no longer supported',
      body: { ...claude, model: 'anthropic/claude-3.7-sonnet:thinking' },
      finds: 'warning thinking_variant_unsupported',
    },
    {
      states: 'the sequence of reasoning blocks is not rearranged',
      body: chatLoop(sealed, detail),
      context: { turns: [chatTurnOf({ ...chatTurn, reasoning_details: [detail, sealed] })] },
      finds: 'error reasoning_details_edited',
    },
    {
      states: 'reasoning is preserved during tool use',
      body: chatLoop(),
      context: { turns: [chatTurnOf({ ...chatTurn, reasoning_details: [detail] })] },
      finds: 'warning reasoning_dropped',
    },
    {
      states: 'chunks are put together',
      body: chatLoop({ ...detail, text: 'No', signature: null }, { ...detail, text: 'rth.' }),
      finds: 'error reasoning_details_fragments',
    },
    {
      states: '[REDACTED] stands for encrypted reasoning',
      body: chatLoop({ ...sealed, data: '[REDACTED]' }),
      finds: 'warning reasoning_details_placeholder',
    },
    {
      states: 'encrypted entries have data',
      body: chatLoop({ ...sealed, data: undefined }),
      finds: 'error reasoning_details_malformed',
    },
  ],
};

function listed(documents: Readonly<Record<string, readonly Statement[]>>): (Statement & { document: string })[] {
  return Object.entries(documents).flatMap(([document, statements]) =>
    statements.map((statement) => ({ document, ...statement })),
  );
}

describe('checkRequest, of what the documents state', () => {
  const all = [
    ...listed(ofAnthropic).map((statement) => ({ ...statement, dialect: anthropic, rules: anthropicRules })),
    ...listed(ofGateway).map((statement) => ({ ...statement, dialect: chatCompletions, rules: chatCompletionsRules })),
  ];

  test.each(all)('$document: $states', ({ body, context, dialect, finds, rules, document }) => {
    const findings = checkRequest({ messages: [ask], ...body }, dialect, context);
    expect(findings.map(({ severity, code }) => `${severity} ${code}`)).toContain(finds);
    const rule = rules.find(({ code }) => code === finds.split(' ')[1]);
    expect(rule?.source.toLowerCase()).toContain(document.toLowerCase());
  });
});
