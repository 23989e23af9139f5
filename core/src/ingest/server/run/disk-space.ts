import { statfs } from 'node:fs/promises';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';

const MEGABYTE = 1024 * 1024;
/** The database ends all its sessions when it cannot write its log: so much stays free for all else that it does. */
const RESERVE_MB = 64;
/** What a report takes for a while, as a multiple of its size: staged, stored, indexed, and logged. */
const TIMES_SIZE = 5;

/** Why an import stops before it makes the disk full, or after the database said that it is. */
export class DiskFull extends Error {}

/** For the person who uploaded. */
export const DISK_FULL_DETAIL = msg(
  'The disk of the database is full. Nothing was changed. Free some space, or ask who runs this server to, and upload the report again.',
);

/**
 * Looks whether the disk of the embedded database can take a report. Another database watches its own disk.
 * @param folder of the embedded database.
 * @param reportBytes what is still to come; 0 in between.
 * @throws DiskFull
 */
export const requireSpace = async (folder: string | undefined, reportBytes: number): Promise<void> => {
  if (folder === undefined) return;
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / MEGABYTE);
  const neededMb = RESERVE_MB + Math.ceil((reportBytes * TIMES_SIZE) / MEGABYTE);
  if (freeMb < neededMb) {
    throw new DiskFull(
      sayEnglish('{reason} {freeMb} MB are free; this import needs {neededMb} MB.', {
        reason: DISK_FULL_DETAIL,
        freeMb,
        neededMb,
      }),
    );
  }
};
