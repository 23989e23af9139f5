import { readFileSync } from 'node:fs';

/** What the kernel counts of a process since it started. */
export interface ProcessorTime {
  readonly pid: number;
  /** All threads together. */
  readonly ranMs: number;
  /** Its first thread could have run, and had no processor. */
  readonly waitedMs: number;
}

const NS_PER_MS = 1e6;
/** Source: proc_pid_stat(5), USER_HZ, which is 100 wherever Node runs on Linux. */
const TICK_MS = 10;
/** What starts a program in namespaces of its own waits for it. */
const MAX_DEPTH = 3;

const childOf = (pid: number): number | null => {
  try {
    const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ');
    return first === '' ? null : Number(first);
  } catch {
    return null;
  }
};

/** The program that a started process ends up as: itself, or what it waits for. Source: proc_tid_children(5). */
export const programOf = (started: number): number => {
  let pid = started;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) pid = childOf(pid) ?? pid;
  return pid;
};

/** Fields 14 and 15 of proc_pid_stat(5); what is before the third in brackets may have spaces. */
const ranMsOf = (stat: string): number => {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return ((fields[11] ?? Number.NaN) + (fields[12] ?? Number.NaN)) * TICK_MS;
};

/** Null where the process is gone or the system does not say. Source: proc_pid_schedstat(5), second field. */
export const processorTimeOf = (pid: number): ProcessorTime | null => {
  try {
    const ranMs = ranMsOf(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    const waitedMs = Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / NS_PER_MS;
    return Number.isFinite(ranMs) && Number.isFinite(waitedMs) ? { pid, ranMs, waitedMs } : null;
  } catch {
    return null;
  }
};
