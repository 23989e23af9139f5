import { isDeepStrictEqual } from 'node:util';
import { cleanRun, killedRun } from '../../e2e/harness/interrupted-import.ts';

/** Fifty times kill -9 at another moment of an import; each result must equal one clean run. */
const ROUNDS = Number(process.argv[2] ?? 50);
const LONGEST_MS = 2000;

const expected = await cleanRun();
let failures = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const momentMs = Math.round((round * LONGEST_MS) / ROUNDS);
  const isEqual = await killedRun(momentMs).then(
    (result) => isDeepStrictEqual(result, expected),
    (error: unknown) => {
      process.stdout.write(`${String(error)}\n`);
      return false;
    },
  );
  if (!isEqual) failures += 1;
  process.stdout.write(
    `round ${round + 1} of ${ROUNDS}, killed after ${momentMs} ms: ${isEqual ? 'equal' : 'DIFFERENT'}\n`,
  );
}
process.stdout.write(`${ROUNDS - failures} of ${ROUNDS} equal\n`);
process.exitCode = failures > 0 ? 1 : 0;
