import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { endProcesses, memoryOf } from './process-groups.ts';

/** What a program may use. */
export interface ProgramLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Of one file that it writes, and of what it prints. */
  readonly fileBytes: number;
}

export interface Program {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** All of its environment. One value names the work folder, so that what it starts is found again. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: ProgramLimits;
  /** Text of the environment that no other program has. */
  readonly marker: string;
  /** Folders in which `prlimit` and `setpriv` are looked for. */
  readonly searchPath: string;
  /** Takes its network away; see network.ts. */
  readonly isolation?: readonly string[] | null;
  /** Standard output goes into this file instead. */
  readonly stdoutFile?: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called about every second: why it has to end, if it has. */
  readonly check?: () => Promise<string | null>;
  /** Its process group, once it has one. */
  readonly onStart?: (pid: number) => Promise<void>;
}

/** Why the host ended a program. `check`: `reason` says what was found. */
export type Ended = 'timeout' | 'memory' | 'output' | 'check' | 'cancelled';

export interface ProgramResult {
  /** Null where it was ended by a signal. */
  readonly exitCode: number | null;
  /** The beginning of it, where it went into no file. */
  readonly stdout: string;
  /** The end of it. */
  readonly stderr: string;
  readonly ended: Ended | null;
  readonly reason: string | null;
}

const KEPT_STDOUT_BYTES = 1_048_576;
const KEPT_STDERR_BYTES = 16_384;
const CHECK_MS = 500;

/** The absolute path of a program, or null where no folder of the search path holds it. */
export const findProgram = async (searchPath: string, name: string): Promise<string | null> => {
  if (name === '' || name.includes('/') || name.includes('\0')) return null;
  for (const folder of searchPath.split(path.delimiter)) {
    // a relative folder would be one of the repository
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, name);
    const isFile = await access(file, constants.X_OK)
      .then(() => stat(file))
      .then((found) => found.isFile())
      .catch(() => false);
    if (isFile) return file;
  }
  return null;
};

/**
 * The same program behind those wrappers of util-linux that the machine has: limits that the kernel holds, no rights by setuid, and
 * an end when this process dies. Writable memory is limited, not address space, which Go and Node reserve in plenty.
 */
const wrap = async (program: Program): Promise<readonly [string, ...string[]]> => {
  const { file, args, limits, searchPath } = program;
  const [prlimit, setpriv] = await Promise.all([
    findProgram(searchPath, 'prlimit'),
    findProgram(searchPath, 'setpriv'),
  ]);
  const limited: [string, ...string[]] =
    prlimit === null
      ? [file, ...args]
      : [
          prlimit,
          '--core=0',
          `--fsize=${limits.fileBytes}`,
          `--data=${limits.memoryMb * 1024 * 1024}`,
          '--',
          file,
          ...args,
        ];
  const held: [string, ...string[]] =
    setpriv === null ? limited : [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--', ...limited];
  const [unshare, ...ways] = program.isolation ?? [];
  // outermost: a new namespace would clear the signal at the end of its parent
  return unshare === undefined ? held : [unshare, ...ways, ...held];
};

/** Keeps what a stream says within bounds. */
const collect = (stream: NodeJS.ReadableStream | null, keep: 'start' | 'end', most: number) => {
  let kept = Buffer.alloc(0);
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (keep === 'end') kept = Buffer.concat([kept, chunk]).subarray(-most);
    else if (kept.length < most) kept = Buffer.concat([kept, chunk]).subarray(0, most);
  });
  return { text: () => kept.toString('utf8'), bytes: () => bytes };
};

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });

/** What is printed after the program has ended comes from what it left behind, which is ended too. */
const closeOf = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.once('close', () => resolve()));

interface Watch {
  ended: Ended | null;
  reason: string | null;
}

interface Watched {
  readonly pid: number;
  readonly watch: Watch;
  readonly printedBytes: () => number;
}

const findReason = async (program: Program, { pid, printedBytes }: Watched): Promise<[Ended, string | null] | null> => {
  const { limits, marker, check } = program;
  if (printedBytes() > limits.fileBytes) return ['output', null];
  if ((await memoryOf(pid, marker)) > limits.memoryMb * 1024 * 1024) return ['memory', null];
  const reason = (await check?.()) ?? null;
  return reason === null ? null : ['check', reason];
};

/** Ends the program when it passes a limit or is cancelled. @returns what stops watching. */
const watchProgram = (program: Program, watched: Watched): (() => Promise<void>) => {
  const { pid, watch } = watched;
  let isOver = false;
  const end = async (ended: Ended, reason: string | null = null): Promise<void> => {
    if (isOver) return;
    watch.ended ??= ended;
    watch.reason ??= reason;
    await endProcesses(pid, program.marker);
  };
  const onAbort = (): void => void end('cancelled');
  program.signal.addEventListener('abort', onAbort);
  const timeout = setTimeout(() => void end('timeout'), program.limits.timeoutMs);
  let looking: Promise<void> = Promise.resolve();
  let next: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const found = await findReason(program, watched).catch(() => null);
    if (found !== null) await end(...found);
    else if (!isOver) next = setTimeout(() => (looking = look()), CHECK_MS);
  };
  looking = look();
  if (program.signal.aborted) onAbort();
  return async () => {
    isOver = true;
    clearTimeout(timeout);
    clearTimeout(next);
    program.signal.removeEventListener('abort', onAbort);
    await looking;
  };
};

/**
 * Runs a program in a session of its own, never through a shell, and ends it with all that it started: at a limit, when it is
 * cancelled, and when it is done. @throws where it cannot be started
 */
export const runProgram = async (program: Program): Promise<ProgramResult> => {
  const [file, ...args] = await wrap(program);
  const output = program.stdoutFile === undefined ? null : await open(program.stdoutFile, 'wx', 0o600);
  try {
    const child = spawn(file, args, {
      cwd: program.folder,
      env: { ...program.env },
      detached: true,
      stdio: ['ignore', output?.fd ?? 'pipe', 'pipe'],
    });
    const stdout = collect(child.stdout, 'start', KEPT_STDOUT_BYTES);
    const stderr = collect(child.stderr, 'end', KEPT_STDERR_BYTES);
    const exited = exitOf(child);
    const closed = closeOf(child);
    const watch: Watch = { ended: null, reason: null };
    const { pid } = child;
    const printedBytes = (): number => stdout.bytes() + stderr.bytes();
    const stop = pid === undefined ? undefined : watchProgram(program, { pid, watch, printedBytes });
    try {
      if (pid !== undefined) await program.onStart?.(pid);
      const exitCode = await exited;
      await endProcesses(pid ?? null, program.marker);
      await closed;
      return { exitCode, stdout: stdout.text(), stderr: stderr.text(), ...watch };
    } finally {
      if (pid !== undefined) await endProcesses(pid, program.marker);
      await stop?.();
    }
  } finally {
    await output?.close();
  }
};
