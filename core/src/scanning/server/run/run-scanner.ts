import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { CloudLogin, ScanCommand, ScanTarget } from '@breakwater/sdk';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { plainLine, ScanError } from '../clone/clone-error.ts';
import { findProgram, type ProgramResult, runProgram } from '../processes/run-program.ts';
import { type FolderLimits, folderIssue, type WorkFolder } from '../processes/work-folder.ts';
import type { InstalledScanner } from './installed-scanners.ts';
import { type ProgramNetwork, type ScannerNetwork, withNetwork } from './scanner-network.ts';

export interface ScannerTask {
  readonly work: WorkFolder;
  readonly target: ScanTarget;
  /** What it logs in with at the cloud that it looks at. */
  readonly login?: CloudLogin;
  readonly searchPath: string;
  readonly network: ScannerNetwork;
  /** Where scanners keep their own data between scans. */
  readonly cacheFolder: string;
  /** Of the work folder. */
  readonly disk: FolderLimits;
  readonly maxReportBytes: number;
  readonly signal: AbortSignal;
}

/** Whatever a plugin asks for, a scanner gets no more. */
const MOST = { timeoutMs: 3_600_000, memoryMb: 8192 };

const isInside = (folder: string, file: string): boolean => {
  const relative = path.relative(folder, file);
  return relative !== '' && !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
};

/** Takes files away from a program that would obey or run them, and brings them back. */
const withHidden = async <T>(work: WorkFolder, names: readonly string[], run: () => Promise<T>): Promise<T> => {
  const hidden = path.join(work.folder, 'hidden');
  await mkdir(hidden, { recursive: true, mode: 0o700 });
  const moved: [string, string][] = [];
  for (const [index, name] of names.entries()) {
    const from = path.join(work.clone, name);
    const to = path.join(hidden, String(index));
    if (!isInside(work.clone, from) || (await lstat(from).catch(() => null)) === null) continue;
    await rename(from, to);
    moved.push([from, to]);
  }
  try {
    return await run();
  } finally {
    for (const [from, to] of moved) await rename(to, from);
  }
};

/** Writes what the program logs in with, for it alone, and removes it afterwards. @returns the environment, as `run` gets it */
const withLogin = async <T>(
  home: string,
  { env, files = [] }: Pick<CloudLogin, 'env' | 'files'>,
  run: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> => {
  const written: string[] = [];
  const named: Record<string, string> = {};
  try {
    for (const { path: name, text, variable } of files) {
      const file = path.join(home, name);
      if (!isInside(home, file)) throw new TypeError('A file of a login lies outside of the home folder.');
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      written.push(file);
      await writeFile(file, text, { flag: 'wx', mode: 0o600 });
      if (variable !== undefined) named[variable] = file;
    }
    return await run({ ...env, ...named });
  } finally {
    for (const file of written) await rm(file, { force: true });
  }
};

const NO_LOGIN = { env: {} } as const;

/** Files that the plugin gives the program. */
const writeFiles = async (workFolder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(workFolder, name);
    if (!isInside(workFolder, file)) throw new TypeError('A file of a scanner lies outside of the work folder.');
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  }
};

/** Shorter parts of a login are no secret, and would blank out words. */
const SHORTEST_SECRET = 8;

