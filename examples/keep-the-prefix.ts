// Reasoning is bound to what stood before it: what changed there, before the request is sent.
import { anthropic } from '../src/anthropic.ts';
import { assembleTurn, createTranscript, prefixGuard, stringifyRequest } from '../src/index.ts';
import { strictProvider } from '../src/testing.ts';

const url = 'https://api.example.com/v1/messages';
const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };

const provider = strictProvider(anthropic, {
  secret: 'example',
  script: [[{ reasoning: 'The tide, then.' }, { text: 'Low at noon.' }]],
});
const guard = prefixGuard(anthropic);
const transcript = createTranscript(anthropic);
const settings = { model: 'claude-opus-5-5', max_tokens: 4096, thinking: { type: 'adaptive' }, stream: true };

transcript.user('When is the tide low?');
const first = { ...settings, system: 'It is Monday.', messages: transcript.entries };
const turn = await assembleTurn(
  provider(url, { method: 'POST', headers, body: stringifyRequest(first) }),
  anthropic,
).finalTurn();
guard.remember(first, turn);
transcript.commit(turn);

transcript.user('And tomorrow?');
const next = { ...settings, system: 'It is Tuesday.', messages: transcript.entries };
const findings = guard.check(next);
for (const { path, message, invalidates } of findings)
  console.log(`${path}: ${message}\n  costs ${invalidates.join(', ')}`);
process.exitCode = findings.length > 0 ? 0 : 1;
