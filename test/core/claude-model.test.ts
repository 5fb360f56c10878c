import { describe, expect, test } from 'vitest';
import { claudeModel } from '../../src/core/claude-model.ts';

describe('claudeModel', () => {
  test.each([
    ['claude-sonnet-4-5-20250929', 'sonnet', 405],
    ['claude-sonnet-4-20250514', 'sonnet', 400],
    ['claude-opus-4-7', 'opus', 407],
    ['claude-sonnet-5', 'sonnet', 500],
    ['claude-fable-5-1', 'fable', 501],
    ['claude-3-7-sonnet-latest', 'sonnet', 307],
    ['claude-3-opus-20240229', 'opus', 300],
    ['claude-3-7-sonnet@20250219', 'sonnet', 307],
    ['anthropic/claude-opus-4.7', 'opus', 407],
    ['anthropic/claude-3.7-sonnet:thinking', 'sonnet', 307],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'sonnet', 405],
    ['databricks-claude-3-7-sonnet', 'sonnet', 307],
    ['Claude-Opus-4-1', 'opus', 401],
    ['claude-2.1', '', 201],
  ])('reads %s', (model, family, version) => {
    expect(claudeModel(model)).toEqual({ family, version });
  });

  test.each(['gpt-5.4', 'claude-latest', 'claude-sonnet-20250514', '', null, 7])('reads nothing off %j', (model) => {
    expect(claudeModel(model)).toBeUndefined();
  });
});
