import type { ToolCall } from '../core/turn.ts';

/** What a tool is told beside its input. */
export interface ToolContext {
  readonly call: ToolCall;
  /** Aborted when the loop is stopped, or the tool's time is over. */
  readonly signal: AbortSignal;
  /** The number of the turn that made the call, from 1. */
  readonly turnNumber: number;
}

/**
 * Runs a tool. What it returns is the result: a text, the provider's own parts, or anything that is JSON. What it throws
 * is a result, too: an error that the model is told of.
 */
export type ToolFunction = (input: never, context: ToolContext) => unknown;

/**
 * A schema of any library that speaks Standard Schema: zod, valibot, arktype, …
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>;
  };
}

/** What a schema says of a value. */
export type SchemaResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** Something in a value that the schema does not allow. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A tool with more than its function. */
export interface Tool {
  readonly run: ToolFunction;
  /** Checks the input, and may change it; what does not fit is told to the model, and the tool does not run. */
  readonly schema?: StandardSchema | undefined;
  /** Milliseconds that it may take; that of the loop by default. */
  readonly timeout?: number | undefined;
}

/** Tools by their names. */
export type Tools = Readonly<Record<string, Tool | ToolFunction>>;

/** The tool of a name; undefined if there is none. */
export function findTool(tools: Tools, name: string): Tool | undefined {
  const found = Object.hasOwn(tools, name) ? tools[name] : undefined;
  return typeof found === 'function' ? { run: found } : found;
}

/** The input as the tool takes it. Throws for one that does not fit, and says where. */
export async function checkedInput({ schema }: Tool, input: unknown): Promise<unknown> {
  if (!schema) return input;
  const result = await schema['~standard'].validate(input);
  if (!result.issues) return result.value;
  const problems = result.issues.map(({ path = [], message }) => {
    const place = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
    return place === '' ? message : `${place}: ${message}`;
  });
  throw new TypeError(`The input does not fit the tool: ${problems.join('; ')}`);
}
