import { invalidRequest, type Refusal } from '../refusal.ts';
import type { Problem } from '../verify.ts';

/** Puts what does not continue a conversation into the words of Anthropic's service. */
export function refusalOf(problem: Problem): Refusal {
  return invalidRequest(sentenceOf(problem));
}

/** The sentence itself, which gateways pass on. */
export function sentenceOf(problem: Problem): string {
  const { unit, message, isLatest } = problem;
  switch (problem.type) {
    case 'reasoning_missing':
      return message.units[0] === unit ? mustStartWithThinking(unit.path, 'tool_use') : cannotBeModified(unit.path);
    case 'changed':
      return `${unit.path}: Content of the original response is missing from this request, starting at \`${unit.path}\`.`;
    case 'forged':
    case 'item_id':
      return `${unit.path}: ${invalidSeal(problem)}`;
    case 'content':
      return isLatest ? cannotBeModified(unit.path) : `${unit.path}: ${invalidSeal(problem)}`;
    case 'order':
      return isLatest ? cannotBeModified(unit.path) : `${unit.path}: ${invalidSeal(problem)}. ${boundElsewhere}`;
    case 'prefix':
      return `${unit.path}: ${invalidSeal(problem)}. ${boundElsewhere}`;
  }
}

function invalidSeal({ unit: { content } }: Problem): string {
  const type = content['type'] === 'redacted_thinking' ? 'redacted_thinking' : 'thinking';
  return `Invalid \`${type === 'thinking' ? 'signature' : 'data'}\` in \`${type}\` block`;
}

function cannotBeModified(path: string): string {
  return (
    `${path}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. ` +
    'These blocks must remain as they were in the original response.'
  );
}

function mustStartWithThinking(path: string, found: string): string {
  return (
    `${path}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, ` +
    'a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and ' +
    '`tool_result` blocks).'
  );
}

const boundElsewhere =
  'The block is bound to a different conversation. Remove the block, or set ' +
  '`thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';
