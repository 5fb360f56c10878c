/** Where the rules of this dialect are written down. */
export const sources = {
  /** @see https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking */
  thinking: 'Anthropic: extended thinking',
  /** @see https://docs.anthropic.com/en/docs/build-with-claude/adaptive-thinking */
  adaptive: 'Anthropic: adaptive thinking',
  /** @see https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
  tools: 'Anthropic: tool use',
  /** @see https://docs.anthropic.com/en/api/messages */
  messages: 'Anthropic: Messages API',
  /** @see https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
  caching: 'Anthropic: prompt caching',
  /** @see https://docs.anthropic.com/en/docs/build-with-claude/context-editing */
  contextEditing: 'Anthropic: context editing',
  toolLoop: 'Thinking blocks in the tool loop',
  echo: 'Claude Thinking Blocks: Echo the Signature or the Tool Loop Breaks',
  returnBlocks: "Return Claude's Thinking Blocks or Your Agent Breaks",
} as const;
