import * as wholeturn from 'wholeturn';
import * as anthropicEntry from 'wholeturn/anthropic';
import { smoke } from './smoke.mjs';

export default {
  fetch: () =>
    smoke(wholeturn, anthropicEntry).then(
      (result) => new Response(result),
      (cause) => new Response(String(cause?.stack ?? cause)),
    ),
};
