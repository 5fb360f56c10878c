import { findLoneSurrogates } from '../../../core/lone-surrogates.ts';
import { type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import { messagesOf, type PlacedBlock, placedBlocks, textOf } from './history.ts';
import { refusedByClaude, servedBy } from './thinking-mode.ts';

/** The rules of text, of messages without any, and of their shape. */
export const contentRules: readonly HistoryRule[] = [
  {
    code: 'messages_missing',
    source: 'Anthropic: Messages API',
    *find({ messages }) {
      if (!Array.isArray(messages))
        yield refused('messages', 'messages: Field required, as a list. Send the whole conversation.');
      else if (messages.length === 0)
        yield refused('messages', 'messages: at least one message is required. Begin with a user message.');
    },
  },
  {
    code: 'unknown_role',
    source: 'Anthropic: Messages API',
    *find(body) {
      for (const { role, path } of messagesOf(body)) {
        if (role === 'user' || role === 'assistant') continue;
        const message = `messages: Unexpected role ${JSON.stringify(role ?? null)}. The system prompt is the parameter \`system\`, and results go back in a user message.`;
        // Newest models take changes of system and tools as system messages.
        yield (role === 'system' ? spoiled : refused)(`${path}.role`, message);
      }
    },
  },
  {
    code: 'text_empty',
    source: 'Anthropic: Messages API',
    *find(body) {
      const inMessages = messagesOf(body).flatMap(({ native, blocks }) =>
        Array.isArray(native['content']) ? blocks : [],
      );
      for (const block of [...placedBlocks(body['system'], 'system'), ...inMessages]) {
        if (isEmptyText(block))
          yield refusedByClaude(
            body,
            block.path,
            'text content blocks must be non-empty. The service itself ends answers with one at times; leave it out.',
          );
        if (block.type !== 'tool_result') continue;
        const inner = placedBlocks(block.native['content'], `${block.path}.content`).find(isEmptyText);
        if (inner)
          yield spoiled(
            inner.path,
            'text content blocks must be non-empty. Leave it out; a result may be without content.',
          );
      }
    },
  },
  {
    code: 'message_empty',
    source: 'Anthropic: Messages API',
    *find(body) {
      const messages = messagesOf(body);
      for (const [at, { native, path, role }] of messages.entries()) {
        const { content } = native;
        const isEmpty = content === '' || (Array.isArray(content) && content.length === 0);
        const isOptional = role === 'assistant' && at === messages.length - 1;
        if (isEmpty && !isOptional)
          yield refusedByClaude(
            body,
            path,
            'all messages must have non-empty content except for the optional final assistant message. Leave the message out.',
          );
        if (content === undefined || content === null)
          yield refusedByClaude(
            body,
            `${path}.content`,
            'content: Field required. Leave the message out, or give it content.',
          );
      }
    },
  },
  {
    code: 'message_blank',
    source: 'Anthropic: Messages API',
    *find(body) {
      for (const { path, blocks } of messagesOf(body)) {
        const texts = blocks.filter(({ type }) => type === 'text').map(({ native }) => textOf(native['text']));
        // Blanks beside anything else are normal: the service writes them between citations.
        if (texts.length === 0 || texts.length < blocks.length || texts.some((text) => text.trim() !== '')) continue;
        if (texts.every((text) => text === '')) continue;
        yield refusedByClaude(
          body,
          path,
          'text content blocks must contain non-whitespace text. Nothing else is said in this message; leave it out.',
        );
      }
    },
  },
  {
    code: 'trailing_whitespace',
    source: 'Anthropic: Messages API',
    *find(body) {
      const last = messagesOf(body).at(-1);
      const block = last?.role === 'assistant' ? last.blocks.at(-1) : undefined;
      if (block?.type === 'text' && /\s$/.test(textOf(block.native['text'])))
        yield refusedByClaude(
          body,
          block.path,
          'final assistant content cannot end with trailing whitespace. Cut it off.',
        );
    },
  },
  {
    code: 'compaction_empty',
    source: 'Anthropic: compaction',
    *find(body) {
      for (const { type, native, path } of messagesOf(body).flatMap(({ blocks }) => blocks)) {
        if (type === 'compaction' && native['content'] === '')
          yield refused(
            path,
            'compaction content must be non-empty; null is allowed. Send it as it came, or leave it out.',
          );
      }
    },
  },
  {
    code: 'message_member_added',
    source: 'Anthropic: Messages API',
    *find(body) {
      for (const { path, native } of messagesOf(body)) {
        for (const name of Object.keys(native).filter((key) => key !== 'role' && key !== 'content')) {
          const message = `${name}: Extra inputs are not permitted. A message has role and content; keep what belongs to you elsewhere.`;
          yield (ofAnswer.has(name) ? refused : spoiled)(`${path}.${name}`, message);
        }
      }
    },
  },
  {
    code: 'block_member_added',
    source: "Anthropic: Messages API; Return Claude's Thinking Blocks or Your Agent Breaks",
    *find(body) {
      const places = servedBy(body) === 'compatible' ? [] : messagesOf(body).flatMap(({ blocks }) => blocks);
      for (const { type, path, native } of places) {
        const known = membersOf.get(type);
        for (const name of known ? Object.keys(native) : []) {
          if (known?.has(name) || name === 'cache_control' || name === 'type') continue;
          const message = `${type}.${name}: Extra inputs are not permitted. A block goes back as it came, with nothing added.`;
          // The service takes members of its own making back, also those that are not known here yet.
          yield (isBookkeeping(name) || type === 'tool_result' ? refused : spoiled)(`${path}.${name}`, message);
        }
      }
    },
  },
  {
    code: 'lone_surrogate',
    source: 'Anthropic: Messages API',
    *find({ messages, system }) {
      for (const path of [...findLoneSurrogates(system, 'system'), ...findLoneSurrogates(messages, 'messages')])
        yield refused(
          path,
          'The request body is not valid JSON: no low surrogate in string. Half a character stands here; join the text before it is cut or sent.',
        );
    },
  },
];

/** Members of a whole answer, which a client sends back by mistake. */
const ofAnswer = new Set(['id', 'type', 'model', 'usage', 'stop_reason', 'stop_sequence', 'stop_details', 'container']);

const membersOf: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['text', new Set(['text', 'citations'])],
  ['thinking', new Set(['thinking', 'signature'])],
  ['redacted_thinking', new Set(['data'])],
  ['tool_use', new Set(['id', 'name', 'input', 'caller'])],
  ['tool_result', new Set(['tool_use_id', 'content', 'is_error'])],
]);

/** Members that clients were seen to add, and the service to refuse. */
function isBookkeeping(name: string): boolean {
  return name.startsWith('_') || /^(?:index|parsed|text|partial_json|inputText|parsed_output|state|raw)$/.test(name);
}

function isEmptyText({ type, native }: PlacedBlock): boolean {
  return type === 'text' && native['text'] === '';
}
