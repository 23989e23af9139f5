import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { NICE } from './plugin-command.ts';

/** The kernel takes ten of them a second from those who are not root. Source: sched(7), proc_sched_autogroup_set_nice. */
const BUSY_MS = 150;
const TRIES = 20;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * The kernel shares processors between sessions first where it groups them (`sched_autogroup_enabled`), and a process in a session of its own is then nice
 * only to itself. The session of a plugin is made as nice as its process. Nothing is done where the kernel has no such groups. Source: sched(7), autogroup.
 */
export async function giveWay(pid: number | undefined): Promise<void> {
  if (pid === undefined || process.platform !== 'linux') return;
  for (let turn = 0; turn < TRIES; turn += 1) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(NICE), { flag: 'r+' });
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') return;
      await sleep(BUSY_MS, undefined, { ref: false });
    }
  }
}
