import { type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import { blocksBy, isThinking, messagesOf, openCycle, type PlacedMessage, textOf } from './history.ts';
import { byClaude, isThinkingOff, servedBy, thinkingMode } from './thinking-mode.ts';

/** The rules of the thinking blocks that go back. */
export const thinkingBlockRules: readonly HistoryRule[] = [
  {
    code: 'thinking_without_signature',
    source:
      "Anthropic: extended thinking; Return Claude's Thinking Blocks or Your Agent Breaks; Thinking blocks in the tool loop",
    *find(body) {
      for (const { type, path, native } of blocksBy('assistant', body)) {
        if (type !== 'thinking' || typeof native['signature'] === 'string') continue;
        yield* byClaude(
          body,
          path,
          'thinking.signature: Field required. Thinking without its signature cannot go back: leave the block out, and never make up a signature.',
        );
      }
    },
  },
  {
    code: 'thinking_signature_empty',
    source: 'Anthropic: extended thinking; Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find(body) {
      for (const { type, path, native } of blocksBy('assistant', body)) {
        if (type !== 'thinking' || native['signature'] !== '') continue;
        yield* byClaude(
          body,
          path,
          'Invalid `signature` in `thinking` block: it is empty. The block was cut before it was signed; leave it out.',
        );
      }
    },
  },
  {
    code: 'thinking_without_text',
    source: 'Anthropic: extended thinking',
    *find(body) {
      for (const { type, path, native } of blocksBy('assistant', body)) {
        if (type !== 'thinking' || typeof native['thinking'] === 'string') continue;
        yield refused(
          path,
          'thinking.thinking: Field required. Thinking whose text is omitted goes back with `thinking: ""`, as it came.',
        );
      }
    },
  },
  {
    code: 'redacted_thinking_without_data',
    source: "Anthropic: extended thinking; Return Claude's Thinking Blocks or Your Agent Breaks",
    *find(body) {
      for (const { type, path, native } of blocksBy('assistant', body)) {
        if (type !== 'redacted_thinking' || textOf(native['data']) !== '') continue;
        yield refused(
          path,
          'Invalid `data` in `redacted_thinking` block: there is none. Send it back exactly as it came, or leave the block out.',
        );
      }
    },
  },
  {
    code: 'thinking_last',
    source: 'Anthropic: extended thinking',
    *find(body) {
      for (const { role, blocks } of messagesOf(body)) {
        const last = blocks.at(-1);
        if (role !== 'assistant' || !last || !isThinking(last)) continue;
        yield* byClaude(
          body,
          last.path,
          'The final block in an assistant message cannot be `thinking`. The turn was cut behind it; leave the trailing thinking out.',
        );
      }
    },
  },
  {
    code: 'thinking_not_first',
    source: 'Anthropic: extended thinking',
    *find(body) {
      for (const { role, blocks } of messagesOf(body)) {
        const [first] = blocks;
        if (role !== 'assistant' || !first || isThinking(first) || !blocks.some(isThinking)) continue;
        const message = `If an assistant message contains any thinking blocks, the first block must be \`thinking\` or \`redacted_thinking\`. Found \`${first.type}\`. Send the blocks in the order in which they came.`;
        // Adaptive models begin with text at times, and think after a tool of the service: recorded.
        if (thinkingMode(body) === 'enabled') yield* byClaude(body, first.path, message);
        else if (servedBy(body) === 'claude') yield spoiled(first.path, message);
      }
    },
  },
  {
    code: 'thinking_missing',
    source:
      "Anthropic: extended thinking; Return Claude's Thinking Blocks or Your Agent Breaks; Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks",
    *find(body) {
      if (thinkingMode(body) !== 'enabled' || servedBy(body) === 'compatible') return;
      const cycle = openCycle(body).filter(({ blocks }) => blocks.length > 0);
      // Without interleaving the model thinks once a cycle, before its first call.
      if (cycle.some(beginsWithThinking)) return;
      const last = cycle.at(-1)?.blocks[0];
      if (!last) return;
      yield* byClaude(
        body,
        last.path,
        `Expected \`thinking\` or \`redacted_thinking\`, but found \`${last.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block. Send the whole content of the turn back, as it came.`,
      );
    },
  },
  {
    code: 'thinking_missing_in_tool_turn',
    source: 'DeepSeek: Anthropic API',
    *find(body) {
      if (!/deepseek/i.test(textOf(body['model'])) || thinkingMode(body) === 'disabled') return;
      for (const { role, blocks, path } of messagesOf(body)) {
        const calls = blocks.some(({ type }) => type === 'tool_use');
        if (role !== 'assistant' || !calls || blocks.some(({ type }) => type === 'thinking')) continue;
        const message =
          'The `content[].thinking` in the thinking mode must be passed back to the API, on every turn with calls. Send the thinking block, or set `thinking: {"type": "disabled"}`.';
        yield thinkingMode(body) === 'enabled' ? refused(path, message) : spoiled(path, message);
      }
    },
  },
  {
    code: 'thinking_in_final_message',
    source: 'Anthropic: extended thinking',
    *find(body) {
      const last = messagesOf(body).at(-1);
      const block = last?.role === 'assistant' ? last.blocks.find(isThinking) : undefined;
      if (block && isThinkingOff(body))
        yield* byClaude(
          body,
          block.path,
          'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. Ask for thinking as the request before did, or end with a user message.',
        );
    },
  },
  {
    code: 'thinking_toggled_in_cycle',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks; Anthropic: extended thinking',
    *find(body) {
      if (!isThinkingOff(body) || !openCycle(body).some(({ blocks }) => blocks.some(isThinking))) return;
      yield spoiled(
        'thinking',
        'Thinking is off in the middle of a tool cycle that began with it: the service does not error, the model goes on without. Change it on the next user turn, when the cycle is closed.',
      );
    },
  },
];

function beginsWithThinking({ blocks: [first] }: PlacedMessage): boolean {
  return first !== undefined && isThinking(first);
}
