import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type HistoryRule, type RequestContext, spoiled } from '../../../core/request-rule.ts';
import {
  blocksBy,
  idOf,
  isServerCall,
  isThinking,
  messagesOf,
  openCycle,
  type PlacedBlock,
  type PlacedMessage,
  placedBlocks,
  textOf,
} from './history.ts';
import { byClaude } from './thinking-mode.ts';

const unmodified =
  '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.';

/** The rules of what was assembled and goes back: it must be what came. */
export const changedTurnRules: readonly HistoryRule[] = [
  {
    code: 'thinking_edited',
    source:
      "Return Claude's Thinking Blocks or Your Agent Breaks; Thinking blocks in the tool loop; Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks",
    *find(body, context) {
      const texts = new Map<string, string>();
      const signatures = new Map<string, string>();
      for (const { native } of assembledBlocks(context).filter(({ type }) => type === 'thinking')) {
        texts.set(textOf(native['signature']), textOf(native['thinking']));
        signatures.set(textOf(native['thinking']), textOf(native['signature']));
      }
      for (const { type, path, native } of blocksBy('assistant', body)) {
        const [text, signature] = [textOf(native['thinking']), textOf(native['signature'])];
        const came = texts.get(signature);
        const signed = signatures.get(text);
        if (type !== 'thinking' || came === text || (came === undefined && (signed === undefined || text === '')))
          continue;
        if (came === '')
          yield spoiled(
            path,
            'The service omitted the text of this block, and ignores what stands there now. Send "".',
          );
        else yield* byClaude(body, path, `${unmodified} Send this block byte for byte as it came.`);
      }
    },
  },
  {
    code: 'thinking_moved',
    source: "Return Claude's Thinking Blocks or Your Agent Breaks; Thinking blocks in the tool loop",
    *find(body, context) {
      const active = activeMessages(body);
      for (const { message, came, sent } of replayedTurns(body, context)) {
        if (!came.some(isThinking) || !sent.some(isThinking) || isSameOrder(came, sent)) continue;
        const path = sent.find((block, at) => keyOf(block) !== keyOf(came[at]))?.path ?? message.path;
        const advice = 'Send the blocks of the turn all, in their order, and those of no other turn beside them.';
        if (active.has(message.path)) yield* byClaude(body, path, `${unmodified} ${advice}`);
        else yield spoiled(path, `The blocks of this turn are not those that came, or in another order. ${advice}`);
      }
    },
  },
  {
    code: 'thinking_dropped',
    source: "Thinking blocks in the tool loop; Return Claude's Thinking Blocks or Your Agent Breaks",
    *find(body, context) {
      const cycle = new Set(openCycle(body).map(({ path }) => path));
      for (const { message, came, sent } of replayedTurns(body, context)) {
        if (!cycle.has(message.path) || !came.some(isThinking) || sent.some(isThinking)) continue;
        yield spoiled(
          message.path,
          'This turn came with thinking and goes back without it while its tool cycle is open: a 400, or the model has lost its plan and repeats itself. Append the whole content of the turn.',
        );
      }
    },
  },
  {
    code: 'thinking_repeated',
    source: 'Anthropic: extended thinking',
    *find(body) {
      const seen = new Set<string>();
      for (const block of blocksBy('assistant', body).filter(isThinking)) {
        const key = keyOf(block);
        if (key !== undefined && seen.has(key))
          yield spoiled(
            block.path,
            'This very block stands there before. A thinking block belongs to one turn; send it once.',
          );
        if (key !== undefined) seen.add(key);
      }
    },
  },
];

/** The blocks of all turns that were assembled, as they go back. */
function assembledBlocks({ turns = [] }: RequestContext): readonly PlacedBlock[] {
  return turns.flatMap(({ entries }) => entries.flatMap(blocksOfEntry));
}

function blocksOfEntry(entry: unknown): readonly PlacedBlock[] {
  return isJsonObject(entry) ? placedBlocks(entry['content'], '') : [];
}

/** An assistant message that was assembled here: the blocks that can be told apart, as they came and as they are sent. */
interface ReplayedTurn {
  readonly message: PlacedMessage;
  readonly came: readonly PlacedBlock[];
  readonly sent: readonly PlacedBlock[];
}

function* replayedTurns(body: JsonObject, { turns = [] }: RequestContext): Iterable<ReplayedTurn> {
  const turnOf = new Map<string, readonly PlacedBlock[]>();
  for (const entry of turns.flatMap(({ entries }) => entries)) {
    const came = blocksOfEntry(entry).filter((block) => keyOf(block) !== undefined);
    for (const block of came) turnOf.set(keyOf(block) ?? '', came);
  }
  for (const message of messagesOf(body)) {
    if (message.role !== 'assistant') continue;
    const sent = message.blocks.filter((block) => keyOf(block) !== undefined);
    const known = sent.find((block) => turnOf.has(keyOf(block) ?? ''));
    const came = known && turnOf.get(keyOf(known) ?? '');
    if (came) yield { message, came, sent };
  }
}

/** What tells a block from all others; undefined where nothing does. */
function keyOf(block: PlacedBlock | undefined): string | undefined {
  if (!block) return undefined;
  const { type, native } = block;
  const mark = isThinking(block)
    ? textOf(native['signature'] ?? native['data'])
    : type === 'tool_use' || isServerCall(type)
      ? idOf(block)
      : '';
  return mark === '' ? undefined : `${type} ${mark}`;
}

function isSameOrder(came: readonly PlacedBlock[], sent: readonly PlacedBlock[]): boolean {
  return came.length === sent.length && came.every((block, at) => keyOf(block) === keyOf(sent[at]));
}

/** The messages whose thinking the service checks: those of the open cycle, and the latest one. */
function activeMessages(body: JsonObject): ReadonlySet<string> {
  const latest = messagesOf(body).findLast(({ role }) => role === 'assistant');
  return new Set([...openCycle(body), ...(latest ? [latest] : [])].map(({ path }) => path));
}
