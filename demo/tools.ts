import type { Anthropic } from '@anthropic-ai/sdk';
import type { ToolCall } from '../src/index.ts';

const place = { type: 'string', description: 'A town' };

/** The tools that the model may call. */
export const tools: Anthropic.Tool[] = [
  {
    name: 'aurora_forecast',
    description: 'Tells tonight’s strength (Kp index) and peak hour of the northern lights.',
    input_schema: {
      type: 'object',
      properties: { place, kp_at_least: { type: 'number' }, note: { type: 'string' } },
      required: ['place'],
    },
  },
  {
    name: 'cloud_cover',
    description: 'Tells how much of the sky is clouded tonight, in per cent, hour by hour.',
    input_schema: {
      type: 'object',
      properties: { place, hours: { type: 'array', items: { type: 'integer' } }, radius_km: { type: 'number' } },
      required: ['place'],
    },
  },
];

const results: Readonly<Record<string, object>> = {
  aurora_forecast: { kp: 4.7, peak: '22:30' },
  cloud_cover: { '21': 80, '22': 10, '23': 10 },
};

/** Runs one call. A tool that does not exist gives an error result, so that the model can mend its call. */
export function runTool({ id, name }: ToolCall): Anthropic.ToolResultBlockParam {
  const result = results[name];
  return result
    ? { type: 'tool_result', tool_use_id: id, content: JSON.stringify(result) }
    : { type: 'tool_result', tool_use_id: id, content: `There is no tool ${name}`, is_error: true };
}
