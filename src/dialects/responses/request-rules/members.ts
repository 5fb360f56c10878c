import type { HistoryRule } from '../../../core/request-rule.ts';
import { type Found, itemsOf, type PlacedItem, partsOf, refused } from './reading.ts';

/** Members of a chat message that an item has not. */
const chatMembers = ['tool_calls', 'tool_call_id', 'reasoning_content', 'reasoning_details', 'function_call'];

/** Members that an SDK added, or filled with null, and those of another format. */
export const unknownParameter: HistoryRule = {
  code: 'unknown_parameter',
  source: 'https://github.com/openai/openai-python/issues/3008',
  *find(body) {
    for (const placed of itemsOf(body)) {
      for (const path of unknownMembers(placed)) {
        yield refused(body, path, `Unknown parameter: '${path}'. Send the item as it came on the wire, without it.`);
      }
    }
  },
};

function unknownMembers(placed: PlacedItem): string[] {
  const { item, type, path } = placed;
  const own: readonly string[] = type === 'message' ? chatMembers : ['parsed_arguments'];
  const unknown = own.filter((name) => item[name] !== undefined);
  if (item['status'] === null) unknown.push('status');
  const inParts = partsOf(placed).filter(({ part }) => part['parsed'] !== undefined);
  return [...unknown.map((name) => `${path}.${name}`), ...inParts.map((part) => `${part.path}.parsed`)];
}

/** Who may speak. */
export const unknownRole: HistoryRule = {
  code: 'unknown_role',
  source: 'https://platform.openai.com/docs/api-reference/responses/create#responses-create-input',
  *find(body) {
    for (const { item, type, path } of itemsOf(body)) {
      const { role } = item;
      if (type !== 'message' || (typeof role === 'string' && roles.has(role))) continue;
      const place = `${path}.role`;
      const said = `Invalid value: '${String(role)}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`;
      yield refused(body, place, `${said} A tool's result is a \`function_call_output\` item.`);
    }
  },
};

const roles = new Set(['user', 'assistant', 'system', 'developer']);

/** What the model wrote, and what it is told, are parts of different types. */
export const contentType: HistoryRule = {
  code: 'wrong_content_type',
  source: 'https://platform.openai.com/docs/api-reference/responses/create#responses-create-input',
  *find(body) {
    for (const placed of itemsOf(body)) {
      if (placed.type !== 'message') continue;
      for (const { part, path } of partsOf(placed)) {
        const found = wrongType(String(part['type']), placed.item['role'] === 'assistant');
        if (found) yield asFinding(found, `${path}.type`);
      }
    }

    function asFinding(message: string, path: string): Found {
      return refused(body, path, message);
    }
  },
};

function wrongType(type: string, isAssistant: boolean): string | undefined {
  if (isAssistant) {
    const isWrong = /^(input_|text$|image_url$)/.test(type);
    return isWrong ? `Invalid value: '${type}'. Supported values are: 'output_text' and 'refusal'.` : undefined;
  }
  if (!/^(output_text|refusal|text|image_url)$/.test(type)) return undefined;
  return `Invalid value: '${type}'. Supported values are: 'input_text', 'input_image', and 'input_file'.`;
}
