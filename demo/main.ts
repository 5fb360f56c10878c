import process from 'node:process';
import { type AssembledTurn, HttpStatusError, stringifyRequest } from '../src/index.ts';
import { anthropicWire } from './anthropic/wire.ts';
import { chatCompletionsWire } from './chat-completions/wire.ts';
import { listBlocks } from './compare.ts';
import { geminiWire } from './gemini/wire.ts';
import { ask, type Conversation, converse } from './loop.ts';
import { type DemoOptions, readOptions, usageText } from './options.ts';
import { createProvider, type ProviderOptions } from './provider.ts';
import { rawElements } from './raw-json.ts';
import { createReport, type Report } from './report.ts';
import { responsesWire } from './responses/wire.ts';
import { question } from './script.ts';
import type { Service } from './service.ts';
import { type Look, showTurn } from './show-turn.ts';
import type { Wire } from './wire.ts';

/** What all ways of running the demo have in common. */
interface Setting {
  readonly options: DemoOptions;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly show: Conversation<unknown>['show'];
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
  const exitCode = await runDialect({ options, report, signal, show: (events) => showTurn(events, look) });
  return signal.aborted ? 130 : exitCode;
}

function runDialect(setting: Setting): Promise<number> {
  switch (setting.options.dialect) {
    case 'anthropic':
      return run(anthropicWire, setting);
    case 'chat-completions':
      return run(chatCompletionsWire, setting);
    case 'responses':
      return run(responsesWire, setting);
    case 'gemini':
      return run(geminiWire, setting);
  }
}

function run<Entry>(wire: Wire<Entry>, setting: Setting): Promise<number> {
  return setting.options.isLive ? runLive(wire, setting) : runLocal(wire, setting);
}

async function runLocal<Entry>({ service, connect }: Wire<Entry>, setting: Setting): Promise<number> {
  const { report, options, signal, show } = setting;
  const onRequest: ProviderOptions['onRequest'] = ({ blocks }) => report.blocks(blocks);
  const provider = await createProvider({ service, speed: options.speed, onRequest });
  report.heading(`A local provider listens on ${provider.url}`);
  try {
    const client = connect({ baseURL: provider.url, apiKey: 'local', model: 'local-model', maxRetries: 0 });
    const onSend = (history: readonly Entry[]): void => announce(history, service, report);
    return await tell({ client, signal, show, onSend }, setting);
  } finally {
    await provider.close();
  }
}

async function runLive<Entry>({ live, service, connect }: Wire<Entry>, setting: Setting): Promise<number> {
  const { report, options, signal, show } = setting;
  const apiKey = process.env[live.keyVariable];
  if (!apiKey) {
    process.stderr.write(`--live needs a key in the environment variable ${live.keyVariable}.\n`);
    return 2;
  }
  const onSend = (history: readonly Entry[]): void => {
    announce(history, service, report);
    // The real service does not say what it compared, so the blocks come without a mark.
    report.blocks(blocksIn(history, service));
  };
  const baseURL = process.env[live.urlVariable] || live.url;
  const client = connect({ baseURL, apiKey, model: options.model ?? live.model });
  return tell({ client, signal, show, onSend }, setting);
}

/** What the demo is for: the answer goes back and is accepted; with a usual mistake it is refused. */
async function tell<Entry>(conversation: Conversation<Entry>, { report, options, signal }: Setting): Promise<number> {
  report.quote(question);
  const { turn, firstReplay } = await converse(conversation, question);
  if (turn.status !== 'complete' || !firstReplay) {
    report.verdict(false, turn.error?.message ?? 'The model called no tool, so nothing went back.');
    return 1;
  }
  report.verdict(true, 'Accepted: the answer went back as it came, and the conversation went on.');

  let exitCode = 0;
  for (const { title, make } of options.withMistakes ? conversation.client.mistakes : []) {
    if (signal.aborted) break;
    report.heading(`The same once more, with the usual mistake: ${title}`);
    const mistaken = await ask(conversation, make(firstReplay));
    const refusal = refusalOf(mistaken);
    report.verdict(refusal !== null, refusal ?? `Not refused: the turn is ${mistaken.status}.`);
    if (refusal === null) exitCode = 1;
  }
  return exitCode;
}

function announce({ length }: readonly unknown[], { history: { unit } }: Service, report: Report): void {
  report.heading(length === 1 ? `Request with 1 ${unit}` : `Request with ${length} ${unit}s; of the answer goes back:`);
}

function blocksIn(history: readonly unknown[], service: Service): ReturnType<typeof listBlocks> {
  return listBlocks(service.readMessages(rawElements(stringifyRequest(history))));
}

/** What the provider said, which is for the program; a person sees that the turn failed. */
function refusalOf({ error }: AssembledTurn): string | null {
  return error instanceof HttpStatusError && error.status === 400 ? `Refused, as it had to be. ${error.message}` : null;
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
