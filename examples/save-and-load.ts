// A conversation that is saved in the middle of a tool cycle, loaded by another process, and gone on with.
import { lastValueFrom } from 'rxjs';
import { type AnthropicEntry, type AnthropicMessage, anthropic } from '../src/anthropic.ts';
import { createTranscript, parseTranscript, stringifyRequest, type Transcript, toolLoop } from '../src/index.ts';
import { strictProvider } from '../src/testing.ts';

const url = 'https://api.example.com/v1/messages';
const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };

const provider = strictProvider(anthropic, {
  secret: 'example',
  script: [
    [{ reasoning: 'I have to look.' }, { call: 'tide', input: '{"port": "Harlow", "days": 1.0}' }],
    [{ text: 'Low at ten past twelve.' }],
  ],
});

function loop(transcript: Transcript<AnthropicEntry, AnthropicMessage>, maxTurns: number): Promise<unknown> {
  const tide = (): Promise<string> => Promise.resolve('Low at 12:10.');
  return lastValueFrom(
    toolLoop({
      dialect: anthropic,
      transcript,
      maxTurns,
      tools: { tide },
      send: (messages) =>
        provider(url, {
          method: 'POST',
          headers,
          body: stringifyRequest({
            model: 'claude-sonnet-4-6',
            max_tokens: 4096,
            thinking: { type: 'adaptive' },
            stream: true,
            tools: [{ name: 'tide', input_schema: { type: 'object' } }],
            messages,
          }),
        }),
    }),
  );
}

const before = createTranscript(anthropic);
before.user('When is the tide low in Harlow?');
await loop(before, 1);
const text = before.stringify();
console.log(`saved ${text.length} characters, the input as it came: ${text.includes('"days": 1.0')}`);

const after = parseTranscript(anthropic, text);
await loop(after, 1);
console.log(JSON.stringify(after.entries.at(-1)));
process.exitCode = after.isCycleOpen ? 1 : 0;
