import { findLoneSurrogates } from '../../../core/lone-surrogates.ts';
import { type HistoryRule, refused, spoiled } from '../../../core/request-rule.ts';
import { answersOf, familyOf, isGiven, isMistralApi, messagesOf, type PlacedMessage, textOf } from './history.ts';

const source = 'OpenAI: chat completions';

/** The rules of messages, their roles, their content, and what else stands in them. */
export const contentRules: readonly HistoryRule[] = [
  {
    code: 'messages_missing',
    source,
    *find({ messages }) {
      if (!Array.isArray(messages) || messages.length === 0)
        yield refused(
          'messages',
          "Missing required parameter: 'messages', a list with one at least. Send the conversation.",
        );
    },
  },
  {
    code: 'message_empty',
    source,
    *find(body) {
      for (const message of answersOf(body)) {
        const { content } = message.native;
        if (isGiven(content) && content !== '') continue;
        if (saysSomething(message)) continue;
        const isRefused = content !== '' && familyOf(body) === 'gpt';
        yield (isRefused ? refused : spoiled)(
          message.path,
          "Invalid value for 'content': expected a string, got null. An answer without content, calls, refusal or audio says nothing; leave the message out.",
        );
      }
    },
  },
  {
    code: 'message_blank',
    source: 'Anthropic: Messages API; Amazon Bedrock: Converse',
    *find(body) {
      for (const { native, calls, path } of answersOf(body)) {
        const { content } = native;
        if (typeof content !== 'string' || content.trim() !== '') continue;
        if (/nova/i.test(textOf(body['model'])) && calls.length > 0)
          yield refused(
            `${path}.content`,
            'The text field in the ContentBlock object is blank. Send null beside calls.',
          );
        if (familyOf(body) === 'claude' && calls.length === 0)
          yield spoiled(
            `${path}.content`,
            'text content blocks must contain non-whitespace text. Nothing else is said in this message; leave it out.',
          );
      }
    },
  },
  {
    code: 'message_member_refused',
    source: 'Mistral: chat completions',
    *find(body) {
      if (!isMistralApi(body)) return;
      for (const { native, path } of messagesOf(body)) {
        for (const name of Object.keys(native).filter((member) => !knownToMistral.has(member)))
          yield refused(
            `${path}.${name}`,
            `extra_forbidden: Extra inputs are not permitted. Mistral takes no \`${name}\` in a message; leave it out.`,
          );
      }
    },
  },
  {
    code: 'role_refused',
    source,
    *find(body) {
      if (!/\bo1-(?:mini|preview)\b/.test(textOf(body['model']))) return;
      for (const { role, path } of messagesOf(body)) {
        if (role === 'developer' || role === 'system')
          yield refused(
            `${path}.role`,
            `Unsupported value: 'messages[0].role' does not support '${role}' with this model. Say it in a user message.`,
          );
      }
    },
  },
  {
    code: 'lone_surrogate',
    source: 'RFC 8259: strings',
    *find({ messages }) {
      for (const path of findLoneSurrogates(messages, 'messages'))
        yield refused(
          path,
          'The request body is not valid JSON: no low surrogate in string. Half a character stands here; join the text before it is cut or sent.',
        );
    },
  },
];

const knownToMistral = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'prefix']);

function saysSomething({ native, calls }: PlacedMessage): boolean {
  return calls.length > 0 || ['function_call', 'audio', 'refusal'].some((name) => isGiven(native[name]));
}
