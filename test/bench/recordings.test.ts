import { describe, expect, test } from 'vitest';
import { type ChunkingName, chunkingNames, cutChunks, responseOf } from '../../bench/chunkings.ts';
import { createRecording, type RecordingName, recordingNames } from '../../bench/recordings.ts';

/** What the messages hold, read without the recording's own bookkeeping. */
function contentOf(messages: readonly string[]) {
  const wires = messages.map((message) => JSON.parse(message.split('\n')[1]?.replace('data: ', '') ?? ''));
  const deltas = wires.filter((wire) => wire.type === 'content_block_delta').map((wire) => wire.delta);
  const inputs = new Map<number, string>();
  for (const { index, delta } of wires) {
    if (delta?.type === 'input_json_delta') inputs.set(index, (inputs.get(index) ?? '') + delta.partial_json);
  }
  return {
    types: wires.map((wire): string => wire.type),
    text: deltas.map((delta): string => delta.text ?? delta.thinking ?? '').join(''),
    signatures: deltas.filter((delta) => delta.type === 'signature_delta').length,
    pieces: deltas.flatMap((delta): string | [] => delta.partial_json ?? []),
    inputs: [...inputs.values()],
  };
}

describe.each(recordingNames)('createRecording(%s)', (name) => {
  const recording = createRecording(name);
  const content = contentOf(recording.messages);

  test('makes the same stream each time', () => {
    expect(createRecording(name)).toEqual(recording);
  });

  test('makes valid SSE messages, each named as its type and closed by a blank line', () => {
    const malformed = recording.messages.filter((message, place) => {
      const [, type] = /^event: (\w+)\ndata: \{.*\}\n\n$/.exec(message) ?? [];
      return type !== content.types[place];
    });
    expect(malformed).toEqual([]);
  });

  test('begins and ends as a turn does', () => {
    expect(content.types[0]).toBe('message_start');
    expect(content.types.slice(-2)).toEqual(['message_delta', 'message_stop']);
    expect(content.types.filter((type) => type === 'content_block_start')).toHaveLength(recording.blocks);
    expect(content.types.filter((type) => type === 'content_block_stop')).toHaveLength(recording.blocks);
  });

  test('holds what it declares', () => {
    expect(content.text).toHaveLength(recording.textLength);
    expect(content.inputs.join('')).toHaveLength(recording.inputLength);
    expect(content.pieces).toEqual(recording.inputPieces);
  });

  test('has tool inputs that are compact JSON objects', () => {
    for (const input of content.inputs) expect(JSON.stringify(JSON.parse(input))).toBe(input);
  });

  test('sends tool input in pieces of 8 to 20 characters behind an empty one', () => {
    const lengths = new Set(content.pieces.map((piece) => piece.length));
    const ends = content.inputs.length;
    const odd = content.pieces.filter((piece) => piece.length < 8 || piece.length > 20);
    // The empty piece that begins an input, and the rest that ends it.
    expect(odd.filter((piece) => piece === '')).toHaveLength(ends);
    expect(odd.length).toBeLessThanOrEqual(2 * ends);
    expect(lengths.has(20)).toBe(ends > 0);
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
    const text = contentOf(createRecording('text').messages);
    const thinking = contentOf(createRecording('thinking').messages);
    expect(text.types.filter((type) => type === 'content_block_delta')).toHaveLength(20_000);
    expect(thinking.types.filter((type) => type === 'content_block_delta')).toHaveLength(20_000 + 1 + 4);
    expect(thinking.signatures).toBe(1);
  });

  test('mixes thinking, text that is not all ASCII, and three tools', () => {
    const mixed = contentOf(createRecording('mixed').messages);
    expect(mixed.signatures).toBe(1);
    expect(mixed.text).toMatch(/\p{Extended_Pictographic}/u);
    expect(mixed.inputs.map((input) => input.length)).toEqual([2600, 2600, 2600]);
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
