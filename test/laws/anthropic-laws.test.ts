import { anthropic } from '../../src/anthropic.ts';
import { listFixtures } from '../fixtures.ts';
import { listRecordings } from '../recordings.ts';
import { dialectLaws, type Sample } from './dialect-laws.ts';

const fixtures: Sample[] = listFixtures('anthropic').map(({ name, bytes, expected }) => ({
  name,
  bytes,
  dialect: anthropic(expected.options),
}));

const cases: Sample[] = listRecordings('cases/anthropic').map(({ name, bytes }) => ({
  name,
  bytes,
  dialect: anthropic,
}));

dialectLaws('anthropic, by the dialect laws, on the fixtures', fixtures);
if (cases.length > 0) dialectLaws('anthropic, by the dialect laws, on the cases', cases);
