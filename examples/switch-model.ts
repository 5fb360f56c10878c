// A conversation that moves to another model, and what it costs to carry its reasoning.
import { of } from 'rxjs';
import { anthropic } from '../src/anthropic.ts';
import { assembleTurn, carryCost, createTranscript } from '../src/index.ts';
import { strictProvider } from '../src/testing.ts';

const url = 'https://api.example.com/v1/messages';
const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };

const provider = strictProvider(anthropic, {
  secret: 'example',
  script: [
    [{ reasoning: 'The tide table says noon.' }, { text: 'Low at noon.' }],
    [{ reasoning: 'A day later, and fifty minutes.' }, { text: 'Low at ten to one.' }],
  ],
});
const settings = { model: 'claude-sonnet-4-6', max_tokens: 4096, thinking: { type: 'adaptive' }, stream: true };

const transcript = createTranscript(anthropic);
for (const question of ['When is the tide low?', 'And tomorrow?']) {
  transcript.user(question);
  const body = JSON.stringify({ ...settings, messages: transcript.entries });
  const response = await provider(url, { method: 'POST', headers, body });
  transcript.commit(await assembleTurn(of(await response.text()), anthropic).finalTurn());
}

const { entries, changed } = transcript.forModel('claude-haiku-4-5');
console.log(`${changed.length} turns go without the reasoning of ${changed[0]?.model}:`);
for (const entry of entries) console.log(' ', JSON.stringify(entry));
console.log('The last exchange alone:', transcript.trim({ keepCycles: 1 }).entries.length, 'entries');
// carryCost(transcript, …) counts what the provider counted; here it is told: five turns of 1,200 tokens each.
const reasoningTokens = [1200, 1200, 1200, 1200, 1200];
console.log('Carried reasoning:', carryCost({ reasoningTokens }, { pricePerMillionInput: 3 }));
