import { parseArgs } from 'node:util';
import { judge } from './gates.ts';
import { allContests, type Contest, gateContests, quickContests } from './plan.ts';
import { holdings } from './probe.ts';
import { createProcesses, type Processes } from './processes.ts';
import { report } from './report.ts';
import { createResults, type Results } from './results.ts';
import { smoke } from './smoke.ts';

const help = `Usage: npm run bench [-- --quick | --check | --smoke] [--only TEXT]

Measures this library beside the floor and the official SDKs, and prints Markdown tables.

  (nothing)  every stream in every chunking: about 13 minutes
  --quick    one round of the streams that say most: about a minute
  --check    the gates only: about 5 minutes; exit code 1 if one is missed
  --only     only streams whose name contains TEXT, such as gemini; no verdict on gates
  --smoke    no figures: whether every peer reads a small stream right; seconds; exit code 1 if one does not
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    check: { type: 'boolean' },
    smoke: { type: 'boolean' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean' },
  },
});

if (values.help) process.stdout.write(help);
else process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  const processes = await createProcesses();
  try {
    return await (values.smoke ? smoke(processes) : bench(processes));
  } finally {
    await processes.close();
  }
}

/** Measures, prints the tables, and returns whether the gates that count are kept. */
async function bench(processes: Processes): Promise<boolean> {
  const results = createResults();
  await runContests(contests(), processes, results);
  for (const holding of values.quick || values.only !== '' ? [] : holdings) {
    results.retained.set(holding, await processes.measureRetained(holding));
  }
  // One round is no verdict, nor are some of the streams.
  const verdicts = values.quick || values.only !== '' ? [] : judge(results);
  console.log(report(results, verdicts));
  return !values.check || verdicts.every(({ isKept }) => isKept);
}

function contests(): readonly Contest[] {
  return plannedContests().filter(({ recording }) => recording.includes(values.only));
}

function plannedContests(): readonly Contest[] {
  if (values.quick) return quickContests;
  return values.check ? gateContests : allContests;
}

async function runContests(list: readonly Contest[], processes: Processes, results: Results): Promise<void> {
  const rounds = Math.max(...list.map((contest) => contest.rounds));
  for (let round = 0; round < rounds; round++) {
    for (const { recording, chunking, peers, effort } of list.filter((contest) => contest.rounds > round)) {
      process.stderr.write(`round ${round + 1} of ${rounds}: ${recording}, ${chunking}\n`);
      for (const peer of peers) {
        const probe = { peer, recording, chunking };
        results.add(probe, await processes.measure(probe, effort));
      }
    }
  }
}
