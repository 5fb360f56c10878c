import { anthropic } from '../../src/anthropic.ts';
import { chatCompletions } from '../../src/chat-completions.ts';
import { gemini } from '../../src/gemini.ts';
import { assembleTurn, type Dialect, type Turn } from '../../src/index.ts';
import { responses } from '../../src/responses.ts';
import { responseOf } from '../chunkings.ts';
import type { Body } from '../peer.ts';
import type { DialectName } from '../streams/stream.ts';

const dialects: Record<DialectName, Dialect> = { anthropic, chatCompletions, responses, gemini };

/**
 * Begins to read a stream with this library.
 *
 * @param wait Waited for before each chunk; without it all chunks are there at once.
 */
export function openTurn({ chunks, dialect }: Body, wait?: () => Promise<void>): Turn<unknown> {
  return assembleTurn(responseOf(chunks, wait), dialects[dialect]);
}
