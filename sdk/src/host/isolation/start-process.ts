import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { isMainThread } from 'node:worker_threads';
import type { PluginChild, ProcessEnd } from './plugin-child.ts';
import { type ProcessSpec, pluginCommand } from './plugin-command.ts';
import { startElsewhere } from './starter/start-elsewhere.ts';

type Spawned = ChildProcessByStdio<Writable, Readable, Readable>;

const killGroup = (child: Spawned): void => {
  try {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
};

const startHere = (spec: ProcessSpec): Promise<PluginChild> => {
  const [file, ...args] = pluginCommand(spec);
  const options = { env: {}, cwd: '/', detached: true, shell: false, stdio: ['pipe', 'pipe', 'pipe'] as const };
  const child: Spawned = spawn(file, args, { ...options, stdio: [...options.stdio] });
  child.unref();
  const ended = new Promise<ProcessEnd>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      const { stdin, stdout, stderr } = child;
      resolve({ stdin, stdout, stderr, ended, kill: () => killGroup(child) });
    });
  });
};

/**
 * Starts the process of one plugin. The main thread has a small process start it: a copy of the pages of a server takes 10 to 30 ms, in which
 * it answers nobody. @throws Error where no process can be started
 */
export const startProcess = (spec: ProcessSpec): Promise<PluginChild> =>
  isMainThread ? startElsewhere(spec) : startHere(spec);
