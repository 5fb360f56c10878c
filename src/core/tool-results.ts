/** What a tool gave for one call. */
export interface ToolResult {
  /** The call's id. */
  readonly id: string;
  /** A text, or anything that is JSON: it is written as such. */
  readonly content: unknown;
  /** Whether the tool failed. */
  readonly isError?: boolean | undefined;
}

/**
 * The results of a turn's calls in the order of the calls, whatever order the tools were ready in.
 *
 * @throws TypeError if a call has no result, or two, or a result no call: the provider would refuse the request.
 */
export function inCallOrder(
  calls: readonly { readonly id: string }[],
  results: readonly ToolResult[],
): readonly ToolResult[] {
  const byId = new Map<string, ToolResult>();
  for (const result of results) {
    if (byId.has(result.id)) throw new TypeError(`The call ${result.id} has two results. Give one for each call.`);
    byId.set(result.id, result);
  }
  const ordered = calls.map(({ id }) => {
    const result = byId.get(id);
    if (!result) throw new TypeError(`The call ${id} has no result. Give one for each call, be it an error.`);
    byId.delete(id);
    return result;
  });
  const [unknown] = byId.keys();
  if (unknown !== undefined) throw new TypeError(`There is no call ${unknown} in this turn, but a result for it.`);
  return ordered;
}

/**
 * The results, and an error for each call that must not be run and has none: it goes back, so it wants an answer, and
 * the model can mend its input.
 */
export function withRefusals(
  calls: readonly { readonly id: string; readonly isExecutable: boolean }[],
  results: readonly ToolResult[],
): readonly ToolResult[] {
  const given = new Set(results.map(({ id }) => id));
  const unanswered = calls.filter(({ id, isExecutable }) => !isExecutable && !given.has(id));
  const refusals = unanswered.map(({ id }) => ({ id, content: 'The arguments are no JSON object', isError: true }));
  return [...results, ...refusals];
}

/** A result as text: a text as it is, anything else as JSON. */
export function resultText({ id, content }: ToolResult): string {
  if (typeof content === 'string') return content;
  if (content instanceof Error) return String(content);
  const text: string | undefined = JSON.stringify(content ?? null);
  if (text === undefined) throw new TypeError(`The result of the call ${id} is a ${typeof content}, which has no JSON`);
  return text;
}
