import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type AnthropicEntry, anthropic } from '../../../src/anthropic.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/json-object.ts';
import { type AssembledTurn, assembleTurn, type FinishedBlock } from '../../../src/index.ts';
import { officialMessage, type SdkApi } from '../../clients/official-message.ts';
import { eventsOf } from '../../laws/dialect-laws.ts';
import { listRecordings, type Recording } from '../../recordings.ts';

type WholeTurn = AssembledTurn<AnthropicEntry>;

/** A stream that the SDK refuses, and the stream with which it can be asked all the same. */
interface Refusal {
  readonly kind: string;
  readonly why: string;
  /** What the SDK says. */
  readonly message: RegExp;
  mend(body: string): string;
}

/** Something in which the SDK's message is not ours. */
interface Difference {
  readonly kind: string;
  readonly why: string;
  readonly apis: readonly SdkApi[];
  /** The SDK's message as it would be without this difference; the very same object where there is none. */
  undo(message: JsonObject, turn: WholeTurn): JsonObject;
}

const refusals: readonly Refusal[] = [
  {
    kind: 'no_last_blank_line',
    why: 'The SDK drops a last event without its blank line, and with it the end of the message',
    message: /stream ended without producing a Message/,
    mend: (body) => `${body}\n\n`,
  },
  {
    kind: 'repeated_message_start',
    why: 'The SDK refuses a second message_start, be it the same again or that of a retry, which alone counts then',
    message: /Unexpected event order, got message_start/,
    mend: withoutVoidStart,
  },
];

const both: readonly SdkApi[] = ['ga', 'beta'];

const differences: readonly Difference[] = [
  {
    kind: 'parsed_output',
    why: 'The SDK adds a member of its own for structured output, which is not of the wire',
    apis: both,
    undo(message, { envelope }) {
      const { parsed_output: parsed, ...rest } = message;
      return parsed === null && !('parsed_output' in envelope) ? rest : message;
    },
  },
  lostUsageMember('iterations'),
  lostUsageMember('fallback_credit'),
  {
    kind: 'context_management',
    why: 'The GA half of the SDK has no type for it, and leaves it out',
    apis: ['ga'],
    undo(message, { envelope: { context_management: edits } }) {
      return edits === undefined || 'context_management' in message
        ? message
        : { ...message, context_management: edits };
    },
  },
  {
    kind: 'compaction_content',
    why: 'The GA half of the SDK does not know compaction_delta, and loses the content of the block',
    apis: ['ga'],
    undo: (message, turn) =>
      replaceContent(message, (block, index) => {
        const isLost = block['type'] === 'compaction' && block['content'] === null;
        const ours = turn.blocks[index]?.native;
        return isLost && isJsonObject(ours) && ours['content'] !== null ? ours : block;
      }),
  },
  {
    kind: 'cut_call',
    why: 'The SDK closes the half input of a call that max_tokens cut, and hands it out as if the model had sent it',
    apis: both,
    undo: (message, turn) =>
      replaceContent(message, (block, index) =>
        block['type'] === 'tool_use' && isRepaired(turn, index, 'cut') && !isJson(turn.blocks[index]?.text ?? '')
          ? undefined
          : block,
      ),
  },
  {
    kind: 'empty_text',
    why: 'The service ends answers with an empty text and refuses it in the next request',
    apis: both,
    undo: (message, turn) =>
      replaceContent(message, (block, index) =>
        block['type'] === 'text' && block['text'] === '' && isRepaired(turn, index, 'empty_text') ? undefined : block,
      ),
  },
];

const recordings = listRecordings('corpus/streams/anthropic');
const names = recordings.map((recording) => [recording.name, recording] as const);

