import type { BlockRecord } from '../../core/block-record.ts';
import { isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { safeView } from '../../core/safe-view.ts';
import type { TurnWriter } from '../../core/turn-record.ts';

/** What a candidate says of the sources of its text. */
export interface Citations {
  /** Shows what is new of it with the text that is open. */
  show(candidate: JsonObject, block: BlockRecord): void;
}

/** Makes what shows each source once: chunks tell again what others told. */
export function createCitations(record: TurnWriter): Citations {
  const told = new Set<string>();

  return {
    show({ citationMetadata, groundingMetadata, urlContextMetadata }, block) {
      for (const citation of citationsIn(citationMetadata)) tell(block, citation);
      if (hasMembers(groundingMetadata)) tell(block, { groundingMetadata });
      if (hasMembers(urlContextMetadata)) tell(block, { urlContextMetadata });
    },
  };

  function tell(block: BlockRecord, citation: unknown): void {
    const view = safeView(citation);
    const text = String(JSON.stringify(view));
    if (told.has(text)) return;
    record.count(text.length);
    told.add(text);
    record.show(block, 'citation', view);
  }
}

/** The service lists them under `citationSources`, Vertex under `citations`. */
function citationsIn(metadata: unknown): readonly unknown[] {
  if (!isJsonObject(metadata)) return [];
  const { citations, citationSources } = metadata;
  return [citations, citationSources].filter(Array.isArray).flat();
}

function hasMembers(metadata: unknown): boolean {
  return isJsonObject(metadata) && Object.keys(metadata).length > 0;
}
