/** A model of Anthropic's, as far as its id tells. */
export interface ClaudeModel {
  /** `opus`, `sonnet`, `haiku`, …; empty where the id names none. */
  readonly family: string;
  /** Its generation as one number: 406 for 4.6, 500 for 5. */
  readonly version: number;
}

/** `claude-sonnet-4-5-20250929`, `anthropic/claude-opus-4.7`, `claude-3-7-sonnet@20250219`, …; a date is no minor version. */
const pattern = /claude-(?:([a-z]+)-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?(?:-(opus|sonnet|haiku))?/;

/**
 * The generation of a Claude model, by its id as the service, a cloud or a gateway writes it.
 *
 * @returns undefined for what is no Claude model, or does not say which.
 */
export function claudeModel(model: unknown): ClaudeModel | undefined {
  const match = typeof model === 'string' ? pattern.exec(model.toLowerCase()) : null;
  if (!match) return undefined;
  const [, family, major, minor = '0', lateFamily] = match;
  return { family: family ?? lateFamily ?? '', version: Number(major) * 100 + Number(minor) };
}
