import fc from 'fast-check';

/**
 * Property tests try the same values each time, so that a run says something of the change it is for. To look for values
 * that break them, run them with `FAST_CHECK_SEED=random`, or with any number.
 */
const { FAST_CHECK_SEED: seed = '20261130' } = process.env;
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
