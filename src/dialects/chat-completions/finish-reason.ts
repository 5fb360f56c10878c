/** Finish reasons under which the last call or reasoning may be a part only. */
const cuttingReasons = new Set(['length', 'content_filter', 'model_length', 'max_tokens']);

/** Whether a finish reason cuts what came last. Unknown ones do not. */
export function isCutting(finishReason: string | null): boolean {
  return finishReason !== null && cuttingReasons.has(finishReason);
}
