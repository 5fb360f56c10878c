const wholeturn = require('wholeturn');
const anthropicEntry = require('wholeturn/anthropic');

import('./smoke.mjs')
  .then(({ smoke }) => smoke(wholeturn, anthropicEntry))
  .then(console.log, (cause) => {
    console.error(cause);
    process.exitCode = 1;
  });
