import { isDeepStrictEqual } from 'node:util';
import { cleanRun, fullDiskRun } from '../../e2e/harness/interrupted-import.ts';

/**
 * The disk of the database becomes full before an import or while one runs; after space is freed, the result must equal one clean run.
 * Arguments: megabytes that are left free.
 */
const LEFT_MB = process.argv[2] === undefined ? [0, 4, 16, 40, 100] : process.argv.slice(2).map(Number);
const MOMENTS_MS = [undefined, 100, 400, 800, 1200];

const expected = await cleanRun();
let failures = 0;
for (const left of LEFT_MB) {
  for (const moment of MOMENTS_MS) {
    const result = await fullDiskRun(left, moment).catch((error: unknown) => ({
      met: String(error),
      harvest: undefined,
    }));
    const isEqual = isDeepStrictEqual(result.harvest, expected);
    if (!isEqual) failures += 1;
    const when = moment === undefined ? 'before the upload' : `${moment} ms after it`;
    process.stdout.write(`${left} MB free, ${when}: ${isEqual ? 'equal' : 'DIFFERENT'}; ${result.met}\n`);
  }
}
process.stdout.write(failures === 0 ? 'all equal\n' : `${failures} differ\n`);
process.exitCode = failures > 0 ? 1 : 0;
