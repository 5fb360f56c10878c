import { anthropic } from '../../../src/anthropic.ts';
import { describeFixtures } from '../fixture-suite.ts';

describeFixtures('anthropic', ({ name, expected }) => {
  const { unsignedThinking, ...others } = expected.options;
  if (Object.keys(others).length > 0) throw new Error(`${name}: unknown options ${Object.keys(others)}`);
  if (unsignedThinking === undefined) return anthropic;
  if (unsignedThinking !== 'keep') throw new Error(`${name}: unsignedThinking can only be keep`);
  return anthropic({ unsignedThinking });
});
