import type { HistoryRule } from '../../../core/request-rule.ts';
import { modelOf } from './model.ts';
import { callIn, contentsOf, error, memberOf, type PlacedPart, warning } from './reading.ts';

/** A request asks something. */
export const emptyContents: HistoryRule = {
  code: 'empty_contents',
  source: 'https://ai.google.dev/api/generate-content',
  *find({ contents }) {
    const isEmpty = contents === undefined || contents === null || (Array.isArray(contents) && contents.length === 0);
    if (isEmpty) yield error('contents', 'GenerateContentRequest.contents: contents is not specified. Ask something.');
  },
};

/** A content says something. */
export const emptyParts: HistoryRule = {
  code: 'empty_parts',
  source: 'https://github.com/vercel/ai/issues/3775',
  *find(body) {
    for (const { content, path } of contentsOf(body)) {
      const { parts } = content;
      if (parts !== undefined && parts !== null && !(Array.isArray(parts) && parts.length === 0)) continue;
      const message = `GenerateContentRequest.${path}.parts: contents.parts must not be empty.`;
      yield error(`${path}.parts`, `${message} Leave the content out.`);
    }
  },
};

/** A part has data. */
export const emptyPart: HistoryRule = {
  code: 'empty_part',
  source: 'https://github.com/router-for-me/CLIProxyAPI/issues/1292',
  *find(body) {
    for (const { part, path } of contentsOf(body).flatMap(({ parts }) => parts)) {
      const members = Object.keys(part).filter((name) => part[name] !== undefined && part[name] !== null);
      const says = `GenerateContentRequest.${path}.data: required oneof field 'data' must have one initialized field.`;
      if (members.every((name) => name === 'thought')) yield error(path, `${says} Leave the part out.`);
      else if (isSignatureAlone(members)) yield warning(path, `${says} Send the text \`""\` beside the signature.`);
      else if (part['text'] === '' && members.every((name) => name === 'text' || name === 'thought')) {
        yield warning(path, `${says} Some servers say so of an empty text; leave the part out.`);
      }
    }
  },
};

function isSignatureAlone(members: readonly string[]): boolean {
  return members.every((name) => /^thought(Signature|_signature)?$/.test(name));
}

/** Who may speak. */
export const unknownRole: HistoryRule = {
  code: 'unknown_role',
  source: 'https://ai.google.dev/api/caching#Content (recorded: 400, Please use a valid role)',
  *find(body) {
    const contents = contentsOf(body);
    for (const { content, path } of contents) {
      const { role } = content;
      const place = `${path}.role`;
      const message = 'Please use a valid role: user, model.';
      if (role === undefined || role === null || role === '') {
        if (contents.length > 1) yield warning(place, `${message} In a conversation each content says whose it is.`);
      } else if (role === 'function') {
        yield warning(place, `${message} Function responses are the user's.`);
      } else if (role !== 'user' && role !== 'model') {
        yield error(place, `${message} Instructions go to \`systemInstruction\`, function responses are the user's.`);
      }
    }
  },
};

/** An answer is one content, and calls answer to something. */
export const splitAnswer: HistoryRule = {
  code: 'split_answer',
  source: 'https://github.com/googleapis/python-genai/issues/1791',
  *find(body) {
    let before: readonly PlacedPart[] | undefined;
    for (const [order, { role, parts, path }] of contentsOf(body).entries()) {
      const says =
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
      const isCall = parts.some(callIn);
      if (role === 'model' && order === 0 && isCall) yield error(path, `${says} Keep what the user said before it.`);
      if (role === 'model' && before) {
        const isRefused = isCall && before.some(callIn);
        const found = isRefused ? error : warning;
        const message =
          'An answer stands in several contents, so that each of its calls counts as a first one, which must be signed.';
        yield found(path, `${isCall ? `${says} ` : ''}${message} Put all its parts into one content, in their order.`);
      }
      before = role === 'model' ? parts : undefined;
    }
  },
};

/** What goes back of an answer does not end in reasoning. */
export const trailingThought: HistoryRule = {
  code: 'trailing_thought',
  source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
  *find(body) {
    for (const { role, parts } of contentsOf(body)) {
      const last = parts.at(-1);
      if (role !== 'model' || last?.part['thought'] !== true || callIn(last)) continue;
      const message =
        'The content ends in a thought that led to nothing: the answer was cut, or a part of it was lost.';
      yield warning(last.path, `${message} Send what came behind it, or leave the thought out.`);
    }
  },
};

/** The last word is the user's. */
export const trailingAnswer: HistoryRule = {
  code: 'trailing_answer',
  source: 'https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/gemini/3-5-flash-lite',
  *find(body, context) {
    const last = contentsOf(body).at(-1);
    if (last?.role !== 'model') return;
    const message = 'The last content is of the role model; newer models refuse to go on from there.';
    const { name = '', version = 0 } = modelOf(body, context) ?? {};
    const isRefused = version >= 3.5 && name.includes('flash-lite');
    yield (isRefused ? error : warning)(last.path, `${message} End with what the user says, or with responses.`);
  },
};

/** What only an answer holds. */
export const foreignSide: HistoryRule = {
  code: 'call_of_user',
  source: 'https://ai.google.dev/gemini-api/docs/function-calling',
  *find(body) {
    for (const { role, parts } of contentsOf(body)) {
      if (role !== 'user') continue;
      for (const { part, path } of parts) {
        if (memberOf(part, 'functionCall') === undefined || memberOf(part, 'functionCall') === null) continue;
        yield warning(path, 'Only the model calls functions. Send the call in a content of the role `model`.');
      }
    }
  },
};
