import { FINDINGS_OF_A_ROUND, failoverRound, type RoundResult } from '../../e2e/harness/failover-round.ts';
import { startFailoverScene } from '../../e2e/harness/failover-scene.ts';

/**
 * The primary of a PostgreSQL under Patroni is killed during an import and 200 readers; nothing acknowledged is lost, and all processes are
 * ready again by themselves. Argument: how often.
 */
const ROUNDS = Number(process.argv[2] ?? 20);
const READERS = 200;
const TIMES = ['firstRead', 'ready', 'imported', 'heard', 'rejoined'] as const;

const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** Median and worst, in seconds. */
const spread = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], worst: sorted.at(-1) };
};

if (!Number.isInteger(ROUNDS) || ROUNDS < 1)
  throw new Error('How often is a whole number: npm run soak -- failover 20');
const results: RoundResult[] = [];
const scene = await startFailoverScene({ readers: READERS, findings: (ROUNDS + 1) * FINDINGS_OF_A_ROUND });
try {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const result = await failoverRound(scene, round);
    results.push(result);
    say(result);
  }
} finally {
  await scene.stop();
}
const sum = (pick: (result: RoundResult) => number): number => results.reduce((total, one) => total + pick(one), 0);
say({
  rounds: results.length,
  lost: sum(({ lost }) => lost.length),
  faults: sum(({ faults }) => faults.length),
  decisions: sum(({ decisions }) => decisions),
  uploads: sum(({ uploads }) => uploads),
  seconds: Object.fromEntries(TIMES.map((name) => [name, spread(results.map((result) => result[name]))])),
});
process.exitCode = results.some(({ lost, faults }) => lost.length + faults.length > 0) ? 1 : 0;
