import { describe, expect, test } from 'vitest';
import { type ChunkingName, chunkingNames, cutChunks, responseOf } from '../../bench/chunkings.ts';
import { createRecording, dialectOf, type RecordingName, recordingNames } from '../../bench/recordings.ts';
import type { DialectName } from '../../bench/streams/stream.ts';
import { chatCompletions } from '../../src/chat-completions.ts';
import { assembleTurn } from '../../src/index.ts';
import type { Content } from './content.ts';
import { geminiContent } from './gemini-content.ts';
import { responsesContent } from './responses-content.ts';

const anthropicNames = recordingNames.filter((name) => dialectOf(name) === 'anthropic');
const chatNames = recordingNames.filter((name) => dialectOf(name) === 'chatCompletions');

const readers: Record<DialectName, (messages: readonly string[]) => Content> = {
  anthropic: anthropicContent,
  chatCompletions: chatContent,
  responses: responsesContent,
  gemini: geminiContent,
};

function anthropicContent(messages: readonly string[]) {
  const wires = messages.map((message) => JSON.parse(message.split('\n')[1]?.replace('data: ', '') ?? ''));
  const deltas = wires.filter((wire) => wire.type === 'content_block_delta').map((wire) => wire.delta);
  const inputs = new Map<number, string>();
  for (const { index, delta } of wires) {
    if (delta?.type === 'input_json_delta') inputs.set(index, (inputs.get(index) ?? '') + delta.partial_json);
  }
  return {
    types: wires.map((wire): string => wire.type),
    text: deltas.map((delta): string => delta.text ?? '').join(''),
    reasoning: deltas.map((delta): string => delta.thinking ?? '').join(''),
    signatures: deltas.filter((delta) => delta.type === 'signature_delta').length,
    pieces: deltas.flatMap((delta): string | [] => delta.partial_json ?? []),
    inputs: [...inputs.values()],
  };
}

function chatContent(messages: readonly string[]) {
  const chunks = messages.slice(0, -1).map((message) => JSON.parse(message.replace('data: ', '')));
  const deltas = chunks.map((chunk) => chunk.choices[0].delta);
  const details = deltas.flatMap((delta) => delta.reasoning_details ?? []);
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
  const inputs: string[] = [];
  for (const { index, function: called } of calls) inputs[index] = (inputs[index] ?? '') + called.arguments;
  return {
    chunks,
    details,
    text: deltas.map((delta): string => delta.content ?? '').join(''),
    reasoning: deltas.map((delta): string => delta.reasoning ?? '').join(''),
    pieces: calls.map((call): string => call.function.arguments),
    callOrder: calls.map((call): number => call.index),
    inputs,
  };
}

describe.each(recordingNames)('createRecording(%s)', (name) => {
  const recording = createRecording(name);
  const content = readers[recording.dialect](recording.messages);

  test('makes the same stream each time', () => {
    expect(createRecording(name)).toEqual(recording);
  });

  test('has the wire format that its name tells', () => {
    expect(recording.dialect).toBe(dialectOf(name));
  });

  test('holds what it declares', () => {
    expect(content.text.length + content.reasoning.length).toBe(recording.textLength);
    expect(content.reasoning).toHaveLength(recording.reasoningLength);
    expect(content.inputs.join('')).toHaveLength(recording.inputLength);
    expect(content.pieces.filter(Boolean).toSorted()).toEqual(recording.inputPieces.filter(Boolean).toSorted());
  });

  test('has tool inputs that are compact JSON objects', () => {
    for (const input of content.inputs) expect(JSON.stringify(JSON.parse(input))).toBe(input);
  });
});

describe.each(recordingNames.filter((name) => dialectOf(name) !== 'gemini'))('createRecording(%s)', (name) => {
  const { dialect, messages } = createRecording(name);
  const content = readers[dialect](messages);

  test('sends tool input in pieces of 8 to 20 characters, in some formats behind an empty one', () => {
    const lengths = new Set(content.pieces.map((piece) => piece.length));
    const ends = content.inputs.length;
    const odd = content.pieces.filter((piece) => piece.length < 8 || piece.length > 20);
    // The empty piece that begins an input, and the rest that ends it.
    expect(odd.filter((piece) => piece === '')).toHaveLength(dialect === 'responses' ? 0 : ends);
    expect(odd.length).toBeLessThanOrEqual(2 * ends);
    expect(lengths.has(20)).toBe(ends > 0);
  });
});

describe.each(anthropicNames)('createRecording(%s)', (name) => {
  const { messages, blocks } = createRecording(name);
  const { types } = anthropicContent(messages);

  test('makes valid SSE messages, each named as its type and closed by a blank line', () => {
    const malformed = messages.filter((message, place) => {
      const [, type] = /^event: (\w+)\ndata: \{.*\}\n\n$/.exec(message) ?? [];
      return type !== types[place];
    });
    expect(malformed).toEqual([]);
  });

  test('begins and ends as a turn does', () => {
    expect(types[0]).toBe('message_start');
    expect(types.slice(-2)).toEqual(['message_delta', 'message_stop']);
    expect(types.filter((type) => type === 'content_block_start')).toHaveLength(blocks);
    expect(types.filter((type) => type === 'content_block_stop')).toHaveLength(blocks);
  });
});

