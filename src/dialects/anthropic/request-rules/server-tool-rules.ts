import { type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import {
  blocksBy,
  idOf,
  isServerCall,
  isServerResult,
  messagesOf,
  type PlacedBlock,
  type PlacedMessage,
} from './history.ts';

const source = 'Anthropic: server tools';

/** The rules of the calls that the service runs itself, and of their results. */
export const serverToolRules: readonly HistoryRule[] = [
  {
    code: 'server_tool_result_unexpected',
    source,
    *find(body) {
      const calls = new Set<string>();
      for (const block of blocksBy('assistant', body)) {
        if (isServerCall(block.type)) calls.add(idOf(block));
        if (!isServerResult(block.type) || calls.has(idOf(block))) continue;
        const call = block.type === 'mcp_tool_result' ? 'mcp_tool_use' : 'server_tool_use';
        yield refused(
          block.path,
          `unexpected \`tool_use_id\` found in \`${block.type}\` blocks: ${idOf(block)}. Each must have a corresponding \`${call}\` block before it; send the two together or neither.`,
        );
      }
    },
  },
  {
    code: 'server_tool_result_missing',
    source,
    *find(body) {
      const messages = messagesOf(body);
      const results = new Set(
        blocksBy('assistant', body)
          .filter(({ type }) => isServerResult(type))
          .map(idOf),
      );
      const waiting = waitingMessage(messages);
      for (const message of messages) {
        if (message.role !== 'assistant' || message === waiting) continue;
        for (const call of message.blocks.filter(({ type }) => isServerCall(type))) {
          if (!results.has(idOf(call))) yield missingResult(call);
        }
      }
    },
  },
  {
    code: 'server_tool_result_in_user_message',
    source,
    *find(body) {
      for (const { type, path } of blocksBy('user', body)) {
        if (isServerResult(type))
          yield spoiled(
            path,
            `\`${type}\` is a result of the service's own tool and belongs to the assistant message that it came in. Leave it there.`,
          );
      }
    },
  },
];

/** The message whose calls the service has still to answer: the last one, if the request goes on with it. */
function waitingMessage(messages: readonly PlacedMessage[]): PlacedMessage | undefined {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const after = messages.slice(at + 1).filter(({ role }) => role === 'user');
  const goesOn = after.length === 0 || after.some(({ blocks }) => blocks.some(({ type }) => type === 'tool_result'));
  return goesOn ? messages[at] : undefined;
}

function missingResult(call: PlacedBlock): ReturnType<typeof refused> {
  const name = String(call.native['name'] ?? call.type);
  return refused(
    call.path,
    `\`${name}\` tool use with id ${idOf(call)} was found without a corresponding result block. After \`pause_turn\` send the turn back as it is, with no user message behind it; else leave the call out.`,
  );
}
