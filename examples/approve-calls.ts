// A call can wait for a person, and be refused with a reason that the model is told.
import { lastValueFrom, tap } from 'rxjs';
import { anthropic } from '../src/anthropic.ts';
import { createTranscript, stringifyRequest, toolLoop } from '../src/index.ts';
import { strictProvider } from '../src/testing.ts';

const url = 'https://api.example.com/v1/messages';
const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };

const provider = strictProvider(anthropic, {
  secret: 'example',
  script: [
    [
      { call: 'read', input: '{"file": "notes.txt"}' },
      { call: 'delete', input: '{"file": "notes.txt"}' },
    ],
    [{ text: 'I have read it, and left it where it is.' }],
  ],
});
const transcript = createTranscript(anthropic);
transcript.user('Read my notes and throw them away.');
const loop = toolLoop({
  dialect: anthropic,
  transcript,
  tools: { read: () => 'Buy rope.', delete: () => 'gone' },
  approve: async ({ name }) => {
    await new Promise((resolve) => setTimeout(resolve, 20)); // a person thinks
    return name === 'read' || { reason: 'Nothing is deleted on a Sunday.' };
  },
  send: (messages) =>
    provider(url, {
      method: 'POST',
      headers,
      body: stringifyRequest({
        model: 'claude-sonnet-4-6',
        max_tokens: 1024,
        stream: true,
        tools: [
          { name: 'read', input_schema: {} },
          { name: 'delete', input_schema: {} },
        ],
        messages,
      }),
    }),
});
await lastValueFrom(
  loop.pipe(
    tap((event) => {
      if (event.type === 'tool_result') console.log(event.call.name, JSON.stringify(event.result));
      if (event.type === 'text_delta') process.stdout.write(event.text);
    }),
  ),
);
