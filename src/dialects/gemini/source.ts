import { elementTextsAt } from '../../text/verbatim-json.ts';

/** Finds the source text of a value; undefined where there is none. */
export type Source = () => string | undefined;

/** Makes what finds the source texts of a list's elements: they are read once, and only if one is asked for. */
export function elementSources(source: Source, path: readonly string[]): (at: number) => Source {
  let texts: readonly string[] | undefined;
  return (at) => () => {
    texts ??= elementTextsAt(source() ?? '', path);
    return texts[at];
  };
}
