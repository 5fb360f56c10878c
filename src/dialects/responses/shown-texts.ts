import type { BlockRecord } from '../../core/block-record.ts';
import type { TurnWriter } from '../../core/turn-record.ts';
import type { PlacedText, TextChannel } from './text-channels.ts';

/** One text of an item, as far as it was shown. */
interface ShownText {
  readonly channel: TextChannel;
  readonly index: number;
  /** Kept only while there are several: one alone is the text of the block. */
  text: string;
}

/** What was shown of the texts of one item. */
export interface ShownTexts {
  /** Whether nothing was shown yet. */
  readonly isEmpty: boolean;
  /** What was shown, in order of arrival. */
  readonly all: readonly PlacedText[];
  /** Shows a piece. */
  grow(channel: TextChannel, index: number, piece: string): void;
  /** Shows what is left of a whole text; nothing, and a warning, if it does not go on from what was shown. */
  complete(channel: TextChannel, index: number, whole: string): void;
}

/** Makes the shown texts of one item, whose block is open. */
export function createShownTexts(record: TurnWriter, block: BlockRecord): ShownTexts {
  const texts = new Map<number, ShownText>();
  /** The one that grew last, which is most often the one that grows next. */
  let latest: ShownText | undefined;

  return {
    get isEmpty() {
      return texts.size === 0;
    },
    get all() {
      return [...texts.values()].map((shown): PlacedText => [shown.channel, shown.index, textOf(shown)]);
    },
    grow(channel, index, piece) {
      if (piece === '') return;
      const shown = shownText(channel, index);
      if (texts.size > 1) shown.text += piece;
      record.grow(block, piece);
    },
    complete(channel, index, whole) {
      if (whole === '' && texts.size === 0) return;
      const shown = shownText(channel, index);
      const soFar = textOf(shown);
      if (whole.startsWith(soFar)) {
        shown.text = whole;
        record.grow(block, whole.slice(soFar.length));
        return;
      }
      const message =
        'A text came whole and does not go on from its pieces; what was shown stays, the whole one counts';
      record.warn('whole_text_differs', message, block.index);
    },
  };

  function shownText(channel: TextChannel, index: number): ShownText {
    if (latest?.channel === channel && latest.index === index) return latest;
    // A summary and raw reasoning number their parts each for itself; text and refusal share their numbers.
    const key = channel.indexMember === 'summary_index' ? -1 - index : index;
    const [only] = texts.values();
    if (only && texts.size === 1) only.text = block.text;
    latest = texts.get(key) ?? { channel, index, text: '' };
    texts.set(key, latest);
    return latest;
  }

  function textOf({ text }: ShownText): string {
    return texts.size === 1 ? block.text : text;
  }
}
