import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';

const MAIN = path.join(import.meta.dirname, '../../host-server/src/main.ts');

/** A server in a process of its own. */
export interface ServerProcess {
  child: ChildProcess;
  stdout: string;
  stderr: string;
  /** Exit code; null where a signal ended it. */
  ended: Promise<number | null>;
  /** Address of the running server. @throws with what it printed when it does not come up. */
  url(): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const ADDRESS = /(?:running at|works on jobs:) (http[^\s/]*\/\/[^\s/]+)/;

/** Starts `host-server/src/main.ts` with this environment and nothing else of ours. */
export const launchServer = (environment: Record<string, string>, args: string[] = []): ServerProcess => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server: ServerProcess = {
    child,
    stdout: '',
    stderr: '',
    ended: new Promise((resolve) => child.once('exit', resolve)),
    url: async () => {
      for (const deadline = Date.now() + 150_000; Date.now() < deadline; ) {
        const url = ADDRESS.exec(server.stdout)?.[1];
        if (url !== undefined) return url;
        if (child.exitCode !== null) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`The server did not start:\n${server.stdout}\n${server.stderr}`);
    },
    stop: (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return server.ended;
    },
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    server.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    server.stderr += text;
  });
  return server;
};

/** An address of this machine where nobody listens: what asks there fails at once. */
export const closedDoor = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
};
