/** A model's place among its kin: `[6, 2]` for GPT-6.2. */
type Generation = readonly [major: number, minor: number];

/** A number of one or two digits with its next one; longer ones are dates. */
const gpt = /\bgpt-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/i;

/**
 * OpenAI says "newer frontier models" and names none. Taken are GPT-6 and later: the first that can be changed by
 * appending (`configuration_update`).
 */
const boundGpt: Generation = [6, 0];

/** From here on `instructions` are a matter of one request, and not part of the prefix. */
const freeInstructions: Generation = [6, 2];

/** Whether a model of OpenAI's binds its reasoning to what stands before it. */
export function isBoundGpt(model: string): boolean {
  const [, major, minor] = gpt.exec(model) ?? [];
  return isFrom(boundGpt, major, minor);
}

/** Whether the `instructions` of a request to a model are part of the prefix. */
export function areInstructionsBound(model: string | null): boolean {
  const [, major, minor] = gpt.exec(model ?? '') ?? [];
  return !isFrom(freeInstructions, major, minor);
}

function isFrom([fromMajor, fromMinor]: Generation, major: string | undefined, minor = '0'): boolean {
  if (major === undefined) return false;
  const known = Number(major);
  return known > fromMajor || (known === fromMajor && Number(minor) >= fromMinor);
}
