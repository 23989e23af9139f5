import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { findProgram, type ProgramResult, plainLine, runProgram } from '../../../scanning/server/index.ts';
import type { FixRequest, KnownVersion, LockedProject, RenewedLock } from '../../model/fix.ts';
import { GO } from './go.ts';
import type { LockSettings, LockTool, ToolFolders } from './lock-tool.ts';
import { NPM } from './npm.ts';
import { PIP, readWheel } from './pip.ts';

const LIMITS = { timeoutMs: 60_000, memoryMb: 2048, fileBytes: 256 * 1024 * 1024 } as const;
/** npm keeps a whole tree of packages in memory. */
const AT_ONCE = 2;
const LEFT_BEHIND_MS = 3_600_000;
/** Of the folders of runs. */
const PREFIX = 'run-';

/** By the name of the lock file. */
const TOOLS: Readonly<Record<string, LockTool>> = {
  'package-lock.json': NPM,
  'npm-shrinkwrap.json': NPM,
  'go.sum': GO,
};

const refusalOf = ({ program, saidBy }: LockTool, { ended, stderr }: ProgramResult): string => {
  if (ended === 'timeout') return sayEnglish('{program} took longer than a minute.', { program });
  if (ended === 'memory' || ended === 'output')
    return sayEnglish('{program} took more memory or space than it may.', { program });
  if (ended !== null) return sayEnglish('{program} was ended before it was done.', { program });
  const said = plainLine(saidBy(stderr));
  return said === ''
    ? sayEnglish('{program} refused the project.', { program })
    : sayEnglish('{program} refused the project: {said}', { program, said });
};

/** Folders of processes that were killed. */
const removeLeftBehind = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    const folder = path.join(parent, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (name.startsWith(PREFIX) && mtimeMs < Date.now() - LEFT_BEHIND_MS)
      await rm(folder, { recursive: true, force: true });
  }
};

/** What this server and its machine trust: companies read their traffic with roots of their own. */
const trustedRoots = (): string =>
  [...new Set([...getCACertificates('default'), ...getCACertificates('system')])].join('\n');

interface Run {
  readonly tool: LockTool;
  readonly args: readonly string[];
  readonly files: ReadonlyMap<string, string>;
}

type Outcome = { readonly refused: string } | { readonly stdout: string; readonly folder: string };

/** Runs a tool in a folder that holds the given files and nothing else. */
const runIn = async (settings: LockSettings, folders: ToolFolders & { work: string }, run: Run): Promise<Outcome> => {
  const { tool, args, files } = run;
  const file = await findProgram(settings.searchPath, tool.program);
  if (file === null)
    return { refused: sayEnglish('{program} is not installed beside Breakwater.', { program: tool.program }) };
  const folder = path.join(folders.work, 'project');
  await mkdir(folders.home, { mode: 0o700 });
  await mkdir(folder, { mode: 0o700 });
  await writeFile(folders.roots, trustedRoots(), { mode: 0o600 });
  for (const [name, content] of files) {
    const target = path.join(folder, name);
    if (!target.startsWith(`${folder}${path.sep}`)) return { refused: msg('A file lies outside of the project.') };
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, content, { flag: 'wx', mode: 0o600 });
  }
  const marker = randomUUID();
  const { searchPath } = settings;
  const result = await runProgram({
    file,
    args: [...args],
    folder,
    env: {
      ...{ PATH: searchPath, HOME: folders.home, TMPDIR: folders.home, LC_ALL: 'C.UTF-8' },
      ...tool.environment(settings, folders),
      BREAKWATER_LOCK: marker,
    },
    limits: LIMITS,
    marker: `BREAKWATER_LOCK=${marker}`,
    searchPath,
    signal: AbortSignal.timeout(LIMITS.timeoutMs + 5000),
  });
  return result.exitCode === 0 ? { stdout: result.stdout, folder } : { refused: refusalOf(tool, result) };
};