/** A text of the program without what it logged in with: programs print their settings when something is wrong. */
const withoutLogin = (text: string, login: CloudLogin | undefined): string => {
  if (login === undefined) return text;
  // of a file any line may be printed, also one that stands in a text of JSON
  const lines = (login.files ?? []).flatMap((file) => file.text.split(/["\n\r]|\\n/));
  const secrets = [...Object.values(login.env), ...lines].filter((secret) => secret.length >= SHORTEST_SECRET);
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '********'), text);
};

interface StartedProgram {
  readonly network: ProgramNetwork;
  readonly file: string;
  readonly home: string;
  readonly login: Readonly<Record<string, string>>;
}

const start = async (
  task: ScannerTask,
  command: ScanCommand,
  { file, home, login, network }: StartedProgram,
): Promise<ProgramResult> => {
  const { work, searchPath, disk, maxReportBytes, signal } = task;
  const [markerName = '', markerValue = ''] = work.marker.split('=');
  return runProgram({
    file,
    args: command.args,
    folder: command.runsIn === 'target' ? work.clone : work.reports,
    env: {
      PATH: searchPath,
      HOME: home,
      TMPDIR: home,
      LC_ALL: 'C.UTF-8',
      ...command.env,
      ...login,
      ...network.env,
      [markerName]: markerValue,
    },
    limits: {
      timeoutMs: Math.min(command.limits.timeoutMs, MOST.timeoutMs),
      memoryMb: Math.min(command.limits.memoryMb, MOST.memoryMb),
      fileBytes: Math.max(maxReportBytes, disk.bytes),
    },
    marker: work.marker,
    searchPath,
    isolation: network.isolation,
    signal,
    check: () => folderIssue(work.folder, disk),
    onStart: work.noteProgram,
    ...(command.printsReport === true ? { stdoutFile: command.reportPath } : {}),
  });
};

const findFirst = async (searchPath: string, names: readonly string[]): Promise<string | null> => {
  for (const name of names) {
    const file = await findProgram(searchPath, name);
    if (file !== null) return file;
  }
  return null;
};

const ENDED = {
  timeout: msg('It was not done in time.'),
  memory: msg('It took more memory than a scan may.'),
  output: msg('It printed more than a scan may.'),
  check: msg('It wrote too much.'),
  cancelled: msg('It was cancelled.'),
} as const;

/** @throws ScanError where the program did not do its work */
const judge = (command: ScanCommand, title: string, result: ProgramResult): void => {
  if (result.ended !== null)
    throw new ScanError(
      'scanner_failed',
      sayEnglish('{title}: {ended}', { title, ended: result.reason ?? ENDED[result.ended] }),
    );
  const { exitCode } = result;
  if (exitCode === 0 || (exitCode !== null && command.okExitCodes?.includes(exitCode) === true)) return;
  const said = plainLine(result.stderr.trim() === '' ? result.stdout : result.stderr.slice(-600));
  const how = exitCode === null ? 'was ended by the system, perhaps at a limit' : `ended with code ${exitCode}`;
  // what to do about it comes before the words of the program
  const what = [`${title} ${how}.`, ...helpFor(command, result), ...(said === '' ? [] : [`It says: "${said}"`])];
  throw new ScanError('scanner_failed', what.join(' '));
};

/** What the plugin knows to do about what the program says. */
const helpFor = ({ help = [] }: ScanCommand, { stdout, stderr }: ProgramResult): string[] =>
  help.filter(({ says }) => says.test(stdout) || says.test(stderr)).map(({ text }) => text);

/** Copies a report without the place of the clone, which is another one at each scan: files are called as in the repository. @returns the copy */
const withoutFolder = async (report: string, folder: string): Promise<string> => {
  const needle = Buffer.from(folder);
  async function* pieces(): AsyncGenerator<Buffer> {
    let rest = Buffer.alloc(0);
    for await (const chunk of createReadStream(report)) {
      if (!Buffer.isBuffer(chunk)) continue;
      rest = Buffer.concat([rest, chunk]);
      for (let at = rest.indexOf(needle); at >= 0; at = rest.indexOf(needle)) {
        yield rest.subarray(0, at);
        rest = rest.subarray(at + needle.length);
      }
      // the needle may begin in this chunk and end in the next one
      const kept = Math.min(needle.length - 1, rest.length);
      yield rest.subarray(0, rest.length - kept);
      rest = rest.subarray(rest.length - kept);
    }
    yield rest;
  }
  const { dir, name, ext } = path.parse(report);
  const copy = path.join(dir, `${name}-of-repository${ext}`);
  await pipeline(pieces, createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
  return copy;
};

/** What came of a scanner that did its work. */
export interface ScannerOutcome {
  /** Path of its report; null where there was nothing for it. */
  readonly report: string | null;
  /** What it was not let through to, for people. */
  readonly refused: string | null;
}

const NOTHING: ScannerOutcome = { report: null, refused: null };

/** The report that the program has written. @throws ScanError where it did not do its work */
const reportOf = async (command: ScanCommand, title: string, result: ProgramResult): Promise<string | null> => {
  if (result.exitCode !== null && command.nothingExitCodes?.includes(result.exitCode) === true) return null;
  judge(command, title, result);
  const report = await lstat(command.reportPath).catch(() => null);
  if (report?.isFile() === true) return command.reportPath;
  const why = plainLine(result.stderr.slice(-600));
  throw new ScanError(
    'scanner_failed',
    sayEnglish('{title} wrote no report.{why}', { title, why: why === '' ? '' : ` ${why}` }),
  );
};

/**
 * Runs one scanner over the clone. What the plugin asks for is only data: the host looks for the program, refuses paths outside of the work
 * folder, and sets the limits. @throws ScanError
 */
export const runScanner = async (
  task: ScannerTask,
  { id, entry, scanner }: InstalledScanner,
): Promise<ScannerOutcome> => {
  const { work, target, login } = task;
  const { title } = entry.connector;
  const name = (target.kind === 'cloud' ? `${id}-${target.provider}` : id).replace(/[^a-z0-9_-]/gi, '_');
  const [home, workFolder, cacheFolder] = [
    path.join(work.home, name),
    path.join(work.reports, name),
    path.join(task.cacheFolder, name),
  ];
  for (const folder of [home, workFolder, cacheFolder]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const command = scanner.command(target, { workFolder, cacheFolder });
  if (command === null) return NOTHING;
  if (!isInside(workFolder, command.reportPath)) {
    throw new ScanError(
      'scanner_failed',
      sayEnglish("{title} would write its report outside of the scan's folder.", { title }),
    );
  }
  const file = await findFirst(task.searchPath, [command.file, ...(command.alternatives ?? [])]);
  if (file === null)
    throw new ScanError('scanner_missing', sayEnglish('{title} is not installed on this server.', { title }));
  await writeFiles(workFolder, command.files ?? {});
  const { result: ended, refused } = await withNetwork(
    task.network,
    { scanner, entry, folder: work.folder },
    (network) =>
      withHidden(work, command.hides ?? [], () =>
        withLogin(home, login ?? NO_LOGIN, (env) => start(task, command, { file, home, login: env, network })),
      ),
  );
  const said = { stdout: withoutLogin(ended.stdout, login), stderr: withoutLogin(ended.stderr, login) };
  task.signal.throwIfAborted();
  try {
    const report = await reportOf(command, title, { ...ended, ...said });
    return { report: report === null ? null : await withoutFolder(report, `${work.clone}/`), refused };
  } catch (error) {
    if (!(error instanceof ScanError) || refused === null) throw error;
    throw new ScanError(error.code, sayEnglish('{message} {reason}', { message: error.message, reason: refused }));
  }
};
