import { parseArgs } from 'node:util';

/** What the demo was asked to do. */
export interface DemoOptions {
  readonly isLive: boolean;
  readonly withMistake: boolean;
  readonly model: string;
  /** How many times faster than a model the local provider writes; 0 for without any pause. */
  readonly speed: number;
  readonly withColor: boolean;
  readonly isHelp: boolean;
}

/** What `--help` prints. */
export const usageText = `npm run demo -- [options]

Has one conversation with two tool calls: streams an answer with thinking, sends it back with the tool results, and
shows what the provider says to that. Then sends the same once more with the usual mistake, only the tool calls kept.

  --live           talk to the real service, or to ANTHROPIC_BASE_URL; needs ANTHROPIC_API_KEY
  --mistake        with --live: send the mistake too (without --live it always is)
  --model NAME     the model for --live (claude-sonnet-4-6)
  --speed N        N times the usual pace; 0 for no pauses (1)
  --no-color       no colour; the same as NO_COLOR=1 in the environment
  --help           this text

Exit codes: 0 the faithful answer was accepted and the mistake, if sent, refused; 1 otherwise; 2 wrong use;
130 stopped.
`;

/**
 * Reads the command line.
 *
 * @throws {TypeError} On an option that does not exist, or a speed that is no number from 0 up.
 */
export function readOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      live: { type: 'boolean', default: false },
      mistake: { type: 'boolean', default: false },
      model: { type: 'string', default: 'claude-sonnet-4-6' },
      speed: { type: 'string', default: '1' },
      'no-color': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const speed = Number(values.speed);
  if (!(speed >= 0 && speed < Number.POSITIVE_INFINITY) || values.speed.trim() === '') {
    throw new TypeError(`--speed takes a number from 0 up, not '${values.speed}'`);
  }
  return {
    isLive: values.live,
    withMistake: values.mistake || !values.live,
    model: values.model,
    speed,
    withColor: !values['no-color'],
    isHelp: values.help,
  };
}
