import * as wholeturn from 'wholeturn';
import { anthropic } from 'wholeturn/anthropic';
import { chatCompletions } from 'wholeturn/chat-completions';
import { gemini } from 'wholeturn/gemini';
import { responses } from 'wholeturn/responses';
import { smoke } from './smoke.mjs';

console.log(await smoke(wholeturn, { anthropic, chatCompletions, responses, gemini }));
