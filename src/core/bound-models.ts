/** A number of a model behind its name; a date is none. */
const boundModels =
  /\b(?:fable|mythos)-(?:5[-.][1-9]|[6-9]|\d\d)(?!\d)|\b(?:opus|sonnet|haiku)-(?:5[-.][5-9]|[6-9]|\d\d)(?!\d)/;

/**
 * Whether a model's signatures are bound to all that stands before them, so that nothing of it may go: those of Fable and
 * Mythos from 5.1, and of Opus, Sonnet and Haiku from 5.5. Of a model that is not known nothing is said.
 */
export function bindsPrefix(model: string | null): boolean {
  return model !== null && boundModels.test(model);
}
