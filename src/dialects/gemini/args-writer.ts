import type { ArgsContainer, ArgsNode, ArgsText } from './partial-args.ts';

/**
 * Writes the JSON text of arguments while they grow, as far as it is certain.
 *
 * What it has written is the beginning of what `JSON.stringify` makes of the whole, if everything comes in the order of
 * the text. As soon as something does not, it writes no more.
 */
export interface ArgsWriter {
  /** Whether all came in order so far. */
  readonly isInOrder: boolean;
  /** Says that another piece begins: one that is out of order shows nothing at all. */
  beginPiece(): void;
  /** Writes a new child of a container, which is the last of its children. */
  add(parent: ArgsContainer, key: string | number, child: ArgsNode): void;
  /** Writes what a text grew by; `isOver` says that no more of it comes. */
  grow(node: ArgsText, more: string, isOver: boolean): void;
  /** Says that something came out of order. */
  stop(): void;
  /** Hands over what was written since the last call. */
  take(): string;
}

/** Makes the writer for the arguments of one call. */
export function createArgsWriter(root: ArgsContainer): ArgsWriter {
  let written = '';
  let isInOrder = true;
  /** How much was written before the piece that is read. */
  let before = 0;
  /** The containers that are not closed yet, from the root. */
  const open: ArgsContainer[] = [root];
  let openText: ArgsText | undefined;
  /** Half a surrogate pair at the end of a piece: alone it is written otherwise than with its other half. */
  let heldBack = '';

  const writer: ArgsWriter = {
    get isInOrder() {
      return isInOrder;
    },
    beginPiece() {
      before = written.length;
    },
    add(parent, key, child) {
      if (!isInOrder) return;
      if (open[parent.depth] !== parent || !followsIn(parent, key)) return stop();
      closeInside(parent);
      if (root.children.size === 1 && parent === root) written += '{';
      written += (parent.children.size > 1 ? ',' : '') + (typeof key === 'string' ? `${JSON.stringify(key)}:` : '');
      begin(child);
    },
    grow(node, more, isOver) {
      if (openText === node) write(more, isOver);
      else stop();
    },
    stop,
    take() {
      const taken = written;
      written = '';
      return taken;
    },
  };
  return writer;

  function stop(): void {
    if (isInOrder) written = written.slice(0, before);
    isInOrder = false;
    openText = undefined;
  }

  function begin(child: ArgsNode): void {
    if (child.kind === 'scalar') {
      written += JSON.stringify(child.value);
    } else if (child.kind === 'text') {
      written += '"';
      openText = child;
      write(child.text, !child.goesOn);
    } else {
      written += child.kind === 'array' ? '[' : '{';
      open.push(child);
    }
  }

  function write(more: string, isOver: boolean): void {
    const text = heldBack + more;
    heldBack = !isOver && /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
    written += JSON.stringify(text.slice(0, text.length - heldBack.length)).slice(1, -1);
    if (!isOver) return;
    written += '"';
    openText = undefined;
  }

  /** What comes next in a container ends all that is open inside it. */
  function closeInside(container: ArgsContainer): void {
    if (openText) write('', true);
    while (open.length > container.depth + 1) written += open.pop()?.kind === 'array' ? ']' : '}';
  }
}

/** Whether a new child stands last in the text: of an object, members that are whole numbers come first, in order. */
function followsIn(parent: ArgsContainer, key: string | number): boolean {
  if (typeof key === 'number') return key === parent.children.size - 1;
  const index = isIndex(key) ? Number(key) : Number.POSITIVE_INFINITY;
  const follows = index === Number.POSITIVE_INFINITY || index > parent.lastIndex;
  parent.lastIndex = index;
  return follows;
}

/** Whether a name is a whole number, as engines understand it: then it comes before all that are none. */
function isIndex(name: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(name) && Number(name) < 2 ** 32 - 1;
}
