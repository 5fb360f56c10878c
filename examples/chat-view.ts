// Snapshots for a renderer: a call's input is a value that grows.
import { anthropic } from '../src/anthropic.ts';
import { assembleTurn } from '../src/index.ts';
import { strictProvider } from '../src/testing.ts';

const url = 'https://api.example.com/v1/messages';
const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };

const provider = strictProvider(anthropic, {
  secret: 'example',
  pace: 20,
  chunking: 24,
  script: [
    [
      { text: 'I note it down.' },
      { call: 'note', input: '{"title": "Tides", "lines": ["low at noon", "high at six"]}' },
    ],
  ],
});
const body = JSON.stringify({
  model: 'claude-sonnet-4-6',
  max_tokens: 1024,
  stream: true,
  tools: [{ name: 'note', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: 'Note the tides.' }],
});

const turn = assembleTurn(provider(url, { method: 'POST', headers, body }), anthropic);
turn.view.subscribe(({ status, blocks }) => {
  const shown = blocks.map(({ kind, state, text, input }) => `${kind} ${state} ${JSON.stringify(input ?? text)}`);
  console.log(status, shown.join(' | '));
});
