import process from 'node:process';
import { type AssembledTurn, HttpStatusError } from '../src/index.ts';
import { createClient } from './client.ts';
import { ask, type Conversation, converse, onlyToolCalls } from './loop.ts';
import { type DemoOptions, readOptions, usageText } from './options.ts';
import { createProvider } from './provider.ts';
import { blocksOf, createReport, type Report } from './report.ts';
import { question } from './script.ts';
import { type Look, showTurn } from './show-turn.ts';

/** What both ways of running the demo have in common. */
interface Setting {
  readonly options: DemoOptions;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly show: Conversation['show'];
}

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const options = tryReadOptions(args);
  if (options === undefined) return 2;
  if (options.isHelp) {
    process.stdout.write(usageText);
    return 0;
  }
  const look = lookOf(options);
  const report = createReport({ withColor: look.withColor, write: (text) => process.stdout.write(text) });
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  const { signal } = interrupt;
  const setting: Setting = { options, report, signal, show: (events) => showTurn(events, look) };
  const exitCode = await (options.isLive ? runLive(setting) : runLocal(setting));
  return signal.aborted ? 130 : exitCode;
}

async function runLocal(setting: Setting): Promise<number> {
  const { report, options, signal, show } = setting;
  const provider = await createProvider({ speed: options.speed, onRequest: ({ blocks }) => report.blocks(blocks) });
  report.heading(`A local provider listens on ${provider.url}`);
  try {
    const client = createClient({ baseURL: provider.url, apiKey: 'local', authToken: null, maxRetries: 0 });
    const onSend = (messages: readonly unknown[]): void => announce(messages, report);
    return await tell({ client, model: 'claude-local', signal, show, onSend }, setting);
  } finally {
    await provider.close();
  }
}

async function runLive(setting: Setting): Promise<number> {
  const { report, options, signal, show } = setting;
  const apiKey = process.env['ANTHROPIC_API_KEY'];
  if (!apiKey) {
    process.stderr.write('--live needs a key in the environment variable ANTHROPIC_API_KEY.\n');
    return 2;
  }
  const onSend: Conversation['onSend'] = (messages) => {
    announce(messages, report);
    // The real service does not say what it compared, so the blocks come without a mark.
    report.blocks(blocksOf(messages));
  };
  return tell({ client: createClient({ apiKey }), model: options.model, signal, show, onSend }, setting);
}

/** What the demo is for: the answer goes back and is accepted; with the usual mistake it is refused. */
async function tell(conversation: Conversation, { report, options, signal }: Setting): Promise<number> {
  report.quote(question);
  const { turn, firstReplay } = await converse(conversation, question);
  if (turn.status !== 'complete' || !firstReplay) {
    report.verdict(false, turn.error?.message ?? 'The model called no tool, so nothing went back.');
    return 1;
  }
  report.verdict(true, 'Accepted: the answer went back as it came, and the conversation went on.');
  if (!options.withMistake || signal.aborted) return 0;

  report.heading('The same once more, with the usual mistake: of the answer only the tool calls are kept');
  const mistaken = await ask(conversation, onlyToolCalls(firstReplay));
  const isRefused = isRefusal(mistaken);
  report.verdict(isRefused, isRefused ? 'Refused, as it had to be.' : `Not refused: the turn is ${mistaken.status}.`);
  return isRefused ? 0 : 1;
}

function announce(messages: readonly unknown[], report: Report): void {
  const { length } = messages;
  report.heading(length === 1 ? 'Request with 1 message' : `Request with ${length} messages; of the answer goes back:`);
}

function isRefusal({ error }: AssembledTurn): boolean {
  return error instanceof HttpStatusError && error.status === 400;
}

/** @see https://no-color.org */
function lookOf({ withColor }: DemoOptions): Look {
  const { NO_COLOR: noColor = '', TERM: terminal } = process.env;
  const isLive = process.stdout.isTTY === true && terminal !== 'dumb';
  return { isLive, withColor: isLive && withColor && noColor === '' };
}

function tryReadOptions(args: readonly string[]): DemoOptions | undefined {
  try {
    return readOptions(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usageText}`);
    return undefined;
  }
}
