import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

/** When a process began, so that a reused process number is not taken for the old owner. */
const startOf = async (pid: number): Promise<string | null> => {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    if (process.platform === 'linux') return null;
  }
  try {
    process.kill(pid, 0);
    return 'unknown';
  } catch {
    return null;
  }
};

const describe = async (pid: number): Promise<string> => `${pid} ${(await startOf(pid)) ?? ''}`;

const takenBy = (folder: string, holder: string): Error => {
  const pid = Number.parseInt(holder, 10);
  const who = Number.isInteger(pid) ? ` (process ${pid})` : '';
  return new Error(
    `Breakwater is already running on ${folder}${who}. Stop it first, or set BREAKWATER_DATA_DIR to another folder.`,
  );
};

/**
 * Holds a name that the kernel takes back whenever the process ends, so that of two starts at once exactly one goes on.
 * Only Linux has such names.
 * @returns how to give it back, or nothing where somebody holds it.
 */
const holdName = async (folder: string): Promise<(() => Promise<void>) | undefined> => {
  if (process.platform !== 'linux') return async () => undefined;
  const digest = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32);
  const server = createServer().unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(`\0breakwater-${digest}`, () => {
      resolve(() => new Promise((done) => server.close(() => done())));
    });
  });
};

/** Writes who has the folder, once no living process is named there. */
const signFile = async (folder: string, file: string): Promise<void> => {
  const mine = await describe(process.pid);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeFile(file, mine, { flag: 'wx' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST') || attempt > 5) throw error;
    }
    const holder = await readFile(file, 'utf8').catch(() => '');
    const pid = Number.parseInt(holder, 10);
    const isHeld =
      Number.isInteger(pid) && pid !== process.pid && holder === (await describe(pid)) && (await startOf(pid)) !== null;
    if (isHeld) throw takenBy(folder, holder);
    await rm(file, { force: true });
  }
};

/**
 * Claims a data folder for this process. A claim whose process has ended counts for nothing.
 * @returns how to give it back.
 * @throws when a living Breakwater has it.
 */
export const lockFolder = async (folder: string): Promise<() => Promise<void>> => {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'server.lock');
  const release = await holdName(folder);
  if (release === undefined) throw takenBy(folder, await readFile(file, 'utf8').catch(() => ''));
  try {
    await signFile(folder, file);
  } catch (error) {
    await release();
    throw error;
  }
  return async () => {
    await rm(file, { force: true });
    await release();
  };
};
