import type {
  FunctionCall,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  Part,
  PartialArg,
} from '@google/genai';
import type { FloorReader } from './floor-reader.ts';
import type { Tally } from './tally.ts';

interface FloorRun {
  readonly isThought: boolean;
  text: string;
}

type Container = Record<string, unknown>;

interface FloorCall {
  readonly name: string;
  readonly args: Container;
  readonly signature: string | undefined;
}

/** Appends each text to the run of its kind, keeps whole calls, and sets each piece of arguments at its path. */
export function createGeminiFloor(tally: Tally): FloorReader {
  const runs: FloorRun[] = [];
  const calls: FloorCall[] = [];
  let growing: FloorCall | undefined;
  let finishReason: string | undefined;
  let usage: GenerateContentResponseUsageMetadata | undefined;

  return {
    take(data) {
      const chunk: GenerateContentResponse = JSON.parse(data);
      usage = chunk.usageMetadata ?? usage;
      const candidate = chunk.candidates?.[0];
      finishReason = candidate?.finishReason ?? finishReason;
      for (const part of candidate?.content?.parts ?? []) {
        if (part.functionCall) takeCall(part.functionCall, part.thoughtSignature);
        else if (part.text) append(part, part.text);
      }
    },
    outcome: () => ({
      textLength: runs.reduce((length, { text }) => length + text.length, 0),
      inputLength: calls.reduce((length, { args }) => length + JSON.stringify(args).length, 0),
      blocks: finishReason === 'STOP' && usage ? runs.length + calls.length : 0,
    }),
  };

  function append({ thought = false }: Part, text: string): void {
    const last = runs.at(-1);
    const run = last?.isThought === thought ? last : { isThought: thought, text: '' };
    if (run !== last) runs.push(run);
    run.text += text;
    tally.add({ type: thought ? 'reasoning_delta' : 'text_delta', index: runs.length - 1, text });
  }

  function takeCall({ name, args = {}, partialArgs, willContinue }: FunctionCall, signature: string | undefined): void {
    if (name !== undefined) {
      growing = { name, args, signature };
      calls.push(growing);
    }
    if (!growing) return;
    for (const piece of partialArgs ?? []) setPiece(growing.args, piece);
    if (willContinue) return;
    tally.add({ type: 'tool_input_delta', index: calls.length - 1, json: JSON.stringify(growing.args) });
    growing = undefined;
  }
}

/** Walks to the place of a piece, making what is missing on the way. A second string at a place goes on there. */
function setPiece(args: Container, { jsonPath = '', ...value }: PartialArg): void {
  const steps = jsonPath.slice(2).split(/[.[]/);
  let container = args;
  for (let place = 0; place < steps.length; place++) {
    const step = steps[place] ?? '';
    const next = steps[place + 1];
    const key = step.endsWith(']') ? step.slice(0, -1) : step;
    const before = container[key];
    if (next === undefined) {
      if (key !== '') container[key] = typeof before === 'string' ? before + value.stringValue : plainValue(value);
      return;
    }
    const inner: unknown = isContainer(before) ? before : next.endsWith(']') ? [] : {};
    container[key] = inner;
    if (!isContainer(inner)) return;
    container = inner;
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function plainValue({ stringValue, numberValue, boolValue }: PartialArg): string | number | boolean | null {
  return stringValue ?? numberValue ?? boolValue ?? null;
}
