import { chatCompletions } from '../../../src/chat-completions.ts';
import { testOnCases } from '../cases.ts';

testOnCases('chat-completions', chatCompletions);
