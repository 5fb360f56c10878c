import { anthropic } from '../../../src/anthropic.ts';
import { testOnCases } from '../cases.ts';

testOnCases('anthropic', anthropic);
