const members: Readonly<Record<string, string>> = {
  anthropic: 'messages',
  chatCompletions: 'messages',
  responses: 'input',
  gemini: 'contents',
};

/** The member of a request's body that holds its history, by the name of the dialect. */
export function historyMember(dialect: string): string {
  return members[dialect] ?? 'messages';
}
