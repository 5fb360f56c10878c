import { type JsonObject, setMember } from '../core/json-object.ts';
import type { JsonSink } from './json-scanner.ts';

/** A JSON value under construction, of which pictures can be taken. */
export interface GrowingValue extends JsonSink {
  /**
   * The value so far; undefined before it begins.
   *
   * What is handed out is never changed afterwards. What did not change since the last call is the same object, and
   * finished containers are shared between all snapshots, so a call copies the open containers and nothing else.
   */
  snapshot(): unknown;
}

/** A container that is not over yet. */
interface OpenContainer {
  /** Its finished members; nobody else sees it before the container is over. */
  readonly value: unknown[] | JsonObject;
  /** The member that comes next or is open; unused in arrays. */
  key: string;
  /** The last snapshot of it, while that still is what a new one would be. */
  shown: unknown[] | JsonObject | undefined;
  /** The value of its open member in `shown`; undefined if there was none. */
  shownMember: unknown;
}

/** Makes a value that a `JsonScanner` can build. */
export function createGrowingValue(): GrowingValue {
  const containers: OpenContainer[] = [];
  let root: unknown;
  let isInString = false;
  let text = '';
  // Half a surrogate pair at the end of the text: shown alone it would be a wrong character.
  let held = '';

  return {
    open(container) {
      const value = container === 'array' ? [] : {};
      containers.push({ value, key: '', shown: undefined, shownMember: undefined });
    },
    close() {
      const container = containers.pop();
      // The last snapshot rather than an equal object: what did not change keeps its identity.
      if (container) add(container.shown ?? container.value);
    },
    key(key) {
      const container = containers.at(-1);
      if (container) container.key = key;
    },
    beginString() {
      isInString = true;
      text = '';
      held = '';
    },
    appendString(more) {
      const isHalf = isHighSurrogate(more.charCodeAt(more.length - 1));
      text += held + (isHalf ? more.slice(0, -1) : more);
      held = isHalf ? more.slice(-1) : '';
    },
    endString() {
      isInString = false;
      add(text + held);
    },
    scalar: add,
    snapshot() {
      let member = isInString ? text : root;
      for (let level = containers.length - 1; level >= 0; level--) {
        const container = containers[level];
        if (container) member = show(container, member);
      }
      return member;
    },
  };

  function add(value: unknown): void {
    const container = containers.at(-1);
    if (!container) {
      root = value;
      return;
    }
    if (container.shownMember !== value) container.shown = undefined;
    container.shownMember = undefined;
    if (Array.isArray(container.value)) container.value.push(value);
    else setMember(container.value, container.key, value);
  }
}

function show(container: OpenContainer, member: unknown): unknown[] | JsonObject {
  if (container.shown === undefined || container.shownMember !== member) {
    container.shown = copyWith(container, member);
    container.shownMember = member;
  }
  return container.shown;
}

function copyWith({ value, key }: OpenContainer, member: unknown): unknown[] | JsonObject {
  if (Array.isArray(value)) return member === undefined ? value.slice() : [...value, member];
  const copy = { ...value };
  if (member !== undefined) setMember(copy, key, member);
  return copy;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
