/** What has to be known of a family of models to send its reasoning back. */
export interface ReasoningFamily {
  readonly name: FamilyName;
  /**
   * Whether reasoning must stay in the history after its tool cycle is closed:
   * `must` on turns with calls, `should` (without it answers get worse), or `may` go.
   */
  readonly afterClose: 'must' | 'should' | 'may';
  /** Whether a turn with calls needs a reasoning field even if the model sent none: then `""` is sent. */
  readonly needsEmpty: boolean;
  /** Whether reasoning is taken back at all; the first DeepSeek R1 answered 400 to it. */
  readonly takesBack: boolean;
  /**
   * To what a sealed entry (ciphertext, signature) is bound: sent elsewhere it is refused. `nothing` where the family
   * has none; its reasoning is plain text, which may travel.
   */
  readonly sealedTo: 'nothing' | 'model_family' | 'endpoint' | 'organisation';
}

/** The families that differ in what must go back. */
export type FamilyName =
  | 'claude'
  | 'gpt'
  | 'gemini'
  | 'grok'
  | 'deepseek'
  | 'deepseek_r1'
  | 'kimi'
  | 'minimax'
  | 'glm'
  | 'qwen'
  | 'mistral'
  | 'other';

type Traits = Omit<ReasoningFamily, 'name'>;

const openWeights: Traits = { afterClose: 'should', needsEmpty: false, takesBack: true, sealedTo: 'nothing' };

/**
 * What is known of each family.
 *
 * - Claude: signatures are taken by Anthropic, Bedrock and Vertex alike.
 * - Gemini: AI Studio and Vertex refuse each other's signatures.
 * - GPT, Grok: ciphertext is bound to the organisation.
 * - DeepSeek V3.2 and later, Kimi K2.5 and later: refuse a turn with calls without its reasoning, however old.
 *
 * @see https://api-docs.deepseek.com/guides/thinking_mode
 */
const traits: Readonly<Record<FamilyName, Traits>> = {
  claude: { afterClose: 'may', needsEmpty: false, takesBack: true, sealedTo: 'model_family' },
  gpt: { afterClose: 'may', needsEmpty: false, takesBack: true, sealedTo: 'organisation' },
  gemini: { afterClose: 'may', needsEmpty: false, takesBack: true, sealedTo: 'endpoint' },
  grok: { afterClose: 'may', needsEmpty: false, takesBack: true, sealedTo: 'organisation' },
  deepseek: { afterClose: 'must', needsEmpty: true, takesBack: true, sealedTo: 'nothing' },
  deepseek_r1: { afterClose: 'may', needsEmpty: false, takesBack: false, sealedTo: 'nothing' },
  kimi: { afterClose: 'must', needsEmpty: true, takesBack: true, sealedTo: 'nothing' },
  minimax: openWeights,
  glm: openWeights,
  qwen: openWeights,
  mistral: openWeights,
  other: openWeights,
};

/** The names by which models are known, the more special ones first. */
const patterns: readonly (readonly [RegExp, FamilyName])[] = [
  [/claude|^anthropic\//, 'claude'],
  [/gpt-oss/, 'other'],
  [/\bgpt-|\bo[1-9]\b|codex|chatgpt/, 'gpt'],
  [/gemini/, 'gemini'],
  [/grok/, 'grok'],
  [/deepseek.*\br1\b/, 'deepseek_r1'],
  [/deepseek/, 'deepseek'],
  [/kimi|moonshot/, 'kimi'],
  [/minimax/, 'minimax'],
  [/\bglm\b|z-ai|zai-org/, 'glm'],
  [/qwen|qwq/, 'qwen'],
  [/mistral|magistral|ministral|codestral|devstral/, 'mistral'],
];

/**
 * The family of a model, by its id as a server or a gateway writes it.
 *
 * A model that nobody knows is `other`: its reasoning is kept, and taken for plain text.
 *
 * @throws TypeError for a name of a family that does not exist.
 *
 * @example
 * ```ts
 * reasoningFamily('moonshotai/kimi-k2.5').afterClose; // 'must'
 * reasoningFamily({ name: 'deepseek' }).needsEmpty; // true
 * ```
 */
export function reasoningFamily(model: string | null | { readonly name: FamilyName }): ReasoningFamily {
  const name = typeof model === 'object' && model !== null ? model.name : nameOf(model ?? '');
  if (!Object.hasOwn(traits, name)) {
    throw new TypeError(
      `There is no family ${JSON.stringify(name)}. Did you mean one of ${Object.keys(traits).join(', ')}?`,
    );
  }
  return { name, ...traits[name] };
}

function nameOf(model: string): FamilyName {
  const id = model.toLowerCase();
  return patterns.find(([pattern]) => pattern.test(id))?.[1] ?? 'other';
}
