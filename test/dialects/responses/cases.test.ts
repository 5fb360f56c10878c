import { responses } from '../../../src/responses.ts';
import { testOnCases } from '../cases.ts';

testOnCases('responses', responses);
