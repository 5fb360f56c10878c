import type Anthropic from '@anthropic-ai/sdk';
import { createParser } from 'eventsource-parser';
import { concatMap, EMPTY, filter, from, lastValueFrom, map, type Observable, scan, share, tap } from 'rxjs';
import type { UiEvent } from '../../src/core/turn-event.ts';
import { type Chunk, responseOf } from '../chunkings.ts';
import type { Peer } from '../peer.ts';
import { createTally } from './tally.ts';

interface NaiveBlock {
  readonly text: string;
  readonly input: string;
}

interface NaiveTurn {
  readonly blocks: readonly NaiveBlock[];
  readonly event?: UiEvent | undefined;
}

/**
 * The chain that comes to mind first: an operator for each step, a new turn for each event. It is the control: a
 * bench that cannot tell it from the floor measures something else.
 */
export const naiveChain: Peer = async ({ chunks }) => {
  const tally = createTally();
  const turns = chunksOf(responseOf(chunks)).pipe(
    map(decodeWith(new TextDecoder())),
    concatMap(splitIntoMessages()),
    filter((data) => data !== '[DONE]'),
    concatMap((data) => from([parse(data)])),
    scan(reduceTurn, { blocks: [] }),
    share(),
  );
  const events = turns.pipe(
    map((turn) => turn.event),
    filter((event) => event !== undefined),
    tap(tally.add),
  );
  const [{ blocks }] = await Promise.all([lastValueFrom(turns), lastValueFrom(events)]);
  return () => ({
    textLength: blocks.reduce((length, block) => length + block.text.length, 0),
    inputLength: blocks.reduce((length, block) => length + block.input.length, 0),
    blocks: blocks.length,
    shownLength: tally.shownLength(),
  });
};

function chunksOf({ body }: Response): Observable<Chunk> {
  const chunks: AsyncIterable<Chunk> | null = body;
  return chunks ? from(chunks) : EMPTY;
}

function decodeWith(decoder: TextDecoder): (chunk: Chunk) => string {
  return (chunk) => decoder.decode(chunk, { stream: true });
}

function splitIntoMessages(): (text: string) => Observable<string> {
  let messages: string[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message.data) });
  return (text) => {
    messages = [];
    parser.feed(text);
    return from(messages);
  };
}

function parse(data: string): Anthropic.RawMessageStreamEvent {
  return JSON.parse(data);
}

function reduceTurn({ blocks }: NaiveTurn, wire: Anthropic.RawMessageStreamEvent): NaiveTurn {
  if (wire.type === 'content_block_start') return { blocks: [...blocks, { text: '', input: '' }] };
  if (wire.type !== 'content_block_delta') return { blocks };
  const { index, delta } = wire;
  const change = (text: string, input: string): readonly NaiveBlock[] =>
    blocks.map((block, at) =>
      at === index ? { ...block, text: block.text + text, input: block.input + input } : block,
    );
  switch (delta.type) {
    case 'text_delta':
      return { blocks: change(delta.text, ''), event: { type: 'text_delta', index, text: delta.text } };
    case 'thinking_delta':
      return { blocks: change(delta.thinking, ''), event: { type: 'reasoning_delta', index, text: delta.thinking } };
    case 'input_json_delta':
      return {
        blocks: change('', delta.partial_json),
        event: { type: 'tool_input_delta', index, json: delta.partial_json },
      };
    default:
      return { blocks };
  }
}
