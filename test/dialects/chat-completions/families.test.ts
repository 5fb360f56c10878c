import { describe, expect, test } from 'vitest';
import { reasoningFamily } from '../../../src/chat-completions.ts';

describe('reasoningFamily', () => {
  test.each([
    ['anthropic/claude-sonnet-4.5', 'claude'],
    ['claude-opus-5', 'claude'],
    ['openai/gpt-5.1', 'gpt'],
    ['o3-mini', 'gpt'],
    ['openai/o4-mini-high', 'gpt'],
    ['gpt-5.3-codex', 'gpt'],
    ['openai/gpt-oss-120b', 'other'],
    ['google/gemini-3-pro-preview', 'gemini'],
    ['x-ai/grok-4.1-fast', 'grok'],
    ['deepseek/deepseek-v4', 'deepseek'],
    ['deepseek-reasoner', 'deepseek'],
    ['deepseek/deepseek-r1', 'deepseek_r1'],
    ['moonshotai/kimi-k2.5', 'kimi'],
    ['MiniMax-M2.7', 'minimax'],
    ['z-ai/glm-5-turbo', 'glm'],
    ['qwen/qwen3.6-plus', 'qwen'],
    ['magistral-medium-latest', 'mistral'],
    ['someone/foo-3', 'other'],
  ])('knows %s as %s', (model, name) => {
    expect(reasoningFamily(model).name).toBe(name);
  });

  test('says of DeepSeek and Kimi that reasoning must stay, and that an empty one is needed', () => {
    for (const name of ['deepseek', 'kimi'] as const) {
      expect(reasoningFamily({ name })).toMatchObject({ afterClose: 'must', needsEmpty: true, sealedTo: 'nothing' });
    }
  });

  test('says to what sealed entries are bound', () => {
    const bound = (['claude', 'gemini', 'gpt', 'grok', 'glm'] as const).map(
      (name) => reasoningFamily({ name }).sealedTo,
    );
    expect(bound).toEqual(['model_family', 'endpoint', 'organisation', 'organisation', 'nothing']);
  });

  test('keeps the reasoning of a model that nobody knows', () => {
    expect(reasoningFamily(null)).toMatchObject({ name: 'other', afterClose: 'should', takesBack: true });
  });
});
