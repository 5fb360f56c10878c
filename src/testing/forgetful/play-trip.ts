import { lastValueFrom } from 'rxjs';
import type { JsonObject } from '../../core/json-object.ts';
import { anthropic } from '../../dialects/anthropic/anthropic.ts';
import { toolLoop } from '../../loop/tool-loop.ts';
import { createTranscript } from '../../replay/transcript.ts';
import type { RunContext, RunOutcome } from '../compare-replay.ts';
import { isUseful, type ModelTurn, nextTurn } from './forgetful-model.ts';
import type { TripTask } from './tasks.ts';

/** Runs one trip with the forgetful model, in the real tool loop, over its real wire format; without a network. */
export async function playTrip(task: TripTask, { prepare }: Pick<RunContext, 'prepare'>): Promise<RunOutcome> {
  const transcript = createTranscript(anthropic);
  transcript.user(task.question);
  let toolCalls = 0;
  const loop = toolLoop({
    dialect: anthropic,
    transcript,
    tools: {
      search: ({ by }: { by: string }) => {
        toolCalls += 1;
        return `Three trips fit by ${by}.`;
      },
    },
    send: (entries, { turnNumber }) => eventStream(nextTurn(task, prepare(entries)), turnNumber),
  });
  const end = await lastValueFrom(loop);
  const turn = end.type === 'loop_stop' ? end.turn : undefined;
  const text = turn?.blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('') ?? '';
  return { toolCalls, isComplete: isUseful(task, text) };
}

/** The model's turn as the service would stream it. */
function eventStream({ thinking, call, text }: ModelTurn, turnNumber: number): Response {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: `msg_${turnNumber}`, role: 'assistant', model: 'forgetful', content: [], usage };
  const said = call
    ? block(
        1,
        { type: 'tool_use', id: `toolu_${turnNumber}`, name: call.name, input: {} },
        {
          type: 'input_json_delta',
          partial_json: JSON.stringify(call.input),
        },
      )
    : block(1, { type: 'text', text: '' }, { type: 'text_delta', text });
  const events: JsonObject[] = [
    { type: 'message_start', message },
    ...block(0, { type: 'thinking', thinking: '', signature: 'scripted' }, { type: 'thinking_delta', thinking }),
    ...said,
    { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  const body = events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function block(index: number, begun: JsonObject, delta: JsonObject): JsonObject[] {
  return [
    { type: 'content_block_start', index, content_block: begun },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
}
