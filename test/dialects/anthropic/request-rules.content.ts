import type { RuleCase } from '../request-findings.ts';
import { answer, ask, call, result, resultBlock, text, thought } from './request-parts.ts';

const ephemeral = { cache_control: { type: 'ephemeral' } };
const half = String.fromCharCode(0xd83d);

/** The rules of text, messages and cache breakpoints, each broken and held. */
export const contentCases: readonly RuleCase[] = [
  {
    code: 'messages_missing',
    broken: { messages: [] },
    finds: ['error messages_missing messages'],
    holds: { messages: [ask] },
  },
  {
    code: 'unknown_role',
    broken: { messages: [ask, { role: 'tool', content: '09:10' }, { role: 'system', content: 'New tools.' }] },
    finds: ['error unknown_role messages[1].role', 'warning unknown_role messages[2].role'],
    holds: { system: 'Be brief.', messages: [ask, answer(text('At nine.')), ask] },
  },
  {
    code: 'text_empty',
    broken: {
      system: [text('')],
      messages: [
        ask,
        answer(text('Nine.'), text(''), call),
        { role: 'user', content: [{ ...resultBlock, content: [text('')] }] },
      ],
    },
    finds: [
      'error text_empty system[0]',
      'error text_empty messages[1].content[1]',
      'warning text_empty messages[2].content[0].content[0]',
    ],
    // Blanks beside real text are normal.
    holds: { messages: [ask, answer(text('Nine.'), text(' '), text('Ten.')), ask] },
  },
  {
    code: 'message_empty',
    broken: { messages: [{ role: 'user', content: '' }, answer(), { role: 'user', content: null }] },
    finds: [
      'error message_empty messages[0]',
      'error message_empty messages[1]',
      'error message_empty messages[2].content',
    ],
    holds: { messages: [ask, answer()] },
  },
  {
    code: 'message_blank',
    broken: { messages: [ask, answer(text(' \n'), text(' ')), ask] },
    finds: ['error message_blank messages[1]'],
    holds: { messages: [ask, answer(text(' '), call), result] },
  },
  {
    code: 'trailing_whitespace',
    broken: { model: 'claude-sonnet-4-5', messages: [ask, { role: 'assistant', content: 'The next one: ' }] },
    finds: ['error trailing_whitespace messages[1].content'],
    holds: { model: 'claude-sonnet-4-5', messages: [ask, { role: 'assistant', content: 'The next one:' }] },
  },
  {
    code: 'compaction_empty',
    broken: { messages: [ask, answer({ type: 'compaction', content: '' }, text('Nine.')), ask] },
    finds: ['error compaction_empty messages[1].content[0]'],
    holds: { messages: [ask, answer({ type: 'compaction', content: null }, text('Nine.')), ask] },
  },
  {
    code: 'message_member_added',
    broken: { messages: [ask, { ...answer(text('Nine.')), stop_reason: 'end_turn', mine: 1 }, ask] },
    finds: ['error message_member_added messages[1].stop_reason', 'warning message_member_added messages[1].mine'],
    holds: { messages: [ask, answer(text('Nine.')), ask] },
  },
  {
    code: 'block_member_added',
    broken: {
      messages: [
        ask,
        answer({ ...text('Nine.'), parsed: null }, { ...call, newer: true }),
        { role: 'user', content: [{ ...resultBlock, name: 'ferry_times' }] },
      ],
    },
    finds: [
      'error block_member_added messages[1].content[0].parsed',
      'warning block_member_added messages[1].content[1].newer',
      'error block_member_added messages[2].content[0].name',
    ],
    holds: {
      messages: [
        ask,
        answer({ ...text('Nine.'), citations: null }, { ...call, caller: { type: 'direct' }, ...ephemeral }),
        { role: 'user', content: [{ ...resultBlock, is_error: true }] },
      ],
    },
  },
  {
    code: 'lone_surrogate',
    broken: { system: half, messages: [ask, answer({ ...call, input: { port: [`Harlow ${half}`] } }), result] },
    finds: ['error lone_surrogate system', 'error lone_surrogate messages[1].content[0].input.port[0]'],
    holds: { messages: [{ role: 'user', content: 'Ferry ⛴, or 🚢?' }] },
  },
  {
    code: 'cache_control_on_thinking',
    broken: { messages: [ask, answer({ ...thought, ...ephemeral }, call), result] },
    finds: ['error cache_control_on_thinking messages[1].content[0].cache_control'],
    holds: { messages: [ask, answer(thought, { ...call, ...ephemeral }), result] },
  },
  {
    code: 'cache_control_on_empty_text',
    broken: { messages: [{ role: 'user', content: [text('Well?'), { ...text(''), ...ephemeral }] }] },
    finds: [
      'error text_empty messages[0].content[1]',
      'error cache_control_on_empty_text messages[0].content[1].cache_control',
    ],
    holds: { messages: [{ role: 'user', content: [{ ...text('Well?'), ...ephemeral }] }] },
  },
  {
    code: 'too_many_cache_controls',
    broken: {
      system: [{ ...text('Be brief.'), ...ephemeral }],
      tools: [{ name: 'ferry_times', ...ephemeral }],
      messages: [
        {
          role: 'user',
          content: [
            { ...text('One?'), ...ephemeral },
            { ...text('Two?'), ...ephemeral },
          ],
        },
        answer(call),
        { role: 'user', content: [{ ...resultBlock, content: [{ ...text('09:10'), ...ephemeral }] }] },
      ],
    },
    finds: ['error too_many_cache_controls messages'],
    holds: {
      system: [{ ...text('Be brief.'), ...ephemeral }],
      tools: [{ name: 'ferry_times', ...ephemeral }],
      messages: [
        {
          role: 'user',
          content: [
            { ...text('One?'), ...ephemeral },
            { ...text('Two?'), ...ephemeral },
          ],
        },
      ],
    },
  },
];
