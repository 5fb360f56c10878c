import * as wholeturn from 'wholeturn';
import { anthropic } from 'wholeturn/anthropic';
import { chatCompletions } from 'wholeturn/chat-completions';
import { gemini } from 'wholeturn/gemini';
import { responses } from 'wholeturn/responses';
import { smoke } from './smoke.mjs';

export default {
  fetch: () =>
    smoke(wholeturn, { anthropic, chatCompletions, responses, gemini }).then(
      (result) => new Response(result),
      (cause) => new Response(String(cause?.stack ?? cause)),
    ),
};
