import { Stream } from 'openai-7/core/streaming';
import { accumulateResponse } from 'openai-7/lib/responses/ResponseAccumulator';
import type { Response as ModelResponse, ResponseStreamEvent } from 'openai-7/resources/responses/responses';
import { responseOf } from '../chunkings.ts';
import type { Outcome, Peer } from '../peer.ts';

/** The official SDK's reader of events, and its `accumulateResponse` for each of them. No request, no listener. */
export const openaiAccumulator: Peer = async ({ chunks }) => {
  let response: ModelResponse | undefined;
  const events = Stream.fromSSEResponse<ResponseStreamEvent>(responseOf(chunks), new AbortController());
  for await (const event of events) response = accumulateResponse(event, response);
  return () => responseOutcome(response);
};

/** Measures the output of a completed response; another has none. */
function responseOutcome(response: ModelResponse | undefined): Outcome {
  const output = response?.status === 'completed' ? response.output : [];
  const texts = output.flatMap((item) => {
    if (item.type === 'reasoning') return item.summary.map(({ text }) => text);
    if (item.type !== 'message') return [];
    return item.content.map((part) => (part.type === 'output_text' ? part.text : part.refusal));
  });
  const inputs = output.flatMap((item) => (item.type === 'function_call' ? item.arguments : []));
  return {
    textLength: texts.reduce((length, text) => length + text.length, 0),
    inputLength: inputs.reduce((length, input) => length + input.length, 0),
    blocks: output.length,
  };
}
