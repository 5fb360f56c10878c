import { gemini } from '../../src/gemini.ts';
import { listFixtures } from '../fixtures.ts';
import { listRecordings } from '../recordings.ts';
import { dialectLaws, type Sample } from './dialect-laws.ts';

const fixtures: Sample[] = listFixtures('gemini').map(({ name, bytes, expected }) => ({
  name,
  bytes,
  dialect: gemini(expected.options),
}));

const cases: Sample[] = listRecordings('cases/gemini').map(({ name, bytes }) => ({ name, bytes, dialect: gemini }));

dialectLaws('gemini, by the dialect laws, on the fixtures', fixtures);
if (cases.length > 0) dialectLaws('gemini, by the dialect laws, on the cases', cases);
