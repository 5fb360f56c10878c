import { responses } from '../../src/responses.ts';
import { listFixtures } from '../fixtures.ts';
import { listRecordings } from '../recordings.ts';
import { dialectLaws, type Sample } from './dialect-laws.ts';

const fixtures: Sample[] = listFixtures('responses').map(({ name, bytes, expected }) => ({
  name,
  bytes,
  dialect: responses(expected.options),
}));

const cases: Sample[] = listRecordings('cases/responses').map(({ name, bytes }) => ({
  name,
  bytes,
  dialect: responses,
}));

dialectLaws('responses, by the dialect laws, on the fixtures', fixtures);
if (cases.length > 0) dialectLaws('responses, by the dialect laws, on the cases', cases);
