import { spawn } from 'node:child_process';
import { programOf } from './processor-time.ts';

/**
 * Lets a process run only where no other wants to (`SCHED_IDLE`), for the rest of its life. Where the machine has no chrt, or refuses, it
 * stays as nice as it was. Source: chrt(1), sched(7).
 * @param started as `programOf` takes it
 */
export const letGiveWay = (started: number): void => {
  const args = ['--all-tasks', '--idle', '--pid', '0', String(programOf(started))];
  spawn('chrt', args, { cwd: '/', stdio: 'ignore' }).once('error', () => undefined);
};