describe.each(chatNames)('createRecording(%s)', (name) => {
  const { messages } = createRecording(name);
  const { chunks, details, reasoning, text, inputs } = chatContent(messages);

  test('makes valid SSE messages, and ends with the finish reason, the usage and the sentinel', () => {
    expect(messages.filter((message) => !/^data: \{.*\}\n\n$/.test(message))).toEqual(['data: [DONE]\n\n']);
    const [finish, last] = chunks.slice(-2);
    expect(finish.choices[0].finish_reason).toBe(inputs.length > 0 ? 'tool_calls' : 'stop');
    expect(last.usage).toMatchObject({ prompt_tokens: 1200 });
  });

  test('mirrors the text of the details', () => {
    expect(details.map((detail) => detail.text ?? '').join('')).toBe(reasoning);
  });

  test('comes back whole', async () => {
    const turn = assembleTurn(responseOf(cutChunks(messages, '16_kib')), chatCompletions);
    const { entries, repairs } = await turn.finalTurn();
    expect(repairs).toEqual([]);
    const seals = details.filter((detail) => detail.data !== undefined);
    const signature = details.find((detail) => detail.signature !== undefined)?.signature;
    const [thought] = details;
    expect(entries).toEqual([
      {
        role: 'assistant',
        content: text === '' ? null : text,
        ...(thought && { reasoning, reasoning_details: [{ ...thought, text: reasoning, signature }, ...seals] }),
        ...(inputs.length > 0 && {
          tool_calls: inputs.map((input, index) => ({
            id: `call_0${index}`,
            type: 'function',
            function: { name: 'write_rows', arguments: input },
          })),
        }),
      },
    ]);
  });
});

describe('createRecording', () => {
  test.each<[RecordingName, number]>([
    ['tool_10kb', 10_000],
    ['tool_100kb', 100_000],
    ['tool_1mb', 1_000_000],
  ])('makes %s with an input of %d characters', (name, length) => {
    expect(createRecording(name).inputLength).toBe(length);
  });

  test('makes 20,000 deltas of text and of thinking, and signs the thinking', () => {
    const text = anthropicContent(createRecording('text').messages);
    const thinking = anthropicContent(createRecording('thinking').messages);
    expect(text.types.filter((type) => type === 'content_block_delta')).toHaveLength(20_000);
    expect(thinking.types.filter((type) => type === 'content_block_delta')).toHaveLength(20_000 + 1 + 4);
    expect(thinking.signatures).toBe(1);
  });

  test('mixes thinking, text that is not all ASCII, and three tools', () => {
    const mixed = anthropicContent(createRecording('mixed').messages);
    expect(mixed.signatures).toBe(1);
    expect(mixed.text).toMatch(/\p{Extended_Pictographic}/u);
    expect(mixed.inputs.map((input) => input.length)).toEqual([2600, 2600, 2600]);
  });

  test.each<[RecordingName, number, number]>([
    ['chat_details', 20_000, 10_002],
    ['chat_details_half', 10_000, 5002],
  ])('makes %s with %d chunks, of which %d hold details', (name, count, withDetails) => {
    const { chunks, details } = chatContent(createRecording(name).messages);
    expect(chunks).toHaveLength(count);
    expect(details).toHaveLength(withDetails);
  });

  test.each<[RecordingName, number]>([
    ['chat_parallel_calls', 100_000],
    ['chat_parallel_calls_half', 50_000],
  ])('makes %s with eight calls of %d characters, whose pieces take turns', (name, length) => {
    const { inputs, callOrder } = chatContent(createRecording(name).messages);
    expect(inputs.map((input) => input.length)).toEqual(Array(8).fill(length));
    expect(callOrder.slice(8, 24)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('cutChunks', () => {
  const { messages } = createRecording('mixed');

  test.each(chunkingNames)('keeps every byte: %s', (chunking) => {
    const bytes = Buffer.concat(cutChunks(messages, chunking));
    expect(bytes.toString('utf8')).toBe(messages.join(''));
  });

  test.each<[ChunkingName, number]>([
    ['16_kib', 16 * 1024],
    ['7_bytes', 7],
  ])('cuts %s into chunks of %d bytes', (chunking, size) => {
    const chunks = cutChunks(messages, chunking);
    expect(new Set(chunks.slice(0, -1).map((chunk) => chunk.length))).toEqual(new Set([size]));
  });

  test('gives each event a chunk of its own', () => {
    expect(cutChunks(messages, 'one_event')).toHaveLength(messages.length);
  });
});

describe('responseOf', () => {
  test('answers with an event stream of these chunks, one a read', async () => {
    const chunks = cutChunks(['data: 1\n\n', 'data: 2\n\n'], 'one_event');
    const response = responseOf(chunks);
    expect(response.headers.get('content-type')).toMatch('text/event-stream');
    const read: unknown[] = [];
    for await (const chunk of response.body ?? []) read.push(chunk);
    expect(read).toEqual(chunks);
  });

  test('waits before each chunk when told to', async () => {
    let waits = 0;
    const response = responseOf(cutChunks(['data: 1\n\n'], 'one_event'), () => {
      waits += 1;
      return Promise.resolve();
    });
    expect(await response.text()).toBe('data: 1\n\n');
    expect(waits).toBe(2);
  });
});