/** The files that a tool was given and wrote anew, by name. */
const rewritten = async (folder: string, { files, lock }: LockedProject): Promise<ReadonlyMap<string, string>> => {
  const now = new Map<string, string>();
  for (const [name, before] of files) {
    const content = await readFile(path.join(folder, name), 'utf8');
    if (name !== lock && content !== before) now.set(name, content);
  }
  return now;
};

const Dependencies = Type.Record(Type.String(), Type.String());
/** `npm view --json`: a text where a version needs nothing, one object for one version, else a list. */
const Shown = Type.Union([
  Type.String(),
  Type.Object({ version: Type.String(), dependencies: Type.Optional(Dependencies) }),
]);
const Versions = Type.Union([Type.Array(Shown), Shown]);

/** Undefined where it is none, such as one that was cut. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const knownVersions = (stdout: string): KnownVersion[] => {
  const value = jsonOf(stdout);
  if (!Value.Check(Versions, value)) return [];
  const versionOf = (shown: Static<typeof Shown>): KnownVersion =>
    typeof shown === 'string' ? { version: shown, dependencies: {} } : { dependencies: {}, ...shown };
  return Array.isArray(value) ? value.map(versionOf) : [versionOf(value)];
};

/** What runs package managers: in folders of their own, without the settings and the environment of the server. */
export interface LockTools {
  readonly renewLock: NonNullable<FixRequest['renewLock']>;
  readonly versionsOf: NonNullable<FixRequest['versionsOf']>;
  readonly wheelOf: NonNullable<FixRequest['wheelOf']>;
}

/**
 * Package managers that write lock files anew, in a folder that holds manifests and lock file and nothing else. Nothing is installed and no
 * code of a project or a package runs.
 */
export const createLockTools = (settings: LockSettings): LockTools => {
  const parent = path.join(settings.dataDirectory, 'lock-files');
  const running = new Set<Promise<unknown>>();
  const inFolder = async <T>(run: Run, read: (outcome: Outcome) => Promise<T>): Promise<T> => {
    const cache = path.join(parent, 'cache');
    await mkdir(cache, { recursive: true, mode: 0o700 });
    await removeLeftBehind(parent);
    const work = await mkdtemp(path.join(await realpath(parent), PREFIX));
    const home = path.join(work, 'home');
    try {
      return await read(await runIn(settings, { work, home, cache, roots: path.join(home, 'roots.pem') }, run));
    } finally {
      await rm(work, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    while (running.size >= AT_ONCE) await Promise.race(running);
    const run = work().finally(() => running.delete(run));
    running.add(run);
    return run;
  };
  return {
    renewLock: async (project) => {
      const tool = TOOLS[project.lock];
      const args = tool?.argumentsFor(project);
      if (tool === undefined || args === undefined)
        return { refused: sayEnglish('Nothing here writes {file}.', { file: project.lock }) };
      return inTurn(() =>
        inFolder({ tool, args, files: project.files }, async (outcome): Promise<RenewedLock> => {
          if ('refused' in outcome) return outcome;
          const content = await readFile(path.join(outcome.folder, project.lock), 'utf8');
          return { content, manifests: await rewritten(outcome.folder, project) };
        }),
      );
    },
    wheelOf: async (name, version) => {
      const args = PIP.argumentsFor({ files: new Map(), lock: '', change: { name, version } }) ?? [];
      return inTurn(() =>
        inFolder({ tool: PIP, args, files: new Map() }, async (outcome) =>
          'refused' in outcome ? outcome : (readWheel(outcome.stdout) ?? { refused: msg('pip told of no wheel.') }),
        ),
      );
    },
    versionsOf: (name, from) => {
      const args = ['view', `${name}@>=${from}`, 'version', 'dependencies', '--json'];
      return inTurn(() =>
        inFolder({ tool: NPM, args, files: new Map() }, async (outcome) =>
          'refused' in outcome ? [] : knownVersions(outcome.stdout),
        ),
      );
    },
  };
};
