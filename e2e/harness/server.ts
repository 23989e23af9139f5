import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** Folder of the repository. */
export const ROOT = path.join(import.meta.dirname, '../..');
const MAIN = path.join(ROOT, 'host-server/src/main.ts');
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 40_000;
const SILENT_MS = 10_000;
/** pino's number for `warn` is 40. */
const ERROR_LEVEL = 50;

export type Environment = Record<string, string> | ((url: string) => Record<string, string>);

export interface ServerOptions {
  /** Only requests, or only jobs; both by default. */
  role?: 'web' | 'worker';
  /** Kept between servers to start again on the same data; a new empty folder by default. */
  dataDirectory?: string;
  /** What it is configured by; where the address of the server is part of that, it is given. */
  environment?: Environment;
}

export interface RunningServer {
  /** Address without a slash at the end. */
  url: string;
  dataDirectory: string;
  process: ChildProcess;
  /** Every line it wrote so far, standard output and error. */
  lines: string[];
  /** Lines that report an error, minus those that match one of the patterns. */
  errors(expected?: readonly RegExp[]): string[];
  /** Ends it as an operator would (SIGTERM) and waits. @returns its exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut would (SIGKILL). */
  kill(): Promise<void>;
}

/** A port of this machine where nobody listens. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

/** An empty folder that the embedded database's own user may enter. */
export const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-e2e-'));
  await chmod(folder, 0o755);
  return folder;
};

export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 });

const isError = (line: string): boolean => {
  if (!line.startsWith('{')) return /^\s*(\w*Error:|Unhandled|FATAL|PANIC)/.test(line);
  const entry: unknown = JSON.parse(line);
  return typeof entry === 'object' && entry !== null && 'level' in entry && Number(entry.level) >= ERROR_LEVEL;
};

const exited = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

const collect = (child: ChildProcess, lines: string[]): void => {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts.filter((line) => line.trim() !== ''));
    });
  }
};

const waitUntilReady = async (url: string, child: ChildProcess, lines: string[]): Promise<void> => {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the server ended while starting:\n${lines.join('\n')}`);
    // whoever took the port first may say nothing
    const isReady = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(SILENT_MS) }).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    if (Date.now() > deadline) throw new Error(`the server is not ready:\n${lines.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** Only what a program needs, so that a developer's own settings do not change the tests; and what is kept of the sources for the next server. */
const plainEnvironment = (): Record<string, string> => {
  const { PATH = '', HOME = os.tmpdir(), TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return {
    ...{ PATH, HOME },
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
  };
};

/** Starts the real server as its own process and waits until it is ready. */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const dataDirectory = options.dataDirectory ?? (await emptyFolder());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { environment } = options;
  const lines: string[] = [];
  const child = spawn(process.execPath, [MAIN, ...(options.role === undefined ? [] : [`--role=${options.role}`])], {
    cwd: ROOT,
    env: {
      ...plainEnvironment(),
      PORT: String(port),
      HOST: '127.0.0.1',
      BREAKWATER_DATA_DIR: dataDirectory,
      ...(typeof environment === 'function' ? environment(url) : environment),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  collect(child, lines);
  await waitUntilReady(url, child, lines);
  return {
    url,
    dataDirectory,
    process: child,
    lines,
    errors: (expected = []) => lines.filter((line) => isError(line) && !expected.some((pattern) => pattern.test(line))),
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited(child);
      clearTimeout(timer);
      return child.exitCode;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited(child);
    },
  };
};
