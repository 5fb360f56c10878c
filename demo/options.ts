import { parseArgs } from 'node:util';

/** The wire formats of the demo, the usual one first. */
export const dialectNames = ['anthropic', 'chat-completions', 'responses', 'gemini'] as const;

/** One of {@link dialectNames}. */
export type DialectName = (typeof dialectNames)[number];

/** What the demo was asked to do. */
export interface DemoOptions {
  readonly dialect: DialectName;
  readonly isLive: boolean;
  readonly withMistakes: boolean;
  /** The model for the real service; undefined for the usual one. */
  readonly model: string | undefined;
  /** How many times faster than a model the local provider writes; 0 for without any pause. */
  readonly speed: number;
  readonly withColor: boolean;
  readonly isHelp: boolean;
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** What `--help` prints. */
export const usageText = `npm run demo -- [options]

Has one conversation with two tool calls: streams an answer with reasoning, sends it back with the tool results, and
shows what the provider says to that. Then sends the same once more with each of the usual mistakes.

  --dialect NAME   anthropic, with the client of Anthropic; chat-completions, with the client of OpenAI and
                   reasoning_details; responses, with the client of OpenAI; or gemini, with the client of Google
                   (anthropic)
  --live           talk to the real service; needs its key, see below
  --mistake        with --live: send the mistakes too (without --live they always are)
  --model NAME     the model for --live (claude-sonnet-4-6, anthropic/claude-sonnet-4.6, gpt-5.4, gemini-3.5-flash)
  --speed N        N times the usual pace; 0 for no pauses (1)
  --no-color       no colour; the same as NO_COLOR=1 in the environment
  --help           this text

Environment for --live, by dialect; without a URL the key goes to the address behind it:

  anthropic         ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL    api.anthropic.com
  chat-completions  OPENROUTER_API_KEY, OPENROUTER_BASE_URL  openrouter.ai
  responses         OPENAI_API_KEY, OPENAI_BASE_URL          api.openai.com
  gemini            GEMINI_API_KEY, GOOGLE_GEMINI_BASE_URL   generativelanguage.googleapis.com

Exit codes: 0 the faithful answer was accepted and the mistakes, if sent, refused; 1 otherwise; 2 wrong use;
130 stopped.
`;

/**
 * Reads the command line.
 *
 * @throws {TypeError} On an option or a dialect that does not exist, or a speed that is no number from 0 up.
 */
export function readOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      dialect: { type: 'string', default: dialectNames[0] },
      live: { type: 'boolean', default: false },
      mistake: { type: 'boolean', default: false },
      model: { type: 'string' },
      speed: { type: 'string', default: '1' },
      'no-color': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const dialect = dialectNames.find((name) => name === values.dialect);
  if (!dialect) throw new TypeError(`--dialect takes ${alternatives.format(dialectNames)}, not '${values.dialect}'`);
  const speed = Number(values.speed);
  if (!(speed >= 0 && speed < Number.POSITIVE_INFINITY) || values.speed.trim() === '') {
    throw new TypeError(`--speed takes a number from 0 up, not '${values.speed}'`);
  }
  return {
    dialect,
    isLive: values.live,
    withMistakes: values.mistake || !values.live,
    model: values.model,
    speed,
    withColor: !values['no-color'],
    isHelp: values.help,
  };
}
