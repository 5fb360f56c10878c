import type { TurnStatus, Usage, Warning } from '../core/turn.ts';
import type { TurnEvent, UiError, UiEvent } from '../core/turn-event.ts';
import { type BlockDraft, type BlockTimes, type BlockView, createBlockDraft } from './block-draft.ts';

/** A turn as it stands, for a renderer. Immutable: what did not change is the same object as in the view before. */
export interface TurnView {
  readonly status: 'streaming' | TurnStatus;
  readonly turnId: string | null;
  readonly model: string | null;
  /** The wire's own value; null until the turn is over. */
  readonly stopReason: string | null;
  /** Null until the provider counted. */
  readonly usage: Usage | null;
  readonly blocks: readonly BlockView[];
  readonly warnings: readonly Warning[];
  readonly error?: UiError;
}

/** Gathers events, and makes a view when one is asked for. */
export interface ViewBuilder {
  /** Takes the next event. Cheap: text is appended, nothing is parsed or copied. */
  push(event: TurnEvent | UiEvent): void;
  /** True while the last view is not up to date. */
  readonly isChanged: boolean;
  /** The turn as it stands; the same object as the last time if nothing changed. */
  view(): TurnView;
}

const emptyView: TurnView = {
  status: 'streaming',
  turnId: null,
  model: null,
  stopReason: null,
  usage: null,
  blocks: [],
  warnings: [],
};

/**
 * Makes the builder of views of one turn.
 *
 * The input of a call is parsed when a view is made, never for a delta, and only what came since the last view.
 *
 * @param timesOf When a block began and ended; asked when it does.
 */
export function createViewBuilder(timesOf: (index: number) => BlockTimes): ViewBuilder {
  let last = emptyView;
  let isChanged = false;
  let rest: Partial<TurnView> = {};
  let warnings: Warning[] = [];
  const drafts = new Map<number, BlockDraft>();

  return {
    get isChanged() {
      return isChanged;
    },
    push(event) {
      if (event.type === 'block' || event.type === 'turn') return;
      isChanged = true;
      take(event);
    },
    view() {
      if (!isChanged) return last;
      isChanged = false;
      last = { ...last, ...rest, blocks: viewBlocks() };
      if (warnings.length > 0) last = { ...last, warnings: [...last.warnings, ...warnings] };
      rest = {};
      warnings = [];
      return last;
    },
  };

  function take(event: UiEvent): void {
    switch (event.type) {
      case 'turn_start':
        rest = { ...rest, turnId: event.turnId, model: event.model };
        break;
      case 'block_start':
        drafts.set(event.index, createBlockDraft(event, timesOf(event.index)));
        break;
      case 'usage':
        rest = { ...rest, usage: event.usage };
        break;
      case 'warning': {
        const { type: _type, ...warning } = event;
        warnings.push(warning);
        break;
      }
      case 'turn_stop': {
        const { type: _type, ...stop } = event;
        rest = { ...rest, ...stop };
        break;
      }
      default:
        drafts.get(event.index)?.push(event, timesOf);
    }
  }

  function viewBlocks(): readonly BlockView[] {
    const views = Array.from(drafts.values(), (draft) => draft.view());
    const isSame = views.length === last.blocks.length && views.every((view, place) => view === last.blocks[place]);
    return isSame ? last.blocks : views;
  }
}
