import type { ToolCall } from '../src/index.ts';
import type { ToolResult } from '../src/responses.ts';

/** A tool that the model may call, before a wire puts it into its own shape. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The JSON schema of its input. */
  readonly schema: { type: 'object'; properties: Record<string, object>; required: string[] };
}

/** What a tool says, before a wire puts it into its own shape. */
export interface ToolOutput {
  readonly text: string;
  readonly isError: boolean;
}

const place = { type: 'string', description: 'A town' };

/** The tools that the model may call. */
export const tools: readonly Tool[] = [
  {
    name: 'aurora_forecast',
    description: 'Tells tonight’s strength (Kp index) and peak hour of the northern lights.',
    schema: {
      type: 'object',
      properties: { place, kp_at_least: { type: 'number' }, note: { type: 'string' } },
      required: ['place'],
    },
  },
  {
    name: 'cloud_cover',
    description: 'Tells how much of the sky is clouded tonight, in per cent, hour by hour.',
    schema: {
      type: 'object',
      properties: {
        place,
        radius_km: { type: 'number' },
        station: { type: 'integer', description: 'The number of a weather station, if known' },
        weights: { type: 'object', description: 'How much each hour counts', additionalProperties: { type: 'number' } },
      },
      required: ['place'],
    },
  },
];

const results: Readonly<Record<string, object>> = {
  aurora_forecast: { kp: 4.7, peak: '22:30' },
  cloud_cover: { '21': 80, '22': 10, '23': 10 },
};

/** Runs one call. A tool that does not exist gives an error, so that the model can mend its call. */
export function runTool({ name }: ToolCall): ToolOutput {
  const result = results[name];
  return result
    ? { text: JSON.stringify(result), isError: false }
    : { text: `There is no tool ${name}`, isError: true };
}

/** Runs one call; what it gave, as a result that goes back. */
export function resultOf(call: ToolCall): ToolResult {
  const { text, isError } = runTool(call);
  return { id: call.id, content: text, ...(isError && { isError }) };
}
