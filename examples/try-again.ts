// An overloaded provider: nothing of a turn that failed is in the history, so its request is sent again as it is.
import { anthropic } from '../src/anthropic.ts';
import { type AssembledTurn, assembleTurn } from '../src/index.ts';
import { strictProvider } from '../src/testing.ts';

const url = 'https://api.example.com/v1/messages';
const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };

const provider = strictProvider(anthropic, {
  secret: 'example',
  script: [[{ text: 'Here I am.' }]],
  faults: { 1: { type: 'status', status: 529, retryAfter: 1 } },
});
const body = JSON.stringify({
  model: 'claude-sonnet-4-6',
  max_tokens: 1024,
  stream: true,
  messages: [{ role: 'user', content: 'Hello?' }],
});

async function ask(tries: number): Promise<AssembledTurn> {
  const turn = await assembleTurn(
    (signal) => provider(url, { method: 'POST', headers, body, signal }),
    anthropic,
  ).settled();
  const { status, error } = turn;
  const isWorthIt = status === 'truncated' || (error && 'retryable' in error && error.retryable);
  if (!isWorthIt || tries === 1) return turn;
  console.log(`${status}: ${error?.message}`);
  const seconds = error?.code === 'http_status' ? Number(error.headers['retry-after'] ?? 1) : 1;
  await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, 1) * 100));
  return ask(tries - 1);
}

const turn = await ask(3);
console.log(turn.status, JSON.stringify(turn.entries));
process.exitCode = turn.status === 'complete' ? 0 : 1;
