import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { areInstructionsBound, isBoundGpt } from './bound-gpt.ts';
import type { BoundBlock, PrefixFormat, TransformationReport } from './bound-prefix.ts';
import type { PrintChange } from './compare-prints.ts';
import { hashOfText } from './hash-lanes.ts';
import {
  doubtful,
  type JsonPrint,
  lastIndex,
  listPrint,
  memberOf,
  membersOf,
  nothing,
  objectPrint,
  printOf,
  printsPerPart,
  writtenAs,
} from './json-print.ts';

/**
 * Reasoning items of OpenAI's newest models: bound to the items before them, and to `tools`, `text.format`,
 * `reasoning.effort` and (before GPT-6.2) `instructions` of the request.
 *
 * @see https://developers.openai.com/api/docs/guides/keep-prefix-unchanged
 */
export const responsesPrefix: PrefixFormat = {
  entriesPath: 'input',
  hasChains: true,
  isBoundModel: isBoundGpt,
  read(body, model) {
    const { input, previous_response_id: previousId } = body;
    const items = itemsOf(input);
    return {
      settings: settingsOf(body, model),
      entries: items.map(itemPrint),
      isShort: typeof input === 'string',
      blocks: items.flatMap(blocksIn),
      compaction: lastIndex(items, (item) => /^compaction/.test(String(memberOf(item, 'type')))),
      model,
      previousId: typeof previousId === 'string' ? previousId : null,
    };
  },
  bodyOf: (entries) => ({ input: entries }),
  consequence: () => ({
    severity: 'warning',
    text: 'the provider drops them without an error, and the model has lost what it thought',
  }),
  remedy,
  reportsOf: ({ envelope }) => itemsOf(envelope['input_transformations']).filter(isJsonObject).map(reportOf),
};

/** A text in place of items is short for one message of the user. */
function itemsOf(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return Array.isArray(input) ? input : [];
}

function settingsOf(body: JsonObject, model: string | null): Map<string, JsonPrint> {
  const { tools, text, reasoning, instructions } = body;
  const format = memberOf(text, 'format');
  const settings = new Map<string, JsonPrint>();
  if (areInstructionsBound(model)) settings.set('instructions', printOf(instructions));
  settings.set('tools', listPrint(Array.isArray(tools) ? tools.map(toolPrint) : []));
  // Plain text is what comes where nothing is said.
  settings.set('text.format', memberOf(format, 'type') === 'text' ? nothing : printOf(format));
  settings.set('reasoning.effort', printOf(memberOf(reasoning, 'effort')));
  return settings;
}

function toolPrint(tool: unknown): JsonPrint {
  const print = printOf(tool);
  const name = memberOf(tool, 'name') ?? memberOf(tool, 'type');
  return typeof name === 'string' && name.length <= printsPerPart ? { ...print, name } : print;
}

function itemPrint(item: unknown): JsonPrint {
  if (!isJsonObject(item)) return printOf(item);
  const isMessage = typeof item['role'] === 'string';
  const known = membersOf(isMessage && item['type'] === undefined ? { type: 'message', ...item } : item);
  const budget = { left: printsPerPart - known.length };
  return objectPrint(
    known.map(([name, value]) => {
      if (name === 'content' && isMessage && typeof value === 'string') return [name, shortContent(value, item)];
      if (name === 'arguments' && typeof value === 'string') return [name, argumentsPrint(value)];
      const print = printOf(value, budget, 1);
      return [name, mayNotCount(name, item) ? doubtful(print) : print];
    }),
  );
}

/** What names an item for the service, and says nothing to the model; of reasoning the id belongs to its ciphertext. */
function mayNotCount(name: string, item: JsonObject): boolean {
  return name === 'status' || (name === 'id' && item['type'] !== 'reasoning');
}

function shortContent(text: string, { role }: JsonObject): JsonPrint {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return listPrint([printOf({ type, text })], { isShort: true });
}

/** The same arguments may be written in other ways; whether that counts is not known. */
function argumentsPrint(text: string): JsonPrint {
  try {
    return writtenAs(printOf(JSON.parse(text)), text);
  } catch {
    return printOf(text);
  }
}

function blocksIn(item: unknown, index: number): readonly BoundBlock[] {
  if (memberOf(item, 'type') !== 'reasoning') return [];
  const id = memberOf(item, 'id');
  const known = [id, memberOf(item, 'encrypted_content')].filter((key) => typeof key === 'string' && key !== '');
  return [
    {
      path: `input[${index}]`,
      position: [index],
      keys: known.map((key) => hashOfText(String(key))),
      ...(typeof id === 'string' && { id }),
    },
  ];
}

function remedy({ path, kind }: PrintChange): string {
  if (path.startsWith('instructions'))
    return 'Leave them as they were, and append a developer message with what is new.';
  if (path.startsWith('tools')) {
    const isMore = kind === 'added' || kind === 'changed';
    const way = isMore
      ? 'append an `additional_tools` item'
      : 'say with `tool_choice` and `allowed_tools` which may be called now';
    return `Leave \`tools\` as they were, in their order, and ${way}.`;
  }
  if (path.startsWith('text.format') || path.startsWith('reasoning.effort')) {
    return 'Leave it as it was, and append a `configuration_update` item with the new value.';
  }
  if (kind === 'respelled') return 'Send items back as they came.';
  if (kind === 'removed') return 'Send every item back; to make a history shorter, use `/responses/compact`.';
  return 'Leave what was sent as it was: shorten results before they are sent first, and append what is new, as a developer message.';
}

function reportOf({ id, action, reason }: JsonObject): TransformationReport {
  return {
    path: null,
    id: typeof id === 'string' ? id : null,
    action: action === undefined || action === 'removed' ? 'dropped' : 'allowed',
    reason: typeof reason === 'string' ? reason : 'unknown',
  };
}
