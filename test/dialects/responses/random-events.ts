import fc from 'fast-check';
import type { JsonObject } from '../../../src/core/json-object.ts';

/** Values that may stand anywhere. */
const odd = fc.constantFrom<unknown>(undefined, null, '', 'x', 7, -1, 0.5, true, [], ['x'], {}, { toString: 1 });

const index = fc.oneof(
  { weight: 12, arbitrary: fc.nat(3) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, -1, 0.5, 1e300, 'x') },
);
const id = fc.constantFrom<unknown>('a', 'b', 'c', 'd', undefined, null, '', 3);
const text = fc.constantFrom('', 'x', 'xy', 'xyz', '{}', '{"a":1}', '[1]', '{"a"', ' ');
const parts = fc.array(
  fc.oneof(
    fc.record({ type: fc.constantFrom('output_text', 'summary_text', 'reasoning_text'), text }),
    fc.record({ type: fc.constant('refusal'), refusal: text }),
    fc.record({ type: fc.constant('output_text'), text, annotations: fc.array(odd, { maxLength: 2 }) }),
    odd,
  ),
  { maxLength: 3 },
);

const itemTypes = [
  'message',
  'message',
  'reasoning',
  'reasoning',
  'function_call',
  'function_call',
  'custom_tool_call',
  'shell_call',
  'apply_patch_call',
  'computer_call',
  'tool_search_call',
  'web_search_call',
  'mcp_call',
  'code_interpreter_call',
  'shell_call_output',
  'tide_table',
] as const;

const knownItem = fc.record(
  {
    id,
    type: fc.constantFrom<unknown>(...itemTypes),
    status: fc.constantFrom('completed', 'in_progress', 'incomplete'),
    call_id: id,
    name: fc.constantFrom<unknown>('tool', 'tool', '', undefined),
    arguments: text,
    input: text,
    code: text,
    content: parts,
    summary: parts,
    encrypted_content: fc.constantFrom('c2VhbGVk', ''),
    action: fc.constantFrom<unknown>({ commands: ['ls'] }, { type: 'wait' }, 'ls', undefined),
    operation: fc.constantFrom<unknown>({ type: 'update_file', diff: 'xyz' }, undefined),
    environment: fc.constantFrom<unknown>(undefined, { type: 'local' }, { type: 'container_auto' }),
    execution: fc.constantFrom('client', 'server'),
  },
  { requiredKeys: ['id', 'type'] },
);

const item = fc.oneof({ weight: 12, arbitrary: knownItem as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd });

const channels = [
  'output_text',
  'refusal',
  'reasoning_summary_text',
  'reasoning_text',
  'function_call_arguments',
  'custom_tool_call_input',
  'mcp_call_arguments',
  'code_interpreter_call_code',
  'shell_call_command',
  'apply_patch_call_operation_diff',
];

/** An event about an item, with members that fit most of them. */
function about(names: readonly string[], members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> {
  const type = fc.constantFrom(...names.map((name) => `response.${name}`));
  return fc.record({ type, output_index: index, item_id: id, content_index: index, summary_index: index, ...members });
}

const anyText = fc.oneof({ weight: 8, arbitrary: text as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd });
const wholes = { text: anyText, refusal: anyText, arguments: anyText, input: anyText, code: anyText, diff: anyText };
const response = fc.record(
  {
    id: fc.constantFrom<unknown>('resp_1', 'resp_1', 'resp_1', 'resp_2', undefined),
    status: fc.constantFrom('completed', 'incomplete', 'in_progress'),
    output: fc.oneof(fc.array(item, { maxLength: 4 }) as fc.Arbitrary<unknown>, odd),
    usage: fc.oneof(fc.record({ input_tokens: odd, output_tokens_details: odd }), odd),
    input_transformations: odd,
    incomplete_details: fc.constantFrom<unknown>(null, { reason: 'max_output_tokens' }),
  },
  { requiredKeys: ['id'] },
);

function ofResponse(...types: readonly string[]): fc.Arbitrary<JsonObject> {
  return fc.record({ type: fc.constantFrom(...types.map((type) => `response.${type}`)), response });
}

/** The events that end a turn that is whole. */
const terminalEvent: fc.Arbitrary<JsonObject> = ofResponse('completed', 'completed', 'incomplete');

/** Any other event but those that end a turn. */
const wireEvent: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 6, arbitrary: about(['output_item.added'], { item }) },
  { weight: 6, arbitrary: about(['output_item.done'], { item }) },
  {
    weight: 12,
    arbitrary: about(
      channels.map((name) => `${name}.delta`),
      { delta: anyText, command_index: index },
    ),
  },
  {
    weight: 4,
    arbitrary: about(
      channels.map((name) => `${name}.done`),
      { ...wholes, command: anyText },
    ),
  },
  {
    weight: 3,
    arbitrary: about(['content_part.added', 'content_part.done', 'reasoning_summary_part.done'], {
      part: parts.map((list) => list[0]),
    }),
  },
  { weight: 2, arbitrary: about(['output_text.annotation.added'], { annotation: odd, annotation_index: index }) },
  { weight: 1, arbitrary: about(['image_generation_call.partial_image'], { partial_image_b64: odd }) },
  { weight: 1, arbitrary: ofResponse('created', 'in_progress', 'queued') },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom<unknown>('keepalive', 'tide', 'response.tide', 3, {}) }) },
);

/** Events from the start of a response on, of which the last may be one that ends it. */
export const wireEvents: fc.Arbitrary<readonly JsonObject[]> = fc
  .tuple(fc.array(wireEvent, { maxLength: 40 }), fc.option(terminalEvent), fc.array(wireEvent, { maxLength: 2 }))
  .map(([events, end, late]) => [...events, ...(end ? [end, ...late] : [])]);
