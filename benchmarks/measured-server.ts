import { type ChildProcess, fork } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** What a server process has measured of itself since the last reset. */
export interface Measurement {
  /** 99th percentile of the delay of its event loop. */
  loopP99Ms: number;
  loopMaxMs: number;
  /** Highest resident memory, threads included, the database not. */
  peakMb: number;
  /** Milliseconds of the parts of the last import, by name. */
  phases: Record<string, number>;
}

export type ServerRequest = 'reset' | 'measure' | 'stop';
export type ServerAnswer =
  | { ready: { url: string; databaseUrl: string } }
  | { measurement: Measurement }
  | { reset: true };

/** A real server in a process of its own, with an embedded database in a new folder. */
export interface MeasuredServer {
  url: string;
  /** Connection string of the owner. */
  databaseUrl: string;
  reset(): Promise<void>;
  measure(): Promise<Measurement>;
  stop(): Promise<void>;
}

export const ADMIN = { email: 'bench@example.test', password: 'Bench-1234-mark' };

const answerOf = (child: ChildProcess): Promise<ServerAnswer> =>
  new Promise((resolve, reject) => {
    const fail = (code: number | null): void => reject(new Error(`The server ended with code ${code}`));
    child.once('exit', fail);
    child.once('message', (message: ServerAnswer) => {
      child.off('exit', fail);
      resolve(message);
    });
  });

const ask = async (child: ChildProcess, request: ServerRequest): Promise<ServerAnswer> => {
  const answer = answerOf(child);
  child.send(request);
  return answer;
};

/** Starts it and waits until it listens. */
export const startMeasuredServer = async (): Promise<MeasuredServer> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-bench-'));
  await chmod(folder, 0o755);
  const child = fork(path.join(import.meta.dirname, 'measured-server-process.ts'), [folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const first = await answerOf(child);
  if (!('ready' in first)) throw new Error('The server did not say that it is ready');
  return {
    ...first.ready,
    reset: async () => {
      await ask(child, 'reset');
    },
    measure: async () => {
      const answer = await ask(child, 'measure');
      if (!('measurement' in answer)) throw new Error('The server did not measure');
      return answer.measurement;
    },
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.send('stop');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
