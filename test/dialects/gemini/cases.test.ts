import { gemini } from '../../../src/gemini.ts';
import { testOnCases } from '../cases.ts';

testOnCases('gemini', gemini);
