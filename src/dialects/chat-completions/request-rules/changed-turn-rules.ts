import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { type HistoryRule, type RequestContext, refused, spoiled } from '../../../core/request-rule.ts';
import { answersOf, familyOf, isGiven, openCycle, type PlacedMessage, textOf } from './history.ts';

const source = 'Anannas: preserving reasoning blocks; Thinking blocks in the tool loop';
const reasoningFields = ['reasoning', 'reasoning_content', 'reasoning_text'];

/** The members of an entry that the model generated, or the service sealed. */
const contentMembers = ['type', 'text', 'signature', 'summary', 'data'];

/** The rules of what was assembled and goes back, and of what changes from one request to the next. */
export const changedTurnRules: readonly HistoryRule[] = [
  {
    code: 'reasoning_details_edited',
    source,
    *find(body, context) {
      const cycle = new Set(openCycle(body).map(({ path }) => path));
      for (const { message, came } of replayedTurns(body, context)) {
        const [sent, original] = [detailsOf(message.native), detailsOf(came)];
        if (sent.length === 0 || original.length === 0 || essence(sent) === essence(original)) continue;
        const isChecked = familyOf(body) === 'claude' && cycle.has(message.path);
        yield (isChecked ? refused : spoiled)(
          `${message.path}.reasoning_details`,
          'The entire sequence of consecutive reasoning blocks must match what the model generated: it was rearranged or modified. Send the list as it came.',
        );
      }
    },
  },
  {
    code: 'reasoning_edited',
    source: 'DeepSeek: thinking mode; Moonshot: thinking models',
    *find(body, context) {
      for (const { message, came } of replayedTurns(body, context)) {
        const name = reasoningFields.find(
          (member) => typeof message.native[member] === 'string' && isChanged(message.native, came, member),
        );
        if (name !== undefined)
          yield spoiled(
            `${message.path}.${name}`,
            'This is not the reasoning that came: the model goes on from what it did not think. Send it as it came.',
          );
      }
    },
  },
  {
    code: 'reasoning_dropped',
    source,
    *find(body, context) {
      const cycle = new Set(openCycle(body).map(({ path }) => path));
      for (const { message, came } of replayedTurns(body, context)) {
        if (!cycle.has(message.path) || !hasReasoning(came) || hasReasoning(message.native)) continue;
        yield spoiled(
          message.path,
          'This turn came with reasoning and goes back without it while its tool cycle is open: a 400, or the model has lost its plan and repeats itself. Send the message as it came.',
        );
      }
    },
  },
  {
    code: 'tool_arguments_edited',
    source: 'OpenAI: function calling',
    *find(body, context) {
      for (const { message, came } of replayedTurns(body, context)) {
        const original = new Map(callsOf(came).map((call) => [call['id'], argumentsOf(call)]));
        for (const { id, native, path } of message.calls) {
          const args = original.get(id);
          if (args === undefined || args === argumentsOf(native)) continue;
          yield spoiled(
            `${path}.function.arguments`,
            'The arguments are not the text that came: numbers or the order of keys changed, and the cached prefix is lost. Send the raw text.',
          );
        }
      }
    },
  },
  {
    code: 'reasoning_changed_in_cycle',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find(body, { previous }) {
      const path = previous && changedSetting(previous, body);
      if (path === undefined || openCycle(body).length === 0) return;
      yield spoiled(
        path,
        'Reasoning is configured anew in the middle of a tool cycle: it may be disabled for this request without a word. Change it on the next user turn, when the cycle is closed.',
      );
    },
  },
  {
    code: 'reasoning_change_loses_cache',
    source: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
    *find(body, { previous }) {
      const path = previous && changedSetting(previous, body);
      if (path === undefined) return;
      yield spoiled(
        path,
        'Changing effort, budget or mode of reasoning invalidates the prompt cache: the history is read anew, at full price. Pick one for the conversation.',
      );
    },
  },
];

/** A message that was assembled here, as it came and as it is sent. */
interface ReplayedTurn {
  readonly message: PlacedMessage;
  readonly came: JsonObject;
}

function* replayedTurns(body: JsonObject, { turns = [] }: RequestContext): Iterable<ReplayedTurn> {
  const entryOf = new Map<string, JsonObject>();
  for (const entry of turns.flatMap(({ entries }) => entries).filter(isJsonObject)) {
    for (const key of keysOf(entry)) entryOf.set(key, entry);
  }
  for (const message of answersOf(body)) {
    const came = keysOf(message.native)
      .map((key) => entryOf.get(key))
      .find((entry) => entry !== undefined);
    if (came) yield { message, came };
  }
}

/** What tells a message from others: the ids of its calls; its text where it has none. */
function keysOf(message: JsonObject): readonly string[] {
  const calls = callsOf(message);
  if (calls.length > 0) return calls.map(({ id }) => `call ${textOf(id)}`);
  const text = textOf(message['content']);
  return text.trim() === '' ? [] : [`text ${text}`];
}

function callsOf({ tool_calls: calls }: JsonObject): readonly JsonObject[] {
  return Array.isArray(calls) ? calls.filter(isJsonObject) : [];
}

function argumentsOf({ function: fn }: JsonObject): unknown {
  return isJsonObject(fn) ? fn['arguments'] : undefined;
}

function detailsOf({ reasoning_details: details }: JsonObject): readonly unknown[] {
  return Array.isArray(details) ? details : [];
}

function hasReasoning(message: JsonObject): boolean {
  return detailsOf(message).length > 0 || reasoningFields.some((name) => textOf(message[name]) !== '');
}

function isChanged(sent: JsonObject, came: JsonObject, name: string): boolean {
  return typeof came[name] === 'string' && sent[name] !== came[name];
}

/** What counts of entries, in their order; of id, index and format gateways take others, and none: recorded. */
function essence(details: readonly unknown[]): string {
  return JSON.stringify(
    details.map((detail) =>
      isJsonObject(detail) ? contentMembers.map((name) => (isGiven(detail[name]) ? detail[name] : '')) : detail,
    ),
  );
}

/** The first setting of reasoning that differs; undefined where none does. What is shown of it does not count. */
function changedSetting(previous: JsonObject, body: JsonObject): string | undefined {
  const settings = ['reasoning', 'reasoning_effort', 'thinking', 'enable_thinking'];
  return settings.find((name) => settingText(previous[name]) !== settingText(body[name]));
}

function settingText(value: unknown): string {
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const { exclude: _exclude, summary: _summary, display: _display, ...rest } = value;
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
}
