import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import type { Cloned, CloneLimits } from '../scanning/server/clone/git-clone.ts';
import { memoryOf } from '../scanning/server/processes/process-groups.ts';
import { createWorkFolder, measureFolder, type WorkFolder } from '../scanning/server/processes/work-folder.ts';
import { type GitServer, startGitServer } from './git-server.ts';

/** What attacks the limits of a clone, and how much of it. */
export interface HugeContents {
  /** Bytes of one file of zeros, which are next to nothing on the way and on the disk of the server. */
  readonly zeros: number;
  /** Bytes that cannot be compressed, in files of a MiB. */
  readonly noise: number;
  /** Small files, each with a text of its own. */
  readonly files: number;
  /** Levels of folders, each of which holds the next one ten times: a list that is far longer than the repository. */
  readonly levels: number;
}

export type HugeKind = keyof HugeContents;
export const HUGE_KINDS: readonly HugeKind[] = ['zeros', 'noise', 'files', 'levels'];

const MIB = 1_048_576;

const send = async (stream: Writable, chunk: string | Buffer): Promise<void> => {
  if (!stream.write(chunk)) await once(stream, 'drain');
};

/** One commit with these files, written as a stream. Source: git-fast-import(1). */
const importFiles = async (folder: string, count: number, contentOf: (index: number) => Buffer): Promise<void> => {
  const git = spawn('git', ['-C', folder, '-c', 'core.compression=0', 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(git, 'exit');
  await send(git.stdin, 'commit refs/heads/main\ncommitter Test <test@example.test> 0 +0000\ndata 4\nhuge\n');
  for (let index = 0; index < count; index += 1) {
    const content = contentOf(index);
    await send(git.stdin, `M 100644 inline d${index % 1000}/f${index}\ndata ${content.length}\n`);
    await send(git.stdin, content);
    await send(git.stdin, '\n');
  }
  git.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
};

const gitIn = (folder: string, args: readonly string[], input = ''): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Test', '-c', 'user.email=test@example.test', ...args], {
    input,
    encoding: 'utf8',
  }).trim();

const commitTree = (folder: string, tree: string): void => {
  gitIn(folder, ['update-ref', 'refs/heads/main', gitIn(folder, ['commit-tree', tree, '-m', 'huge'])]);
};

/** A file that takes no place on the disk. */
const sparseFile = (file: string, bytes: number): void => {
  closeSync(openSync(file, 'wx'));
  truncateSync(file, bytes);
};

const MAKERS: Readonly<Record<HugeKind, (folder: string, amount: number) => Promise<void>>> = {
  zeros: async (folder, bytes) => {
    const place = mkdtempSync(path.join(os.tmpdir(), 'breakwater-sparse-'));
    try {
      sparseFile(path.join(place, 'zeros'), bytes);
      const blob = gitIn(folder, ['hash-object', '-w', path.join(place, 'zeros')]);
      commitTree(folder, gitIn(folder, ['mktree'], `100644 blob ${blob}\tzeros\n`));
    } finally {
      rmSync(place, { recursive: true });
    }
  },
  noise: async (folder, bytes) => {
    let state = 1;
    const noise = (): Buffer => {
      const words = new Uint32Array(MIB / 4);
      for (let at = 0; at < words.length; at += 1) {
        // xorshift: no part repeats
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        words[at] = state;
      }
      return Buffer.from(words.buffer);
    };
    await importFiles(folder, Math.ceil(bytes / MIB), noise);
  },
  files: (folder, count) => importFiles(folder, count, (index) => Buffer.from(`${index}\n`)),
  levels: async (folder, levels) => {
    let entry = `100644 blob ${gitIn(folder, ['hash-object', '-w', '--stdin'], 'x')}`;
    for (let level = 0; level < levels; level += 1) {
      const lines = Array.from({ length: 10 }, (_, index) => `${entry}\te${index}\n`).join('');
      entry = `040000 tree ${gitIn(folder, ['mktree'], lines)}`;
    }
    commitTree(folder, entry.split(' ')[2] ?? '');
  },
};

/** What a clone of something huge came to. */
export interface HugeClone {
  readonly kind: HugeKind;
  /** `cloned`, or the code with which it was refused. */
  readonly outcome: string;
  readonly message: string;
  /** The most that the work folder has held, as it was looked at. */
  readonly peakBytes: number;
  readonly peakFiles: number;
  /** Resident memory of git and what it started, and of this process, in MB. */
  readonly peakMemoryMb: number;
  readonly peakOwnMemoryMb: number;
  /** Written of the repository itself. */
  readonly written: number;
  readonly seconds: number;
}

const megabytes = (bytes: number): number => Math.ceil(bytes / MIB);

type CloneOf = (url: URL, task: { work: WorkFolder; limits: CloneLimits }) => Promise<Cloned>;

const LOOK_MS = 50;
/** Only what carries the marker is counted. */
const NO_SESSION = -1;

const watch = ({ folder, marker }: Pick<WorkFolder, 'folder' | 'marker'>) => {
  const peak = { bytes: 0, files: 0, memory: 0, ownMemory: 0 };
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const now = await measureFolder(folder, { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY });
      peak.bytes = Math.max(peak.bytes, now.bytes);
      peak.files = Math.max(peak.files, now.files);
      peak.memory = Math.max(peak.memory, await memoryOf(NO_SESSION, marker));
      peak.ownMemory = Math.max(peak.ownMemory, process.memoryUsage.rss());
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  })();
  return async () => {
    isOver = true;
    await looking;
    return peak;
  };
};

/** Makes one huge repository, serves it, clones it under the limits, and removes all of it. */
export const cloneHuge = async (
  kind: HugeKind,
  { contents, limits, clone }: { contents: HugeContents; limits: CloneLimits; clone: CloneOf },
): Promise<HugeClone> => {
  const git: GitServer = await startGitServer();
  const data = mkdtempSync(path.join(os.tmpdir(), 'breakwater-huge-'));
  try {
    await MAKERS[kind](git.create('huge.git'), contents[kind]);
    const work = await createWorkFolder(data, { clientId: 'c', requestId: 'huge', leaseId: 'l' });
    const stop = watch(work);
    const start = Date.now();
    const told = await clone(new URL(`${git.url}/huge.git`), { work, limits }).then(
      () => ({ outcome: 'cloned', message: '' }),
      (error: unknown) => ({
        outcome: error instanceof Error && 'code' in error ? String(error.code) : 'error',
        message: String(error),
      }),
    );
    const seconds = (Date.now() - start) / 1000;
    const peak = await stop();
    const written = readdirSync(work.clone).length;
    await work.remove();
    const memory = { peakMemoryMb: megabytes(peak.memory), peakOwnMemoryMb: megabytes(peak.ownMemory) };
    return { kind, ...told, peakBytes: peak.bytes, peakFiles: peak.files, ...memory, written, seconds };
  } finally {
    await git.close();
    rmSync(data, { recursive: true, force: true });
  }
};
