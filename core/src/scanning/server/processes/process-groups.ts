import { readdir, readFile } from 'node:fs/promises';

/** A process that is not mistaken for a later one of the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In ticks since the machine started; empty where the system does not tell. */
  readonly startedAt: string;
  /** Of this start of the machine; empty where the system does not tell. */
  readonly bootId: string;
}

/** What /proc says of one process; everything else in it is not needed here. */
interface ProcessLine {
  readonly pid: number;
  readonly session: number;
  readonly startedAt: string;
  readonly residentPages: number;
}

const PAGE_BYTES = 4096;

/** The name in parentheses may hold blanks and parentheses. Source: proc_pid_stat(5). */
const parseStat = (text: string): ProcessLine | undefined => {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [pid, session, pages] = [Number.parseInt(text, 10), Number(fields[3]), Number(fields[21])];
  const isZombie = fields[0] === 'Z';
  if (!Number.isInteger(pid) || !Number.isInteger(session) || isZombie) return undefined;
  return { pid, session, startedAt: fields[19] ?? '', residentPages: Number.isFinite(pages) ? pages : 0 };
};

const readStat = async (pid: string): Promise<ProcessLine | undefined> =>
  parseStat(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''));

const processIds = async (): Promise<string[]> =>
  (await readdir('/proc').catch((): string[] => [])).filter((name) => /^\d+$/.test(name));

const bootId = async (): Promise<string> =>
  (await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => '')).trim();

/** Who a running process is. */
export const identifyProcess = async (pid: number): Promise<ProcessIdentity> => ({
  pid,
  startedAt: (await readStat(String(pid)))?.startedAt ?? '',
  bootId: await bootId(),
});

const answersSignal = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // it runs as somebody else
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Whether that very process still runs. */
export const isSameProcessRunning = async (known: ProcessIdentity): Promise<boolean> => {
  if (known.bootId !== (await bootId())) return false;
  if (known.startedAt === '') return answersSignal(known.pid);
  return (await readStat(String(known.pid)))?.startedAt === known.startedAt;
};

/** Processes of a session, which is what a detached program begins; and those that carry a text in their environment. */
const findProcesses = async (session: number | null, marker: string): Promise<ProcessLine[]> => {
  const found: ProcessLine[] = [];
  for (const pid of await processIds()) {
    const line = await readStat(pid);
    if (line === undefined || line.pid === process.pid) continue;
    const isMember = session !== null && line.session === session;
    if (isMember) found.push(line);
    else if ((await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')).includes(marker)) found.push(line);
  }
  return found;
};

/** Resident memory of a session and what else carries the marker, in bytes; 0 where the system does not tell. */
export const memoryOf = async (session: number, marker: string): Promise<number> => {
  const lines = await findProcesses(session, marker);
  return lines.reduce((sum, line) => sum + line.residentPages * PAGE_BYTES, 0);
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended meanwhile
  }
};

/** A program may start another one while the list is read. */
const MAX_ROUNDS = 10;

/**
 * Ends a program with all that it started: its process group, its session, and whatever has left both but still carries the marker.
 * @param session null where only the marker is known
 */
export const endProcesses = async (session: number | null, marker: string): Promise<void> => {
  if (session !== null) kill(-session);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = await findProcesses(session, marker);
    if (left.length === 0) return;
    for (const { pid } of left) kill(pid);
  }
};

/** The session of a stored process, where its number cannot have gone to another one meanwhile. */
export const sessionOf = async (stored: ProcessIdentity | null): Promise<number | null> => {
  if (stored === null || stored.bootId === '' || stored.bootId !== (await bootId())) return null;
  const line = await readStat(String(stored.pid));
  // a number stays taken while a session has it, even when its first process is gone
  return line === undefined || line.startedAt === stored.startedAt ? stored.pid : null;
};
