import type { Holding, Measurement, Probe } from './probe.ts';

/** A figure that was found in several rounds. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** What was measured so far. */
export interface Results {
  /** Notes what one round found. */
  add(probe: Probe, measurement: Measurement): void;
  /** What the rounds found, in order; empty if the probe was not measured. */
  rounds(probe: Probe): readonly Measurement[];
  /** Bytes that a finished turn retains beside its blocks, by what of it is held. */
  readonly retained: Map<Holding, number>;
  /** CPU time of the first over that of the second, round by round; undefined unless both were measured. */
  ratio(over: Probe, under: Probe): Spread | undefined;
}

/** Makes an empty collection of results. */
export function createResults(): Results {
  const measured = new Map<string, Measurement[]>();
  const rounds = (probe: Probe): readonly Measurement[] => measured.get(keyOf(probe)) ?? [];
  return {
    add(probe, measurement) {
      const key = keyOf(probe);
      const list = measured.get(key) ?? [];
      list.push(measurement);
      measured.set(key, list);
    },
    rounds,
    retained: new Map(),
    ratio(over, under) {
      const unders = rounds(under);
      return spreadOf(
        rounds(over).flatMap(({ microseconds }, round) => {
          const base = unders[round];
          return base ? microseconds / base.microseconds : [];
        }),
      );
    },
  };
}

/** The median, the lowest and the highest of some numbers; undefined of none. */
export function spreadOf(numbers: readonly number[]): Spread | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [lower, upper] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (lower === undefined || upper === undefined || low === undefined || high === undefined) return undefined;
  return { median: (lower + upper) / 2, low, high };
}

function keyOf({ peer, recording, chunking }: Probe): string {
  return `${peer} ${recording} ${chunking}`;
}
