/** Cuts a text as models write it: by words. Together the pieces are the text. */
export function words(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** Cuts the text of a tool input as models write it: anywhere, even between the halves of a surrogate pair. */
export function slices(text: string): readonly string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [];
}

/** An SSE message with the name of its event. */
export function namedEvent(event: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
