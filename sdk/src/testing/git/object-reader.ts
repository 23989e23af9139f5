import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket } from 'node:net';
import { spawnGit } from './run-git.ts';

/** What git stores under a hash. */
export interface GitObject {
  readonly hash: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Reads objects of one repository. */
export interface ObjectReader {
  /** @param name anything that names an object: a hash, `main`, `main:folder/file`, `v1^{commit}`. @returns null where there is none */
  read(name: string): Promise<GitObject | null>;
  close(): void;
}

interface Waiting {
  resolve(found: GitObject | null): void;
  reject(error: Error): void;
}

/** A process that is not asked for so long is ended. */
const IDLE_MS = 1000;
const NEWLINE = 10;

/** One process answers all reads: a process for each costs many times what reading a small file does. */
export function openObjectReader(folder: string): ObjectReader {
  let process: BatchProcess | undefined;
  return {
    read: (name) => {
      // the protocol is one name in each line, and no name of git's holds these
      if (/[\n\0]/.test(name)) return Promise.resolve(null);
      if (process === undefined || process.hasEnded) process = new BatchProcess(folder);
      return process.read(name);
    },
    close: () => process?.end(),
  };
}

class BatchProcess {
  hasEnded = false;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: Waiting[] = [];
  #received = Buffer.alloc(0);
  #idle: NodeJS.Timeout | undefined;

  constructor(folder: string) {
    this.#child = spawnGit(['--git-dir', folder, 'cat-file', '--batch']);
    this.#child.stdout.on('data', (piece: Buffer) => this.#take(piece));
    this.#child.stderr.resume();
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('close', (code) => this.#fail(new Error(`git cat-file ended with ${code}`)));
  }

  read(name: string): Promise<GitObject | null> {
    clearTimeout(this.#idle);
    const answer = Promise.withResolvers<GitObject | null>();
    this.#waiting.push(answer);
    this.#hold(true);
    this.#child.stdin.write(`${name}\n`);
    return answer.promise;
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.#idle);
    this.#child.stdin.end();
  }

  #take(piece: Buffer): void {
    this.#received = Buffer.concat([this.#received, piece]);
    for (let found = this.#next(); found !== undefined; found = this.#next()) this.#waiting.shift()?.resolve(found);
    if (this.#waiting.length > 0) return;
    this.#hold(false);
    this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  /** The next whole answer of those received: a line `hash type size`, the content and a line end; another line where there is none. */
  #next(): GitObject | null | undefined {
    const end = this.#received.indexOf(NEWLINE);
    if (end === -1) return undefined;
    const line = this.#received.subarray(0, end).toString('utf8');
    const [, hash, type, size] = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(line) ?? [];
    if (hash === undefined || type === undefined) {
      this.#received = this.#received.subarray(end + 1);
      return null;
    }
    const last = end + 1 + Number(size);
    if (this.#received.length <= last) return undefined;
    const content = Buffer.from(this.#received.subarray(end + 1, last));
    this.#received = this.#received.subarray(last + 1);
    return { hash, type, content };
  }

  /** An idle process keeps nobody from ending. */
  #hold(isNeeded: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    const pipes = [stdin, stdout, stderr].filter((stream) => stream instanceof Socket);
    for (const one of [this.#child, ...pipes]) {
      if (isNeeded) one.ref();
      else one.unref();
    }
  }

  #fail(error: Error): void {
    this.hasEnded = true;
    clearTimeout(this.#idle);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