describe.skipIf(recordings.length === 0)('anthropic, on recorded streams', () => {
  const kindsThatOccur = new Set<string>();

  test.each(names)('assembles %s to one of the four statuses', async (_name, recording) => {
    const { status, entries, error } = await assemble(recording);
    expect(['complete', 'truncated', 'failed', 'aborted']).toContain(status);
    expect(status === 'complete' || entries.length === 0).toBe(true);
    expect(error !== undefined).toBe(status === 'failed');
  });

  test.each(names)('keeps of %s, wherever it is cut, only blocks of the whole', (_name, { bytes }) => {
    const whole = finishedBlocksOf(bytes);
    for (let eighth = 0; eighth < 8; eighth += 1) {
      const part = bytes.subarray(0, Math.floor((bytes.length * eighth) / 8));
      const blocks = finishedBlocksOf(part);
      expect(blocks).toEqual(whole.slice(0, blocks.length));
    }
  });

  describe.each(both)('beside client.messages.stream of the SDK, %s', (api) => {
    test.each(names)('makes the same message of %s', async (_name, recording) => {
      const turn = await assemble(recording);
      if (turn.status !== 'complete') return expect(officialMessage(api, recording.bytes)).rejects.toThrow();
      const { message, kinds } = await officialMessageAsOurs(api, recording, turn);
      for (const kind of kinds) kindsThatOccur.add(`${api} ${kind}`);
      const { content, ...envelope } = message;
      expect(JSON.parse(JSON.stringify(turn.entries[0]?.content ?? []))).toStrictEqual(content);
      expect(JSON.parse(JSON.stringify(turn.envelope))).toStrictEqual(envelope);
    });
  });

  test('differs from the SDK in each of the known kinds', () => {
    const known = [
      ...differences.flatMap(({ kind, apis }) => apis.map((api) => `${api} ${kind}`)),
      ...refusals.flatMap(({ kind }) => both.map((api) => `${api} ${kind}`)),
    ];
    expect([...kindsThatOccur].sort()).toEqual(known.sort());
  });
});

function lostUsageMember(member: string): Difference {
  return {
    kind: `usage.${member}`,
    why: 'The GA half of the SDK copies only those members of usage that it has a type for',
    apis: ['ga'],
    undo(message, { envelope }) {
      const { usage } = message;
      if (!isJsonObject(usage) || !isJsonObject(envelope['usage']) || member in usage) return message;
      const value = envelope['usage'][member];
      return value === undefined ? message : { ...message, usage: { ...usage, [member]: value } };
    },
  };
}

function assemble({ bytes }: Recording): Promise<WholeTurn> {
  return assembleTurn(of(bytes), anthropic).settled();
}

function finishedBlocksOf(bytes: Uint8Array): FinishedBlock[] {
  return eventsOf(anthropic, [bytes]).flatMap((event) => (event.type === 'block' ? [event.block] : []));
}

/** The SDK's message without the known differences, and the kinds of those that were met. */
async function officialMessageAsOurs(
  api: SdkApi,
  { bytes }: Recording,
  turn: WholeTurn,
): Promise<{ message: JsonObject; kinds: string[] }> {
  const kinds: string[] = [];
  let message = await officialMessage(api, bytes).catch((cause: unknown) => {
    const refusal = refusals.find((known) => known.message.test(String(cause)));
    if (!refusal) throw cause;
    kinds.push(refusal.kind);
    return officialMessage(api, refusal.mend(new TextDecoder().decode(bytes)));
  });
  for (const { kind, apis, undo } of differences) {
    const undone = apis.includes(api) ? undo(message, turn) : message;
    if (undone !== message) kinds.push(kind);
    message = undone;
  }
  return { message, kinds };
}

/** The body without the second message_start, if it is that of the same message; else without the first message. */
function withoutVoidStart(body: string): string {
  const frames = body.split(/(?<=\n\n)/);
  const isStart = (frame: string): boolean => frame.startsWith('event: message_start\n');
  const [first = '', second = ''] = frames.filter(isStart);
  const at = frames.lastIndexOf(second);
  return (messageId(first) === messageId(second) ? frames.toSpliced(at, 1) : frames.slice(at)).join('');
}

function messageId(frame: string): string | undefined {
  return /"id":\s*"([^"]*)"/.exec(frame)?.[1];
}

/** The message with other blocks; the very same one if none is another. Undefined leaves a block out. */
function replaceContent(
  message: JsonObject,
  replace: (block: JsonObject, index: number) => JsonObject | undefined,
): JsonObject {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const blocks: unknown[] = content;
  const replaced = blocks.map((block, index) => (isJsonObject(block) ? replace(block, index) : block));
  const isSame = replaced.every((block, index) => block === blocks[index]);
  return isSame ? message : { ...message, content: replaced.filter((block) => block !== undefined) };
}

function isRepaired({ repairs }: WholeTurn, index: number, code: string): boolean {
  return repairs.some((repair) => repair.index === index && repair.code === code);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
