import { statfs } from 'node:fs/promises';
import os from 'node:os';

/** Linux's folder in memory. */
const IN_MEMORY = '/dev/shm';
const GIB = 2 ** 30;
/** Room for the databases of a run, and for the tests themselves; chosen, not measured. */
const NEEDED_SPACE = 4 * GIB;
const NEEDED_MEMORY = 8 * GIB;

/**
 * Where the test server keeps its data: in memory where there is plenty of both space and memory, else where temporary files go. Each
 * test file creates and drops a database of about 900 files, on which ext4 spends three to four times as long.
 */
export const scratchFolder = async (): Promise<string> => {
  const space = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return space >= NEEDED_SPACE && os.freemem() >= NEEDED_MEMORY ? IN_MEMORY : os.tmpdir();
};
