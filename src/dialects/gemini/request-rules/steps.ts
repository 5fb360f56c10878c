import { callIn, type PlacedContent, type PlacedPart, responseIn } from './reading.ts';

/** What the model called, and what came back for it. */
export interface Step {
  /** The calls that wait for the client. */
  readonly calls: readonly PlacedPart[];
  /** The responses of each content directly behind them; none of the contents without any. */
  readonly answers: readonly (readonly PlacedPart[])[];
}

/**
 * The steps of a history: each run of the model's contents with the responses behind it. Responses that stand anywhere
 * else make a step without calls.
 */
export function stepsOf(contents: readonly PlacedContent[]): readonly Step[] {
  const steps: { calls: PlacedPart[]; answers: PlacedPart[][] }[] = [];
  let open: (typeof steps)[number] | undefined;
  let wasModel = false;
  for (const { role, parts } of contents) {
    const isModel = role === 'model';
    if (isModel && !wasModel) open = undefined;
    if (isModel) open = add(openCalls(parts), []);
    const responses = isModel ? [] : parts.filter(responseIn);
    // What the user says ends the wait for responses.
    if (!isModel && responses.length === 0) open = undefined;
    if (responses.length > 0) open = add([], [responses]);
    wasModel = isModel;
  }
  return steps;

  function add(calls: PlacedPart[], answers: PlacedPart[][]): (typeof steps)[number] {
    const step = open ?? { calls: [], answers: [] };
    if (!open) steps.push(step);
    step.calls.push(...calls);
    step.answers.push(...answers);
    return step;
  }
}

/** The calls without a response in the same content: what has one there was run by the service. */
function openCalls(parts: readonly PlacedPart[]): PlacedPart[] {
  const answered = new Map<unknown, number>();
  for (const part of parts) {
    const name = responseIn(part)?.['name'];
    if (name !== undefined) answered.set(name, (answered.get(name) ?? 0) + 1);
  }
  return parts.filter((part) => {
    const call = callIn(part);
    const left = answered.get(call?.['name']) ?? 0;
    if (call && left > 0) answered.set(call['name'], left - 1);
    return call !== undefined && left === 0;
  });
}
