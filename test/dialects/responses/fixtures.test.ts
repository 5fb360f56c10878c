import { responses } from '../../../src/responses.ts';
import { describeFixtures } from '../fixture-suite.ts';

describeFixtures('responses', ({ expected }) => responses(expected.options));
