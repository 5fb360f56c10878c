/** What is told of a model by its name. */
interface OpenAiModel {
  /** `o`: o1, o3, o4-mini and their kin; `gpt`: the rest. */
  readonly series: 'o' | 'gpt';
  /** 5.2 for gpt-5.2-codex; 0 where there is no number. */
  readonly version: number;
  /** What follows the number: `-codex`, `-mini-2025-08-07`. */
  readonly variant: string;
}

/** The families of OpenAI's models that differ in what a request may say of reasoning. */
export type ReasoningFamily = 'o' | 'gpt-5' | 'later' | 'none';

/**
 * Whether a model's name is one of OpenAI's own service. A request without a model names a stored prompt, which only
 * that service has. Open weights run anywhere, so gpt-oss is not one of them.
 */
export function isOpenAiModel(model: unknown): boolean {
  if (model === undefined) return true;
  return typeof model === 'string' && readModel(model) !== undefined;
}

/** Whether a model is one of DeepSeek's, whose service has stricter rules for reasoning and calls. */
export function isDeepSeekModel(model: unknown): boolean {
  return typeof model === 'string' && /(^|\/)deepseek/i.test(model);
}

/** What a model is where reasoning is asked for; undefined for one that is not OpenAI's. */
export function reasoningFamily(model: unknown): ReasoningFamily | undefined {
  const known = typeof model === 'string' ? readModel(model) : undefined;
  if (!known) return undefined;
  if (known.series === 'o') return 'o';
  if (known.version < 5) return known.version >= 3 ? 'none' : undefined;
  // The chat variants answer without reasoning, or with what they choose themselves.
  if (known.variant.startsWith('-chat')) return undefined;
  return known.version === 5 ? 'gpt-5' : 'later';
}

/** The number of a GPT model: 5.2 for gpt-5.2-codex; 0 for any other name. */
export function gptVersion(model: unknown): number {
  const known = typeof model === 'string' ? readModel(model) : undefined;
  return known?.series === 'gpt' ? known.version : 0;
}

function readModel(name: string): OpenAiModel | undefined {
  const model = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  if (/^(o\d|codex-mini)/.test(model)) return { series: 'o', version: 0, variant: model.replace(/^o\d/, '') };
  const match = /^(?:chat)?gpt-(\d+(?:\.\d+)?)(?:o\b)?(.*)$/.exec(model);
  if (match) return { series: 'gpt', version: Number(match[1]), variant: match[2] ?? '' };
  return /^(computer-use|chatgpt-)/.test(model) ? { series: 'gpt', version: 0, variant: '' } : undefined;
}
