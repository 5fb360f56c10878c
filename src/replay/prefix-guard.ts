import { type Dialect, requireDialect } from '../core/dialect.ts';
import { finishedPartOf } from '../core/finished-part.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import type { AssembledTurn } from '../core/turn.ts';
import { anthropicPrefix } from './anthropic-prefix.ts';
import type { PrefixFormat, PrefixPrint, TransformationReport } from './bound-prefix.ts';
import { prefixFindings, sentBlocks } from './prefix-changes.ts';
import { type PrefixFinding, reportedFinding } from './prefix-finding.ts';
import { createPrefixMemory, type PrefixMemory } from './prefix-memory.ts';
import { responsesPrefix } from './responses-prefix.ts';

/** Options of {@link prefixGuard}. */
export interface PrefixGuardOptions {
  /** Whether to guard models that are not known to bind their reasoning, too. False by default. */
  readonly force?: boolean | undefined;
  /** The model, where the body names it otherwise: a deployment, an alias. */
  readonly model?: string | undefined;
}

/** Watches over the requests of one conversation. */
export interface PrefixGuard {
  /**
   * Says what of a request is not what it was when the reasoning in it was written, before it is sent; the first change
   * first. Remembers nothing.
   *
   * @param body The whole body of the request.
   */
  check(body: object): readonly PrefixFinding[];
  /**
   * Remembers what the request of a turn looked like, and matches what the provider said of its reasoning.
   *
   * @param body The body that was sent, before anything is appended to it.
   * @param turn The turn that it gave, in whatever way it ended.
   * @throws TypeError for a turn of another dialect.
   */
  remember(body: object, turn: AssembledTurn): void;
  /** What the provider said that it did with reasoning, each once, with the changes that it follows from. */
  readonly findings: readonly PrefixFinding[];
}

const formats: Readonly<Record<string, PrefixFormat>> = { anthropic: anthropicPrefix, responses: responsesPrefix };

/**
 * Makes a guard for one conversation with a model that binds its reasoning to all that stands before it: Claude Fable
 * and Mythos from 5.1, Opus, Sonnet and Haiku from 5.5, GPT from 6.
 *
 * It compares what was sent when reasoning was written with what is about to be sent, names every change by its path,
 * the reasoning that it costs, what the provider does then, and how to do the same by appending.
 *
 * - What is compared is what the providers compare: for Anthropic `system`, `tools` and messages, without
 *   `cache_control`; for Responses items, `tools`, `text.format`, `reasoning.effort`, and before GPT-6.2 `instructions`.
 *   The order of an object's members and the way numbers are written do not count. For tool input, whose text is known,
 *   that is a warning of its own (`prefix_respelled`): whether providers mind is not settled.
 * - It keeps hashes, sizes and names of members and tools, at most 64 for each block, tool and item, and no text of the
 *   bodies. Each call is linear in the body.
 * - Models that do not bind their reasoning give no findings, but for `force`, and for what their provider reports.
 *
 * @example
 * ```ts
 * const guard = prefixGuard(anthropic);
 * for (const { message } of guard.check(body)) console.warn(message);
 * const turn = await assembleTurn(send(body), anthropic).settled();
 * guard.remember(body, turn);
 * ```
 *
 * @throws TypeError for other dialects: an empty guard would promise what it cannot hold, for a Claude model may well
 *   stand behind chat completions.
 *
 * @see https://platform.claude.com/docs/build-with-claude/preserved-thinking/prefix-checks
 * @see https://developers.openai.com/api/docs/guides/keep-prefix-unchanged
 */
export function prefixGuard(dialect: Dialect, { force = false, model }: PrefixGuardOptions = {}): PrefixGuard {
  requireDialect(dialect);
  const format = Object.hasOwn(formats, dialect.name) ? formats[dialect.name] : undefined;
  if (!format) {
    throw new TypeError(
      `What reasoning in ${dialect.name} is bound to is not known. Did you mean anthropic or responses, for the provider's own API?`,
    );
  }
  if (typeof force !== 'boolean') throw new TypeError(`force must be true or false, got ${String(force)}`);
  return createGuard(dialect.name, format, force, model);
}

function createGuard(dialect: string, format: PrefixFormat, force: boolean, model: string | undefined): PrefixGuard {
  const memory = createPrefixMemory();
  const findings: PrefixFinding[] = [];
  const told = new Set<string>();
  let isForced = force;

  return {
    check(body) {
      const request = requestOf(body);
      return isGuarded(modelOf(body)) ? findingsFor(body, request) : [];
    },
    remember(body, turn) {
      if (turn.dialect !== dialect) {
        throw new TypeError(`A turn of ${turn.dialect} does not belong to a guard of ${dialect}.`);
      }
      const request = requestOf(body);
      tell(format.reportsOf(turn), body, request);
      forgetUnsent(memory, request);
      if (isGuarded(modelOf(body)) || isGuarded(turn.model)) note(request, turn);
    },
    get findings() {
      return [...findings];
    },
  };

  function requestOf(body: object): PrefixPrint {
    const asked = stringOf(objectOf(body)['model']);
    return { ...format.read(objectOf(body), model ?? asked), model: asked };
  }

  function modelOf(body: object): string | null {
    return stringOf(objectOf(body)['model']);
  }

  /** A name that does not say what it stands for is guarded if a turn that it gave is. */
  function isGuarded(asked: string | null): boolean {
    if (isForced) return true;
    const known = model ?? asked;
    if (known !== null && format.isBoundModel(known)) return true;
    return asked !== null && memory.turns.some((turn) => turn.model === asked);
  }

  function findingsFor(body: object, request: PrefixPrint): readonly PrefixFinding[] {
    return prefixFindings(format, objectOf(body), request, memory.turns);
  }

  function tell(reports: readonly TransformationReport[], body: object, request: PrefixPrint): void {
    if (reports.length === 0) return;
    const found = findingsFor(body, request);
    for (const report of reports) {
      const block = request.blocks.find(({ path, id }) =>
        report.id === null ? path === report.path : id === report.id,
      );
      // The provider says it again with each request; the block's seal tells whether it is the same one.
      const key = `${report.action} ${report.reason} ${block?.keys.join() ?? report.id ?? report.path}`;
      if (told.has(key)) continue;
      told.add(key);
      findings.push(reportedFinding({ ...report, path: report.path ?? block?.path ?? null }, found, format));
      // Who checks prefixes binds to them, whatever the model is called.
      if (report.reason.startsWith('prefix')) isForced = true;
    }
  }

  function note(request: PrefixPrint, turn: AssembledTurn): void {
    const entries = turn.status === 'complete' ? turn.entries : (finishedPartOf(turn)?.entries ?? []);
    const own = format.read(format.bodyOf(entries), null);
    // A turn without reasoning counts only where the next request may go on from its id.
    if (own.blocks.length > 0 || format.hasChains) memory.note(request, own, turn.turnId);
  }
}

/** Turns whose reasoning is not sent any more cannot be spoilt; the last one may be gone on from by its id. */
function forgetUnsent(memory: PrefixMemory, request: PrefixPrint): void {
  if (request.previousId !== null) return;
  const sent = sentBlocks(memory.turns, request);
  memory.forget((turn) => (sent.get(turn)?.length ?? 0) > 0);
}

function objectOf(body: object): JsonObject {
  return isJsonObject(body) ? body : {};
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
