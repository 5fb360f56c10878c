// What would be refused of a request, before it is sent.
import { anthropic } from '../src/anthropic.ts';
import { checkRequest } from '../src/index.ts';

const body = {
  model: 'claude-sonnet-4-6',
  max_tokens: 2048,
  thinking: { type: 'enabled', budget_tokens: 2048 },
  messages: [
    { role: 'user', content: 'When is the tide low?' },
    // The loop kept the call, and dropped the thinking before it.
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'tide', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Here:' },
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'noon' },
      ],
    },
  ],
};
const findings = checkRequest(body, anthropic);
for (const { severity, code, path, message } of findings) console.log(`${severity} ${code} at ${path}\n  ${message}`);
process.exitCode = findings.length > 0 ? 0 : 1;
