import { peerLabels, recordingLabels } from './labels.ts';
import { once, smallProbes } from './plan.ts';
import type { Processes } from './processes.ts';

/**
 * Lets every peer read its small streams once, and says which of them do the work.
 *
 * @returns Whether all do.
 */
export async function smoke(processes: Processes): Promise<boolean> {
  let isWell = true;
  for (const probe of smallProbes) {
    const title = `${peerLabels[probe.peer]}: ${recordingLabels[probe.recording]}`;
    try {
      const { events } = await processes.measure(probe, once);
      console.log(`${title}: ${events} events, as they should be`);
    } catch (error) {
      isWell = false;
      console.log(`${title}: FAILED: ${error instanceof Error ? error.message : error}`);
    }
  }
  return isWell;
}
