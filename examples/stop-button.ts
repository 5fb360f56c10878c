// A turn that is stopped in the middle: what is safe of it is kept, and the next request is accepted.
import { anthropic } from '../src/anthropic.ts';
import { assembleTurn, createTranscript, stringifyRequest, type Turn } from '../src/index.ts';
import { strictProvider } from '../src/testing.ts';

const url = 'https://api.example.com/v1/messages';
const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };

const provider = strictProvider(anthropic, {
  secret: 'example',
  pace: 10,
  chunking: 64,
  script: (_request, turnNumber) =>
    turnNumber === 1
      ? [{ text: 'Once upon a time.' }, { text: `There was ${'a very long story '.repeat(200)}` }]
      : [{ text: 'Of course: something shorter.' }],
});
const transcript = createTranscript(anthropic);

function ask(question: string): Turn {
  transcript.user(question);
  const body = stringifyRequest({
    model: 'claude-sonnet-4-6',
    max_tokens: 1024,
    stream: true,
    messages: transcript.entries,
  });
  return assembleTurn((signal) => provider(url, { method: 'POST', headers, body, signal }), anthropic);
}

const long = ask('Tell me a story.');
setTimeout(() => long.abort(), 400);
const report = transcript.commit((await long.settled()) as never, { ifInterrupted: 'keep_text', cutText: 'keep' });
console.log(`${report.status}: ${JSON.stringify(transcript.entries.at(-1)).slice(0, 100)}…`);

const short = await ask('Shorter, please.').settled();
console.log(short.status, JSON.stringify(short.entries));
process.exitCode = short.status === 'complete' ? 0 : 1;
