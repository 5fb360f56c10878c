import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import type { HistoryRule } from '../../../core/request-rule.ts';
import { messagesOf, type PlacedBlock, placedBlocks } from './history.ts';
import { refusedByClaude } from './thinking-mode.ts';

const mostBreakpoints = 4;

/** The rules of cache breakpoints. */
export const cacheRules: readonly HistoryRule[] = [
  {
    code: 'cache_control_on_thinking',
    source: 'Anthropic: prompt caching; Anthropic: extended thinking',
    *find(body) {
      for (const { type, path } of breakpoints(body)) {
        if (/^(?:(?:redacted_)?thinking|fallback|mcp_tool_listing)$/.test(type))
          yield refusedByClaude(
            body,
            `${path}.cache_control`,
            `${type}.cache_control: Extra inputs are not permitted. Mark the block before or behind it; thinking is cached along.`,
          );
      }
    },
  },
  {
    code: 'cache_control_on_empty_text',
    source: 'Anthropic: prompt caching',
    *find(body) {
      for (const { type, path, native } of breakpoints(body)) {
        if (type === 'text' && native['text'] === '')
          yield refusedByClaude(
            body,
            `${path}.cache_control`,
            'cache_control cannot be set for empty text blocks. Leave the block out, and mark the one before it.',
          );
      }
    },
  },
  {
    code: 'too_many_cache_controls',
    source: 'Anthropic: prompt caching',
    *find(body) {
      const count = breakpoints(body).length;
      if (count > mostBreakpoints)
        yield refusedByClaude(
          body,
          'messages',
          `A maximum of ${mostBreakpoints} blocks with cache_control may be provided. Found ${count}. Take the oldest away.`,
        );
    },
  },
];

/** The marked tools and blocks, those inside of results included. */
function breakpoints(body: JsonObject): readonly PlacedBlock[] {
  const blocks = [...placedBlocks(body['system'], 'system'), ...messagesOf(body).flatMap((message) => message.blocks)];
  const inner = blocks.flatMap(({ type, path, native }) =>
    type === 'tool_result' ? placedBlocks(native['content'], `${path}.content`) : [],
  );
  return [...placedBlocks(body['tools'], 'tools'), ...blocks, ...inner].filter(({ native }) =>
    isJsonObject(native['cache_control']),
  );
}
