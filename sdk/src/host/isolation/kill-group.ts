import type { ChildProcess } from 'node:child_process';

/** Ends a process that was started detached, with all that belongs to it. */
export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
