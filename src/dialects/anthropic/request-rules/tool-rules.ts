import { isJsonObject } from '../../../core/json-object.ts';
import { type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import { blocksBy, exchangesOf, idOf, messagesOf, type PlacedBlock, type PlacedMessage, textOf } from './history.ts';
import { byClaude } from './thinking-mode.ts';

/** The rules of the calls that the client runs, and of their results. */
export const toolRules: readonly HistoryRule[] = [
  {
    code: 'tool_result_missing',
    source: 'Anthropic: tool use; Thinking blocks in the tool loop',
    *find(body) {
      for (const { assistant, user } of exchangesOf(body)) {
        const answered = new Set(resultsIn(user).map(idOf));
        for (const call of callsIn(assistant).filter((pending) => !answered.has(idOf(pending)))) {
          yield refused(
            call.path,
            `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${idOf(call)}. Put a result for it, be it an error, into the next message.`,
          );
        }
      }
    },
  },
  {
    code: 'tool_results_split',
    source: 'Thinking blocks in the tool loop',
    *find(body) {
      for (const { user } of exchangesOf(body)) {
        const [, ...later] = user;
        const [first] = resultsIn(later);
        if (first)
          yield spoiled(
            first.path,
            'Results of one turn stand in several messages: that is refused, or the model learns to call one tool at a time. Put all of them into the one user message after the calls.',
          );
      }
    },
  },
  {
    code: 'tool_result_unexpected',
    source: 'Anthropic: tool use',
    *find(body) {
      for (const { assistant, user } of exchangesOf(body)) {
        const calls = new Set(callsIn(assistant).map(idOf));
        for (const result of resultsIn(user).filter((orphan) => !calls.has(idOf(orphan)))) {
          yield refused(
            result.path,
            `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${idOf(result)}. Each result must have its \`tool_use\` in the message before it; send the two together or neither.`,
          );
        }
      }
    },
  },
  {
    code: 'tool_result_repeated',
    source: 'Anthropic: tool use',
    *find(body) {
      for (const { user } of exchangesOf(body)) {
        for (const result of repeated(resultsIn(user)))
          yield refused(
            result.path,
            `each \`tool_use\` must have a single result, and ${idOf(result)} has two. Leave the second out.`,
          );
      }
    },
  },
  {
    code: 'tool_result_not_first',
    source: 'Anthropic: tool use',
    *find(body) {
      for (const { role, blocks } of messagesOf(body)) {
        const lastResult = blocks.findLastIndex(({ type }) => type === 'tool_result');
        const before = role === 'user' ? blocks.slice(0, Math.max(lastResult, 0)) : [];
        const wrong = before.find(({ type }) => type !== 'tool_result');
        if (wrong)
          yield refused(
            wrong.path,
            'A `tool_result` stands behind other content, and counts as missing. Put all results first, and text after them.',
          );
      }
    },
  },
  {
    code: 'tool_use_id_repeated',
    source: 'Anthropic: tool use',
    *find(body) {
      for (const call of repeated(callsIn(messagesOf(body)))) {
        yield* byClaude(
          body,
          call.path,
          `\`tool_use\` ids must be unique, and ${idOf(call)} stands there twice. Leave the repeated call out.`,
        );
      }
    },
  },
  {
    code: 'tool_use_id_malformed',
    source: 'Anthropic: tool use',
    *find(body) {
      for (const block of messagesOf(body).flatMap(({ blocks }) => blocks)) {
        const [name, pattern] = idPatternOf(block.type);
        if (!pattern || pattern.test(textOf(block.native[name]))) continue;
        yield* byClaude(
          body,
          `${block.path}.${name}`,
          `${block.type}.${name}: String should match pattern '${pattern.source}'. Send the id that came, or make one of letters, digits, _ and -.`,
        );
      }
    },
  },
  {
    code: 'tool_input_not_object',
    source: 'Anthropic: tool use',
    *find(body) {
      for (const { type, path, native } of blocksBy('assistant', body)) {
        if (!/^(?:server_|mcp_)?tool_use$/.test(type) || isJsonObject(native['input'])) continue;
        yield refused(
          `${path}.input`,
          `${type}.input: Input should be a valid dictionary. Wrap what came: {"INVALID_JSON": "…"}.`,
        );
      }
    },
  },
  {
    code: 'tool_use_without_name',
    source: 'Anthropic: tool use',
    *find(body) {
      for (const { path, native } of callsIn(messagesOf(body))) {
        if (textOf(native['name']) === '')
          yield refused(`${path}.name`, 'tool_use.name: Field required. Leave out a call that got no name.');
      }
    },
  },
  {
    code: 'block_in_wrong_role',
    source: 'Anthropic: tool use',
    *find(body) {
      for (const { role, blocks } of messagesOf(body)) {
        for (const { type, path } of blocks) {
          const wanted = roleOf(type);
          if (wanted === undefined || wanted === role) continue;
          yield refused(path, `\`${type}\` blocks can only be in \`${wanted}\` messages. Move it there.`);
        }
      }
    },
  },
  {
    code: 'container_missing',
    source: 'Anthropic: programmatic tool calling',
    *find(body) {
      const last = messagesOf(body).findLast(({ role }) => role === 'assistant');
      const call = last?.blocks.find(({ type, native }) => type === 'tool_use' && isFromProgram(native['caller']));
      if (!call || (body['container'] ?? null) !== null) return;
      yield refused(
        'container',
        'container_id is required when there are pending tool uses generated by code execution with tools. Send the id of the container that the answer named.',
      );
    },
  },
];

function callsIn(messages: readonly PlacedMessage[]): readonly PlacedBlock[] {
  return messages.flatMap(({ role, blocks }) =>
    role === 'assistant' ? blocks.filter(({ type }) => type === 'tool_use') : [],
  );
}

function resultsIn(messages: readonly PlacedMessage[]): readonly PlacedBlock[] {
  return messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'tool_result'));
}

/** The blocks whose id one before them has. */
function repeated(blocks: readonly PlacedBlock[]): readonly PlacedBlock[] {
  const seen = new Set<string>();
  return blocks.filter((block) => {
    const isRepeated = seen.has(idOf(block));
    seen.add(idOf(block));
    return isRepeated && idOf(block) !== '';
  });
}

function idPatternOf(type: string): readonly [string, RegExp?] {
  if (type === 'tool_use') return ['id', /^[a-zA-Z0-9_-]+$/];
  if (type === 'tool_result') return ['tool_use_id', /^[a-zA-Z0-9_-]+$/];
  return type === 'server_tool_use' ? ['id', /^srvtoolu_[a-zA-Z0-9_]+$/] : [''];
}

function roleOf(type: string): 'assistant' | 'user' | undefined {
  if (type === 'tool_result') return 'user';
  return /^(?:(?:server_|mcp_)?tool_use|(?:redacted_)?thinking)$/.test(type) ? 'assistant' : undefined;
}

function isFromProgram(caller: unknown): boolean {
  return isJsonObject(caller) && textOf(caller['type']).startsWith('code_execution');
}
