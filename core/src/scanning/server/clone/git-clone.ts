import { createReadStream } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startEgressProxy } from '@breakwater/sdk/host';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { findProgram, type ProgramResult, runProgram } from '../processes/run-program.ts';
import { folderIssue, type WorkFolder } from '../processes/work-folder.ts';
import { cloneError, ScanError } from './clone-error.ts';
import { type GitSession, gitEnvironment } from './git-settings.ts';

/** What a clone may take. */
export interface CloneLimits {
  readonly timeoutMs: number;
  /** On disk, and over the network. */
  readonly bytes: number;
  readonly files: number;
  readonly memoryMb: number;
}

export interface GitSource {
  /** https; http only where the host may be private. */
  readonly url: URL;
  readonly branch: string;
  readonly login: { readonly username: string; readonly password: string } | null;
  /** The operator lets this host lie in a private network. */
  readonly allowsPrivate: boolean;
}

export interface CloneTask {
  readonly work: WorkFolder;
  readonly searchPath: string;
  readonly limits: CloneLimits;
  readonly signal: AbortSignal;
}

/** What was taken out of the repository. */
export interface Cloned {
  /** Hash of the commit; null where there is none. */
  readonly commit: string | null;
  readonly files: number;
}

const HEAD = 'refs/scan/head';
/** Of the list of files, one entry: mode, kind, hash, size and path. */
const LIST_BYTES_PER_FILE = 400;
const ASKPASS = `#!/bin/sh
case "$1" in
  Username*) printf '%s\\n' "$BREAKWATER_GIT_USER" ;;
  *) printf '%s\\n' "$BREAKWATER_GIT_TOKEN" ;;
esac
`;

interface GitRun {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly stdoutFile?: string;
  readonly fileBytes?: number;
}

/** git of this scan. @throws ScanError where it is missing, ended or passes a limit */
const createGit = async (task: CloneTask) => {
  const { work, searchPath, limits, signal } = task;
  const git = await findProgram(searchPath, 'git');
  if (git === null)
    throw new ScanError('scanner_missing', msg('git is not installed on this server: repositories cannot be cloned.'));
  const deadline = Date.now() + limits.timeoutMs;
  return async ({ args, env, stdoutFile, fileBytes = limits.bytes }: GitRun): Promise<ProgramResult> => {
    const result = await runProgram({
      file: git,
      args,
      env,
      folder: work.folder,
      limits: { timeoutMs: Math.max(deadline - Date.now(), 1), memoryMb: limits.memoryMb, fileBytes },
      marker: work.marker,
      searchPath,
      signal,
      check: () => folderIssue(work.folder, { bytes: limits.bytes * 2, files: limits.files * 2 }),
      onStart: work.noteProgram,
      ...(stdoutFile === undefined ? {} : { stdoutFile }),
    });
    signal.throwIfAborted();
    if (result.ended === 'timeout') {
      throw new ScanError(
        'clone_timeout',
        msg('The repository was not cloned in time. Scan it in your pipeline and upload the reports.'),
      );
    }
    if (result.ended === 'memory')
      throw new ScanError('clone_too_large', msg('Cloning the repository took more memory than a scan may.'));
    if (result.ended !== null) throw tooLarge(result.reason ?? msg('It is too large.'));
    return result;
  };
};

const tooLarge = (reason: string): ScanError =>
  new ScanError(
    'clone_too_large',
    sayEnglish('The repository is not scanned here. {reason} Scan it in your pipeline and upload the reports.', {
      reason,
    }),
  );

const overLimit = (task: CloneTask, kind: 'files' | 'bytes'): ScanError =>
  tooLarge(
    kind === 'files'
      ? sayEnglish('It holds more than the {files} files allowed for a scan.', { files: task.limits.files })
      : sayEnglish('Its files take more than the {bytes} MB allowed for a scan.', {
          bytes: Math.floor(task.limits.bytes / 1024 / 1024),
        }),
  );

/** `mode kind hash size<tab>path`, ended by NUL. Source: git-ls-tree(1), "OUTPUT FORMAT". */
const ENTRY = /^(\d{6}) (\w+) [0-9a-f]+ +(\d+|-)\t/;

