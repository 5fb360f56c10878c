import { lastValueFrom } from 'rxjs';
import { createTranscript, type LoopEvent, type Transcript, toolLoop } from '../../src/index.ts';
import type { ScriptedBlock, ScriptedTurn } from '../../src/testing.ts';
import type { Side, Where } from './sides.ts';

/** A script of some tool turns, one to three calls each, and an answer. */
export function longScript(cycles: number): (request: Request, turnNumber: number) => ScriptedTurn {
  return (_request, turn) => {
    if (turn > cycles) return [{ reasoning: 'That is enough.' }, { text: 'It rains, and the tide is low.' }];
    const calls = Array.from({ length: 1 + (turn % 3) }, (_, at): ScriptedBlock[] => [
      ...(at === 1 ? [{ reasoning: `And the tides of ${turn}, side by side.` }] : []),
      { call: ['weather', 'tides', 'roads'][at] ?? '', input: `{"city": "Harlow ${turn}", "radius": 1.0}` },
    ]);
    return [
      { reasoning: `Turn ${turn}: look it up, and then say it.` },
      ...(turn % 5 === 0 ? [{ redacted: `withheld ${turn}` }] : []),
      ...(turn % 2 === 0 ? [{ text: `I look it up, for the ${turn}. time. ` }] : []),
      ...calls.flat(),
    ];
  };
}

/** Runs the tool loop with the official client to its end. */
export async function runLoop<Entry, Item>(
  side: Side<Entry, Item>,
  where: Where,
  maxTurns: number,
): Promise<{ readonly last: LoopEvent<Entry>; readonly transcript: Transcript<Entry, Item> }> {
  const { dialect } = side;
  const transcript = createTranscript(dialect);
  transcript.user('What is the weather in Harlow?');
  const tool = ({ city }: { city: string }): string => `Rain in ${city}`;
  const loop = toolLoop({
    dialect,
    transcript,
    tools: { weather: tool, tides: tool, roads: tool },
    maxTurns,
    send: (entries, { signal }) => side.open(entries, where, signal),
  });
  return { last: await lastValueFrom(loop), transcript };
}
