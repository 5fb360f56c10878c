import { chatCompletions } from '../../../src/chat-completions.ts';
import { describeFixtures } from '../fixture-suite.ts';

const options = ['choice', 'mergeChoices', 'cumulativeReasoning'];

describeFixtures('chat-completions', ({ name, expected }) => {
  const unknown = Object.keys(expected.options).filter((option) => !options.includes(option));
  if (unknown.length > 0) throw new Error(`${name}: unknown options ${unknown}`);
  return chatCompletions(expected.options);
});
