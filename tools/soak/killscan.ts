import { ASSERTIONS, killedScan, type Moment } from '../../e2e/harness/interrupted-scan.ts';

/** kill -9 of the whole server at moments of a scan; each must be done or failed with a reason, without an orphan or a clone that is left. */
const ROUNDS = Number(process.argv[2] ?? 20);
const LONGEST_MS = 12_000;
const NAMED: readonly Moment[] = ['clone', 'scanner', 'import'];

/** Of six moments three by what happens, three by time, spread over the whole scan. */
const momentOf = (round: number): Moment => {
  const named = NAMED[round % 6];
  return named ?? Math.round((round * LONGEST_MS) / ROUNDS);
};

let failures = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const moment = momentOf(round);
  const start = Date.now();
  const result = await killedScan(moment).catch((error: unknown) => ({ error: String(error) }));
  const isRight =
    !('error' in result) &&
    (result.status === 'done'
      ? result.findings === ASSERTIONS
      : result.status === 'failed' && result.detail !== null) &&
    result.orphans.length + result.leftover.length === 0;
  if (!isRight) failures += 1;
  const line = {
    soak: 'killscan',
    round: round + 1,
    moment,
    seconds: Math.round((Date.now() - start) / 1000),
    isRight,
  };
  process.stdout.write(`${JSON.stringify({ ...line, ...result })}\n`);
}
process.stdout.write(`${ROUNDS - failures} of ${ROUNDS} right\n`);
process.exitCode = failures > 0 ? 1 : 0;
