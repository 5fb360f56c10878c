import { describe, expect, test } from 'vitest';
import { requestDialect } from '../../src/cli/request-dialect.ts';
import { isJsonObject, type JsonObject } from '../../src/core/json-object.ts';
import { listDocuments } from '../recordings.ts';

const messages = [{ role: 'user', content: 'Hi' }];

describe('requestDialect', () => {
  test.each<[JsonObject, string | undefined]>([
    [{ contents: [] }, 'gemini'],
    [{ input: 'Hi', model: 'gpt-5.4' }, 'responses'],
    [{ previous_response_id: 'resp_1' }, 'responses'],
    [{ messages, model: 'claude-sonnet-5', max_tokens: 100 }, 'anthropic'],
    [{ messages, model: 'us.anthropic.claude-opus-4-1-v1:0' }, 'anthropic'],
    [{ messages, anthropic_version: 'vertex-2023-10-16' }, 'anthropic'],
    [{ messages, model: 'kimi-k2.6', system: 'Be brief.' }, 'anthropic'],
    [{ messages, model: 'deepseek-v4-pro', tools: [{ name: 'f', input_schema: {} }] }, 'anthropic'],
    [{ messages, model: 'glm-5', tools: [{ name: 'f' }], tool_choice: { type: 'any' } }, 'anthropic'],
    [{ messages: [{ role: 'assistant', content: [{ type: 'tool_use' }] }], model: 'glm-5' }, 'anthropic'],
    [{ messages, model: 'gpt-5.4' }, 'chatCompletions'],
    [{ messages, model: 'anthropic/claude-sonnet-5' }, 'chatCompletions'],
    [{ messages, model: 'claude-sonnet-5', stream_options: {} }, 'chatCompletions'],
    [{ messages: [{ role: 'system' }, ...messages], model: 'claude-sonnet-5' }, 'chatCompletions'],
    [{ messages, model: 'glm-5', tools: [{ type: 'function', function: {} }] }, 'chatCompletions'],
    [{ messages, tool_choice: { type: 'function', function: { name: 'f' } } }, 'chatCompletions'],
    [{ messages: 'Hi' }, 'chatCompletions'],
    [{ choices: [] }, undefined],
    [{}, undefined],
  ])('finds of %j', (body, name) => {
    expect(requestDialect(body)?.name).toBe(name);
  });

  const accepted = listDocuments('corpus/replays').flatMap(({ name, document }) => {
    const body = isJsonObject(document) ? document['next_request_body'] : undefined;
    return isJsonObject(body) ? [{ folder: name.replace(/--.*$/, ''), body }] : [];
  });

  test.skipIf(accepted.length === 0)('finds that of each recorded request', () => {
    const dialectOf: Readonly<Record<string, string>> = {
      anthropic: 'anthropic',
      responses: 'responses',
      gemini: 'gemini',
    };
    const found = accepted.map(({ body }) => requestDialect(body)?.name);
    expect(found).toEqual(accepted.map(({ folder }) => dialectOf[folder] ?? 'chatCompletions'));
  });
});
