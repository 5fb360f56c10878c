import * as wholeturn from 'wholeturn';
import * as anthropicEntry from 'wholeturn/anthropic';
import { smoke } from './smoke.mjs';

console.log(await smoke(wholeturn, anthropicEntry));
