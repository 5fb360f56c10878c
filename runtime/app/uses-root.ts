// A user without any SDK: everything but the dialect, whose own types come from the SDK.
import type { Observable } from 'rxjs';
import {
  type AssembledTurn,
  assembleTurn,
  type Dialect,
  fromResponse,
  HttpStatusError,
  sseMessages,
  stringifyRequest,
  type TurnView,
  turnEvents,
  turnView,
  type UiEvent,
  uiEvents,
} from 'wholeturn';

interface Entry {
  readonly role: string;
}

export async function answer(dialect: Dialect<Entry>, signal: AbortSignal): Promise<string> {
  const turn = assembleTurn(fetch('https://api.example.com', { signal }), dialect, { signal, idleTimeout: 60_000 });
  for await (const event of turn) if (event.type === 'text_delta') console.log(event.text);
  const final: AssembledTurn<Entry> = await turn.finalTurn();
  const roles: readonly string[] = final.entries.map((entry) => entry.role);
  if (final.error instanceof HttpStatusError) console.log(final.error.status);
  return stringifyRequest({ roles, messages: final.entries });
}

export function pipeline(dialect: Dialect<Entry>, response: Response): [Observable<UiEvent>, Observable<TurnView>] {
  const events = fromResponse(response).pipe(sseMessages(), turnEvents(dialect));
  return [events.pipe(uiEvents({ reasoning: 'status' })), events.pipe(turnView())];
}
