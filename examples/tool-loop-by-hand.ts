// The tool loop with nothing but a turn and a transcript.
import { anthropic } from '../src/anthropic.ts';
import { assembleTurn, createTranscript, stringifyRequest } from '../src/index.ts';
import { strictProvider } from '../src/testing.ts';

const url = 'https://api.example.com/v1/messages';
const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };

const provider = strictProvider(anthropic, {
  secret: 'example',
  script: [
    [{ reasoning: 'I have to look.' }, { call: 'tide', input: '{"port": "Harlow"}' }],
    [{ text: 'Low at ten past twelve.' }],
  ],
});
const settings = { model: 'claude-sonnet-4-6', max_tokens: 4096, thinking: { type: 'adaptive' }, stream: true };
const tools = [{ name: 'tide', input_schema: { type: 'object' } }];

const transcript = createTranscript(anthropic);
transcript.user('When is the tide low in Harlow?');
do {
  const body = stringifyRequest({ ...settings, tools, messages: transcript.entries });
  const turn = assembleTurn((signal) => provider(url, { method: 'POST', headers, body, signal }), anthropic);
  for await (const event of turn) if (event.type === 'text_delta') process.stdout.write(event.text);
  transcript.commit(await turn.finalTurn());
  const results = transcript.pending.map(({ id, name, input }) => {
    console.log(`${name} ${JSON.stringify(input)}`);
    return { id, content: 'Low at 12:10.' };
  });
  // A call whose input was no JSON waits for an answer too, and gets an error.
  if (transcript.isCycleOpen) transcript.answer(results);
} while (transcript.isCycleOpen);
console.log();
