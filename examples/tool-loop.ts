// The whole tool loop: the model is asked, its tools run, all calls of a turn are answered at once, and it goes on.
import { anthropic } from '../src/anthropic.ts';
import { createTranscript, stringifyRequest, toolLoop } from '../src/index.ts';
import { strictProvider } from '../src/testing.ts';

const url = 'https://api.example.com/v1/messages';
const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };

// In your own code: fetch(url, { headers, … }).
const provider = strictProvider(anthropic, {
  secret: 'example',
  script: [
    [
      { reasoning: 'The tide first, and the wind beside it.' },
      { call: 'tide', input: '{"port": "Harlow"}' },
      { call: 'wind', input: '{"port": "Harlow"}' },
    ],
    [{ reasoning: 'Low, and a strong wind.' }, { text: 'Go at noon: the tide is low then, and the wind has turned.' }],
  ],
});
const settings = { model: 'claude-sonnet-4-6', max_tokens: 4096, thinking: { type: 'adaptive' }, stream: true };
const tools = ['tide', 'wind'].map((name) => ({ name, input_schema: { type: 'object' } }));

const transcript = createTranscript(anthropic);
transcript.user('When can I walk to the island?');

toolLoop({
  dialect: anthropic,
  transcript,
  tools: {
    tide: ({ port }: { port: string }) => `Low at 12:10 in ${port}.`,
    wind: ({ port }: { port: string }) => ({ port, force: 5, direction: 'NW' }),
  },
  send: (messages, { signal }) =>
    provider(url, {
      method: 'POST',
      headers,
      body: stringifyRequest({ ...settings, tools, messages }),
      signal,
    }),
}).subscribe((event) => {
  if (event.type === 'reasoning_delta' || event.type === 'text_delta') process.stdout.write(event.text);
  if (event.type === 'block_stop') process.stdout.write('\n');
  if (event.type === 'tool_result') console.log(`  ${event.call.name}: ${JSON.stringify(event.result.content)}`);
  if (event.type === 'loop_stop') console.log(`${event.reason} after ${event.turns} turns`);
});
