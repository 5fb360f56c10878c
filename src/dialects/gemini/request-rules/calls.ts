import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import type { HistoryRule } from '../../../core/request-rule.ts';
import { isText } from '../wire.ts';
import { callIn, contentsOf, error, type Found, memberOf, type PlacedPart, warning } from './reading.ts';
import { stepsOf } from './steps.ts';

/** All calls of an answer are answered, together. */
export const responseCount: HistoryRule = {
  code: 'response_count',
  source: 'https://github.com/google-gemini/gemini-cli/issues/3814',
  *find(body) {
    for (const { calls, answers } of stepsOf(contentsOf(body))) {
      const responses = answers.flat();
      const path = answers[0]?.[0]?.path.replace(/\.parts.*$/, '');
      if (path === undefined || calls.length === 0) continue;
      const message =
        'Please ensure that the number of function response parts is equal to the number of function call parts of ' +
        `the function call turn: ${calls.length} calls, ${responses.length} responses.`;
      if (responses.length !== calls.length) yield error(path, `${message} Send one for each, be it an error.`);
      else if (answers.length > 1) yield warning(path, `${message} They stand in several contents; send them in one.`);
    }
  },
};

/** A call that nothing answers leaves the model without what it asked for. */
export const unansweredCall: HistoryRule = {
  code: 'unanswered_call',
  source: 'https://ai.google.dev/gemini-api/docs/function-calling',
  *find(body) {
    for (const { calls, answers } of stepsOf(contentsOf(body))) {
      if (answers.length > 0) continue;
      for (const { path } of calls) {
        const message = 'No function response follows this call; newer models refuse that, older ones go on without.';
        yield warning(path, `${message} Send one for each call in the next content, be it that it was not run.`);
      }
    }
  },
};

/** Responses come directly behind the calls. */
export const misplacedResponse: HistoryRule = {
  code: 'misplaced_response',
  source: 'https://github.com/langchain-ai/langchain/issues/27799',
  *find(body) {
    for (const { calls, answers } of stepsOf(contentsOf(body))) {
      if (calls.length > 0) continue;
      for (const { path } of answers.flat()) {
        const message = 'Please ensure that function response turn comes immediately after a function call turn.';
        yield error(path, `${message} Send it directly behind the content with its call.`);
      }
    }
  },
};

/** Responses name their calls, in their order. */
export const responseMatch: HistoryRule = {
  code: 'response_mismatch',
  source: 'https://ai.google.dev/gemini-api/docs/function-calling',
  *find(body) {
    for (const { calls, answers } of stepsOf(contentsOf(body))) {
      const responses = answers.flat();
      if (responses.length === calls.length) yield* mismatches(calls, responses);
    }
  },
};

function* mismatches(calls: readonly PlacedPart[], responses: readonly PlacedPart[]): Iterable<Found> {
  const called = calls.map((placed) => callIn(placed) ?? {});
  const nameById = new Map(called.flatMap(({ id, name }) => (isText(id) ? [[id, name] as const] : [])));
  const names = new Set(called.map(({ name }) => name));
  for (const [place, { part, path }] of responses.entries()) {
    const { id, name } = asObject(memberOf(part, 'functionResponse'));
    const isKnownId = isText(id) && nameById.has(id);
    if (isText(id) && nameById.size === calls.length && !isKnownId) {
      yield warning(path, `No call before it has the id ${id}. Send the id of the call, or none.`);
    } else if (!names.has(name)) {
      yield warning(path, `No call before it is of ${String(name)}. Send the name of the function that was called.`);
    } else if ((isKnownId ? nameById.get(id) : called[place]?.['name']) !== name) {
      yield warning(path, 'It is not of the call at its place. Send the responses in the order of the calls.');
    }
  }
}

/** Calls go back with their arguments, not with the pieces that these came in. */
export const partialArgs: HistoryRule = {
  code: 'partial_args',
  source: 'https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling (recorded: 200)',
  *find(body) {
    for (const placed of contentsOf(body).flatMap(({ parts }) => parts)) {
      const call = callIn(placed);
      const name = ['partialArgs', 'willContinue'].find((member) => call && memberOf(call, member) !== undefined);
      if (name === undefined) continue;
      const message = 'Pieces of arguments are not read in a request: the model sees a call without any.';
      yield warning(`${placed.path}.functionCall.${name}`, `${message} Put them together, and send \`args\`.`);
    }
  },
};

/** Arguments and responses are objects. */
export const callShape: HistoryRule = {
  code: 'not_an_object',
  source: 'https://ai.google.dev/api/caching#FunctionCall',
  *find(body) {
    for (const { part, path } of contentsOf(body).flatMap(({ parts }) => parts)) {
      for (const [name, member] of objectMembers) {
        const holder = memberOf(part, name);
        const value = isJsonObject(holder) ? holder[member] : undefined;
        if (value === undefined || value === null || isJsonObject(value)) continue;
        const place = `${path}.${name}.${member}`;
        yield error(place, `Invalid value at '${place}' (google.protobuf.Struct). Send an object.`);
      }
    }
  },
};

const objectMembers = [
  ['functionCall', 'args'],
  ['functionResponse', 'response'],
] as const;

/** A call and a response say which function they are of. */
export const missingName: HistoryRule = {
  code: 'missing_function_name',
  source: 'https://ai.google.dev/api/caching#FunctionResponse',
  *find(body) {
    for (const { part, path } of contentsOf(body).flatMap(({ parts }) => parts)) {
      for (const [name] of objectMembers) {
        const holder = memberOf(part, name);
        if (!isJsonObject(holder) || isText(holder['name'])) continue;
        const message = `${path}.${name}.name: Name cannot be empty. Send the name of the function.`;
        yield error(`${path}.${name}.name`, message);
      }
    }
  },
};

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
