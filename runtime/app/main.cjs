const wholeturn = require('wholeturn');
const { anthropic } = require('wholeturn/anthropic');
const { chatCompletions } = require('wholeturn/chat-completions');
const { gemini } = require('wholeturn/gemini');
const { responses } = require('wholeturn/responses');

import('./smoke.mjs')
  .then(({ smoke }) => smoke(wholeturn, { anthropic, chatCompletions, responses, gemini }))
  .then(console.log, (cause) => {
    console.error(cause);
    process.exitCode = 1;
  });
