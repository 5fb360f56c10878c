import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import type { Difference } from '../accepted-replay.ts';
import { listOf } from './recorded-events.ts';

/** What an accepted item may lack, or have otherwise, and is the same all the same. */
export const itemDifferences: readonly Difference[] = [
  dropped('id', 'The client sends no ids; the service wants none where the ciphertext or the call_id is there'),
  dropped('status', 'The client sends no status, which is of the stream'),
  dropped('phase', 'The client lost it; the service takes the message without it, though the next answer may suffer'),
  dropped('type', 'The client sends the short form of a message: its role and what it says'),
  dropped('metadata', 'The ChatGPT backend adds it, and its client does not send it'),
  dropped('internal_chat_message_metadata_passthrough', 'The same under an older name'),
  {
    kind: 'empty_content_dropped',
    why: 'The client leaves the raw content of reasoning out where it is empty',
    undo: (accepted, { type, content }) =>
      type === 'reasoning' && JSON.stringify(content) === '[]' && !('content' in accepted)
        ? { ...accepted, content }
        : accepted,
  },
  {
    kind: 'null_ciphertext',
    why: 'The client writes out that there is no ciphertext',
    undo(accepted, streamed) {
      const { encrypted_content: sealed, ...rest } = accepted;
      return sealed === null && !('encrypted_content' in streamed) ? rest : accepted;
    },
  },
  {
    kind: 'content_as_text',
    why: 'The client sends a message of one text as a string',
    undo: (accepted, { content }) =>
      typeof accepted['content'] === 'string' && accepted['content'] === listOf(content)[0]?.['text']
        ? { ...accepted, content }
        : accepted,
  },
  droppedOfParts('annotations', 'The client sends no annotations, of which there were none'),
  droppedOfParts('logprobs', 'The client sends no log probabilities, of which there were none'),
  {
    kind: 'arguments_reserialised',
    why: 'The client parsed the arguments and serialised them anew: other blanks, the same values in the same order',
    undo: (accepted, { arguments: text }) =>
      accepted['arguments'] !== text && reserialised(accepted['arguments']) === reserialised(text)
        ? { ...accepted, arguments: text }
        : accepted,
  },
];

/** What an accepted output may have beyond ours. */
export const outputDifferences: readonly Difference[] = [
  added('output_id', 'id', 'The client makes up an id for the output'),
  added('output_status', 'status', 'The client writes out that the output is complete'),
];

function dropped(name: string, why: string): Difference {
  return {
    kind: `${name}_dropped`,
    why,
    undo: (accepted, streamed) =>
      name in streamed && !(name in accepted) ? { ...accepted, [name]: streamed[name] } : accepted,
  };
}

/** An empty list in each part of a message that the client leaves out. */
function droppedOfParts(name: string, why: string): Difference {
  return {
    kind: `${name}_dropped`,
    why,
    undo(accepted, streamed) {
      const [parts, originals] = [listOf(accepted['content']), listOf(streamed['content'])];
      const isLost = parts.some((part, place) => !(name in part) && JSON.stringify(originals[place]?.[name]) === '[]');
      return isLost ? { ...accepted, content: parts.map((part) => ({ ...part, [name]: [] })) } : accepted;
    },
  };
}

function added(kind: string, name: string, why: string): Difference {
  return {
    kind,
    why,
    undo(accepted, built) {
      const { [name]: extra, ...rest } = accepted;
      return extra !== undefined && !(name in built) ? rest : accepted;
    },
  };
}

function reserialised(text: unknown): string | undefined {
  return typeof text === 'string' ? JSON.stringify(JSON.parse(text)) : undefined;
}

/** Whether an item of a request is this one of the turn, however the client wrote it down. */
export function isCounterpart(accepted: JsonObject, streamed: JsonObject): boolean {
  if (streamed['type'] === 'message') return accepted['role'] === 'assistant' && textOf(accepted) === textOf(streamed);
  if (accepted['type'] !== streamed['type']) return false;
  const names = ['call_id', 'encrypted_content', 'id'];
  const name = names.find((known) => known in streamed && known in accepted && accepted[known] !== null);
  return name !== undefined && accepted[name] === streamed[name];
}

function textOf({ content }: JsonObject): unknown {
  return typeof content === 'string'
    ? content
    : listOf(content)
        .map(({ text }) => text)
        .join('');
}

/** Whether an item is the output of a call. */
export function isOutput(item: unknown): item is JsonObject {
  return isJsonObject(item) && String(item['type']).endsWith('_output');
}
