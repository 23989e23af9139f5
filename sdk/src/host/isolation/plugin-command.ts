import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { IsolationLimits } from './isolation-limits.ts';
import { halfOfProcessors } from './processors.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const RUNNER = fileURLToPath(new URL('./child/runner.ts', import.meta.url));
const BUILT_RUNNER = RUNNER.replace(/\.ts$/, '.js');

/** The program of the process of a plugin. */
export interface Program {
  /** All files of it are below. With a slash at the end. */
  readonly folder: string;
  /** What runs first. */
  readonly file: string;
}

/** TypeScript in a checkout, JavaScript in the packed SDK. */
export const OWN_PROGRAM: Program = { folder: HERE, file: existsSync(RUNNER) ? RUNNER : BUILT_RUNNER };

/** A process that the kernel ends with its parent, has its own process numbers and, once more, no network. Source: unshare(1), setpriv(1). */
const NAMESPACES: readonly (readonly string[])[] = [
  ['unshare', '--net', '--pid', '--fork', '--kill-child', '--'],
  ['unshare', '--user', '--map-current-user', '--net', '--pid', '--fork', '--kill-child', '--'],
  [],
];
const RIGHTS: readonly (readonly string[])[] = [
  ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--'],
  ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'],
  [],
];

/** What was started ends with who started it, also while its program is stopped and does not see that nobody listens. Source: setpriv(1). */
const TIES: readonly (readonly string[])[] = [['setpriv', '--pdeathsig', 'KILL', '--'], []];

/** How nice processes of plugins are, to those of their host's session: none has a session of its own. */
export const NICE = 10;

/**
 * Work of strangers has half of the processors, and of those a tenth where the server needs them, too: enough to start and to answer a ping in time, so
 * that a busy machine puts no sound plugin into quarantine. Source: taskset(1), nice(1), sched(7).
 */
const priorities = (): readonly (readonly string[])[] => {
  const half = halfOfProcessors();
  const nice = ['nice', '-n', String(NICE)];
  return [...(half === null ? [] : [['taskset', '-c', half, ...nice]]), nice, []];
};

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const PROBE_MS = 5_000;

const starts = (command: readonly string[]): boolean => {
  const [file, ...args] = [...command, 'true'];
  return (
    file !== undefined && spawnSync(file, args, { env: { PATH }, timeout: PROBE_MS, stdio: 'ignore' }).status === 0
  );
};

let found: readonly string[] | undefined;

/** What stands before the program on this machine: tried once. Where nothing works, Node's own permission model stands alone. */
function prefix(): readonly string[] {
  if (found !== undefined) return found;
  const namespaces = NAMESPACES.find(starts) ?? [];
  const rights = RIGHTS.find((one) => starts([...namespaces, ...one])) ?? [];
  const tie = TIES.find(starts) ?? [];
  const priority = priorities().find(starts) ?? [];
  found = [...tie, ...priority, ...namespaces, ...rights];
  return found;
}

export interface ProcessSpec {
  /** Folders and files that it may read besides its program. */
  readonly readable: readonly string[];
  readonly limits: Pick<IsolationLimits, 'heapMb' | 'dataMb'>;
  /** Further options of Node, for tests. */
  readonly flags?: readonly string[];
}

/**
 * The program of the process of one plugin with its arguments: read rights to what it needs and nothing else, no network, no programs, no
 * threads, no files to write, no core dump. It is to be started with an empty environment.
 */
export function pluginCommand(
  { readable, limits, flags = [] }: ProcessSpec,
  program = OWN_PROGRAM,
): [file: string, ...args: string[]] {
  const node = [
    process.execPath,
    '--permission',
    ...[program.folder, ...readable].map((path) => `--allow-fs-read=${path}`),
    '--no-experimental-sqlite',
    '--no-addons',
    '--no-warnings',
    '--v8-pool-size=1',
    `--max-old-space-size=${limits.heapMb}`,
    ...flags,
    program.file,
    pathToFileURL(HERE).href,
  ];
  const [file = process.execPath, ...args] = [...prefix(), ...limited(node, limits)];
  return [file, ...args];
}

/** A shell that sets the limits and becomes the program. */
function limited(command: readonly string[], { dataMb }: Pick<IsolationLimits, 'dataMb'>): readonly string[] {
  if (!existsSync('/bin/sh')) return command;
  const set = process.platform === 'linux' ? `ulimit -c 0; ulimit -d ${dataMb * 1024};` : 'ulimit -c 0;';
  return ['/bin/sh', '-c', `${set} exec "$0" "$@"`, ...command];
}
