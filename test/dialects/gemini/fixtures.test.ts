import { gemini } from '../../../src/gemini.ts';
import { describeFixtures } from '../fixture-suite.ts';

describeFixtures('gemini', ({ expected }) => gemini(expected.options));
