import { bindsPrefix } from '../core/bound-models.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { stringifyRequest } from '../text/verbatim-json.ts';
import type { BoundBlock, Consequence, PrefixFormat, TransformationReport } from './bound-prefix.ts';
import type { PrintChange } from './compare-prints.ts';
import { hashOfText } from './hash-lanes.ts';
import {
  type JsonPrint,
  lastIndex,
  listPrint,
  memberOf,
  membersOf,
  objectPrint,
  type PrintBudget,
  printOf,
  printsPerPart,
  writtenAs,
} from './json-print.ts';

/**
 * Thinking of Anthropic's newest models: bound to `system`, `tools` and every message before it; `cache_control` is not
 * part of the comparison.
 *
 * @see https://platform.claude.com/docs/build-with-claude/preserved-thinking/prefix-checks
 */
export const anthropicPrefix: PrefixFormat = {
  entriesPath: 'messages',
  hasChains: false,
  isBoundModel: bindsPrefix,
  read(body, model) {
    const messages = listOf(body['messages']);
    return {
      settings: new Map([
        ['system', contentPrint(body['system'] ?? [])],
        ['tools', listPrint(listOf(body['tools']).map(partPrint))],
      ]),
      entries: messages.map(messagePrint),
      isShort: false,
      blocks: messages.flatMap(blocksIn),
      compaction: lastIndex(messages, isCompacted),
      model,
      previousId: null,
    };
  },
  bodyOf: (entries) => ({ messages: entries }),
  consequence,
  remedy,
  reportsOf({ carry }) {
    return listOf(carry['inputTransformations']).filter(isJsonObject).map(reportOf);
  },
};

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function messagePrint(message: unknown): JsonPrint {
  if (!isJsonObject(message)) return printOf(message);
  const budget = { left: printsPerPart };
  return objectPrint(
    membersOf(message).map(([name, value]) => [
      name,
      name === 'content' ? contentPrint(value) : printOf(value, budget),
    ]),
  );
}

/** A text in place of a list of blocks is short for a list of one. */
function contentPrint(content: unknown): JsonPrint {
  if (typeof content === 'string') return listPrint([partPrint({ type: 'text', text: content })], { isShort: true });
  return Array.isArray(content) ? listPrint(content.map(partPrint)) : printOf(content);
}

/** A block, or a tool. */
function partPrint(part: unknown): JsonPrint {
  if (!isJsonObject(part)) return printOf(part);
  const budget = { left: printsPerPart };
  const members = membersOf(part).filter(([name]) => name !== 'cache_control');
  budget.left -= members.length;
  return objectPrint(
    members.map(([name, value]) => [name, memberPrint(name, value, budget)]),
    { name: part['input_schema'] === undefined ? undefined : part['name'] },
  );
}

function memberPrint(name: string, value: unknown, budget: PrintBudget): JsonPrint {
  if (name === 'content' && (typeof value === 'string' || Array.isArray(value))) return contentPrint(value);
  if (name === 'source' && Array.isArray(memberOf(value, 'content'))) return partPrint(value);
  const print = printOf(value, budget, 1);
  return name === 'input' && isJsonObject(value) ? writtenAs(print, stringifyRequest(value)) : print;
}

function blocksIn(message: unknown, index: number): readonly BoundBlock[] {
  return listOf(memberOf(message, 'content')).flatMap((block, at) => {
    const seal = sealOf(block);
    if (seal === undefined) return [];
    return { path: `messages[${index}].content[${at}]`, position: [index, at], keys: [hashOfText(seal)] };
  });
}

/** What a block of thinking is known by; undefined for what is none, or is not signed. */
function sealOf(block: unknown): string | undefined {
  const type = memberOf(block, 'type');
  const seal = memberOf(block, type === 'thinking' ? 'signature' : 'data');
  const isReasoning = type === 'thinking' || type === 'redacted_thinking';
  return isReasoning && typeof seal === 'string' && seal !== '' ? seal : undefined;
}

/** The provider leaves out all that stands before what it compacted itself. */
function isCompacted(message: unknown): boolean {
  return listOf(memberOf(message, 'content')).some((block) => memberOf(block, 'type') === 'compaction');
}

function consequence({ thinking }: JsonObject): Consequence {
  const behaviour = memberOf(memberOf(thinking, 'block_binding'), 'prefix_mismatch_behavior');
  if (behaviour === 'drop_block') {
    return { severity: 'warning', text: 'the provider drops them in silence, as `prefix_mismatch_behavior` asks for' };
  }
  if (behaviour === 'error') return { severity: 'error', text: 'the provider answers 400, "Invalid `signature`"' };
  return {
    severity: 'error',
    text: 'the provider answers 400, "Invalid `signature`", or drops them in silence, by model (accounts from before 2026-08-31: only if `thinking.block_binding` asks for the check)',
  };
}

const afterwards =
  'If it must be, set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block" for the rest of the conversation, or leave the thinking of the turns before out.';

function remedy({ path, kind }: PrintChange): string {
  if (path.startsWith('system')) {
    return `Leave \`system\` as it was, and append a message of the role "system" with what is new. ${afterwards}`;
  }
  if (path.startsWith('tools')) {
    const ways: Partial<Record<PrintChange['kind'], string>> = {
      added: 'append a message of the role "system" with a `tool_addition`',
      removed: 'append a message of the role "system" with a `tool_removal`',
      moved: 'keep their order',
    };
    const way = ways[kind] ?? 'append a message of the role "system" with a `tool_addition` that defines it anew';
    return `Leave \`tools\` as they were, and ${way}. ${afterwards}`;
  }
  if (kind === 'respelled') return 'Write requests with `stringifyRequest`, and keep conversations with `stringify()`.';
  if (kind === 'removed') {
    return `Send every block back as it came, thinking without text too; to make a history shorter, let the API compact it. ${afterwards}`;
  }
  return `Leave what was sent as it was, and append what is new in a message at the end. ${afterwards}`;
}

/** `messages.3.content.0` is `messages[3].content[0]` here. */
function reportOf({ type, path, reason }: JsonObject): TransformationReport {
  return {
    path: typeof path === 'string' ? path.replace(/\.(\d+)/g, '[$1]') : null,
    id: null,
    action: type === 'thinking_mismatch_allowed' ? 'allowed' : 'dropped',
    reason: typeof reason === 'string' ? reason : 'unknown',
  };
}
