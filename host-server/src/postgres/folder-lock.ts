import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/**
 * Claims a data folder for this process. A claim whose process has ended counts for nothing.
 * @returns how to give it back.
 * @throws when a living Breakwater has it.
 */
export const lockFolder = async (folder: string): Promise<() => Promise<void>> => {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'server.lock');
  const mine = await describe(process.pid);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writeFile(file, mine, { flag: 'wx' });
      return () => rm(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST') || attempt > 5) throw error;
    }
    const holder = await readFile(file, 'utf8').catch(() => '');
    const pid = Number.parseInt(holder, 10);
    const isHeld =
      Number.isInteger(pid) && pid !== process.pid && holder === (await describe(pid)) && (await startOf(pid)) !== null;
    if (isHeld) {
      throw new Error(
        `Breakwater is already running on ${folder} (process ${pid}). Stop it first, or set BREAKWATER_DATA_DIR to another folder.`,
      );
    }
    await rm(file, { force: true });
  }
};