/** Counts what a commit holds before any of it is written. @throws ScanError beyond the limits */
const countFiles = async (listFile: string, task: CloneTask): Promise<number> => {
  let [files, bytes] = [0, 0];
  let rest = '';
  for await (const chunk of createReadStream(listFile, { encoding: 'latin1' })) {
    const entries = `${rest}${String(chunk)}`.split('\0');
    rest = entries.pop() ?? '';
    for (const entry of entries) {
      const size = ENTRY.exec(entry)?.[3];
      files += 1;
      bytes += size === undefined || size === '-' ? 0 : Number(size);
    }
    if (files > task.limits.files) throw overLimit(task, 'files');
    if (bytes > task.limits.bytes) throw overLimit(task, 'bytes');
  }
  return files;
};

/** The token reaches git by a small program that it asks: neither its command line nor a file of it holds the token. */
const askpassEnvironment = async (work: WorkFolder, login: GitSource['login']): Promise<Record<string, string>> => {
  if (login === null) return {};
  const file = path.join(work.home, 'askpass.sh');
  await writeFile(file, ASKPASS, { mode: 0o700 });
  await chmod(file, 0o700);
  return { GIT_ASKPASS: file, BREAKWATER_GIT_USER: login.username, BREAKWATER_GIT_TOKEN: login.password };
};

const portOf = ({ port, protocol }: URL): number => {
  if (port !== '') return Number(port);
  return protocol === 'http:' ? 80 : 443;
};

/** The only step with a network and a token: it fetches one commit and writes no file of it. */
const fetchCommit = async (
  git: Awaited<ReturnType<typeof createGit>>,
  source: GitSource,
  task: CloneTask,
  session: GitSession,
) => {
  const { url, branch, allowsPrivate } = source;
  const target = { host: url.hostname, port: portOf(url) };
  const proxy = await startEgressProxy({ target, allowsPrivate, maxBytes: task.limits.bytes });
  try {
    const isPlain = url.protocol === 'http:' && allowsPrivate;
    const settings = { 'http.proxy': proxy.url, ...(isPlain ? { 'protocol.http.allow': 'always' } : {}) };
    const env = gitEnvironment(session, { settings, env: await askpassEnvironment(task.work, source.login) });
    const refspec = `+refs/heads/${branch}:${HEAD}`;
    const quiet = ['--quiet', '--no-tags', '--depth=1', '--no-recurse-submodules', '--no-write-fetch-head'];
    const result = await git({ args: ['fetch', ...quiet, '--', url.href, refspec], env });
    if (result.exitCode !== 0) throw cloneError(result.stderr, proxy.refusal());
  } finally {
    await proxy.close();
  }
};

/** Names of git-check-ref-format(1): nothing that a refspec reads as more than a name. */
const isBranchName = (name: string): boolean =>
  name !== '' &&
  !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^@$/u.test(name) &&
  name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));

/**
 * Takes the newest commit of a branch into the work folder: without history, without links, hooks, filters, submodules or large files. Its size is
 * judged before its files are written, and what git itself keeps is removed afterwards. @throws ScanError
 */
export const cloneByGit = async (source: GitSource, task: CloneTask): Promise<Cloned> => {
  const { work, searchPath } = task;
  if (!isBranchName(source.branch))
    throw new ScanError('clone_refused', msg('The branch of the repository has no valid name.'));
  const gitFolder = path.join(work.folder, 'git');
  const session: GitSession = { home: work.home, gitFolder, workTree: work.clone, searchPath, marker: work.marker };
  const env = gitEnvironment(session);
  const git = await createGit(task);
  const run = async (args: readonly string[], further: Partial<GitRun> = {}): Promise<ProgramResult> => {
    const result = await git({ args, env, ...further });
    if (result.exitCode !== 0) throw cloneError(result.stderr, null);
    return result;
  };
  await mkdir(gitFolder, { mode: 0o700 });
  await run(['init', '--quiet', '--template=', '--initial-branch=scan']);
  await fetchCommit(git, source, task, session);
  const commit = (await run(['rev-parse', '--verify', '--end-of-options', `${HEAD}^{commit}`])).stdout.trim();
  const listFile = path.join(work.reports, 'files');
  const fileBytes = task.limits.files * LIST_BYTES_PER_FILE;
  const listed = await git({ args: ['ls-tree', '-r', '-l', '-z', HEAD], env, stdoutFile: listFile, fileBytes });
  const files = await countFiles(listFile, task);
  // the kernel ends git where the list itself grows beyond its limit
  if (listed.exitCode !== 0)
    throw listed.exitCode === null ? overLimit(task, 'files') : cloneError(listed.stderr, null);
  await rm(listFile);
  await run(['checkout', '--quiet', '--force', '--detach', HEAD]);
  await rm(gitFolder, { recursive: true, force: true });
  await rm(path.join(work.home, 'askpass.sh'), { force: true });
  return { commit, files };
};
