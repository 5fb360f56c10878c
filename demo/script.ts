import { createHmac } from 'node:crypto';

/**
 * One block of a scripted answer, as the model behind every wire has it. Tool input is JSON text, so that its spelling
 * is part of the script.
 */
export type ScriptedBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly inputText: string };

/** One answer of the local provider. */
export interface ScriptedAnswer {
  readonly id: string;
  readonly stopReason: 'tool_use' | 'end_turn';
  readonly blocks: readonly ScriptedBlock[];
}

/** What the person asks; the scripted answers fit it, and the real service can answer it with the demo's tools. */
export const question = 'We are in Tromsø tonight. Are the northern lights worth going out for, and when?';

/**
 * The answers of one conversation, in order.
 *
 * The first has everything that gets lost on the way back: interleaved thinking, a redacted block, two parallel
 * calls, and inputs that `JSON.parse` and `JSON.stringify` together would respell (`3.0`, blanks, an escaped emoji, a
 * number of 20 digits, keys that JavaScript sorts).
 */
export const script: readonly ScriptedAnswer[] = [
  {
    id: 'msg_demo_01',
    stopReason: 'tool_use',
    blocks: [
      thinking(
        'Two facts decide this: how strong the aurora will be, and whether the sky over Tromsø is clear. ' +
          'Neither is known to me, so both have to be looked up.',
      ),
      { type: 'text', text: 'I will look at tonight’s aurora forecast, and at the clouds over Tromsø. 🌌' },
      thinking('At this latitude a Kp of 3 is enough; asking for more would miss good nights.'),
      { type: 'redacted_thinking', data: seal('withheld by the provider') },
      {
        type: 'tool_use',
        id: 'toolu_demo_aurora',
        name: 'aurora_forecast',
        inputText: '{"place": "Tromsø", "kp_at_least": 3.0, "note": "tonight, \\ud83c\\udf0c or a 🌠"}',
      },
      thinking('The clouds do not depend on that answer, so both calls can run side by side.'),
      {
        type: 'tool_use',
        id: 'toolu_demo_clouds',
        name: 'cloud_cover',
        inputText: '{"place":"Tromsø","radius_km":1.0,"station":90210000000000000117,"weights":{"23":0.5,"22":1}}',
      },
    ],
  },
  {
    id: 'msg_demo_02',
    stopReason: 'end_turn',
    blocks: [
      thinking('Kp 4.7 is well above 3, and the gap in the clouds meets the peak at half past ten.'),
      {
        type: 'text',
        text:
          'Yes, go out. The aurora peaks around 22:30 with a Kp of 4.7, and between 22 and 23 o’clock only a tenth ' +
          'of the sky is clouded. Be somewhere dark, away from the harbour, by 22:00.',
      },
    ],
  },
];

/** Thinking, shown or withheld. */
export type ScriptedThought = Extract<ScriptedBlock, { type: 'thinking' | 'redacted_thinking' }>;

/** Thinking that stands side by side, or one other block. */
export type ScriptedStep = { readonly thoughts: ScriptedThought[] } | Exclude<ScriptedBlock, ScriptedThought>;

/** The steps of an answer as a model takes them that thinks before its calls, never between them: the calls last. */
export function stepsOf({ blocks }: ScriptedAnswer): ScriptedStep[] {
  const isCall = ({ type }: ScriptedBlock): boolean => type === 'tool_use';
  const steps: ScriptedStep[] = [];
  for (const block of [...blocks.filter((other) => !isCall(other)), ...blocks.filter(isCall)]) {
    const last = steps.at(-1);
    if (block.type === 'text' || block.type === 'tool_use') steps.push(block);
    else if (last && 'thoughts' in last) last.thoughts.push(block);
    else steps.push({ thoughts: [block] });
  }
  return steps;
}

/** All signatures of thinking that stands side by side, in one text. */
export function sealsOf(thoughts: readonly ScriptedThought[]): string {
  return thoughts.map((thought) => (thought.type === 'thinking' ? thought.signature : thought.data)).join('');
}

function thinking(text: string): ScriptedBlock {
  return { type: 'thinking', thinking: text, signature: seal(text) };
}

/** Looks like a signature, and like one depends on every byte of what it stands for. */
function seal(text: string): string {
  return createHmac('sha512', 'wholeturn demo').update(text).digest('base64');
}
