import { spawn } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';
import type { PluginChild, ProcessEnd } from './plugin-child.ts';
import { type ProcessSpec, pluginCommand } from './plugin-command.ts';
import { startElsewhere } from './starter/start-elsewhere.ts';

const startHere = (spec: ProcessSpec): Promise<PluginChild> => {
  const [file, ...args] = pluginCommand(spec);
  const child = spawn(file, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'], shell: false });
  child.unref();
  const ended = new Promise<ProcessEnd>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      const { stdin, stdout, stderr, pid } = child;
      // a report is read by who may take long
      const [runByTurns, runFreely] = [() => undefined, () => undefined];
      resolve({ stdin, stdout, stderr, pid, ended, runByTurns, runFreely, kill: () => child.kill('SIGKILL') });
    });
  });
};

/**
 * Starts the process of one plugin. The main thread has a small process start it: a copy of the pages of a server takes 10 to 30 ms, in which
 * it answers nobody. @throws Error where no process can be started
 */
export const startProcess = (spec: ProcessSpec): Promise<PluginChild> =>
  isMainThread ? startElsewhere(spec) : startHere(spec);
