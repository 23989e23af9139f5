/**
 * A small process that starts those of plugins for its host, which thereby copies no pages of its own. Each process gets connections to its host in place
 * of pipes. When the host is gone, so is this, and all that it started.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { OWN_PROGRAM, type Program, pluginCommand } from '../plugin-command.ts';
import { pluginProcessors } from '../processors.ts';
import { createPlainProgram } from './plain-program.ts';
import { type FromStarter, greeting, type Part, type ToStarter } from './starter-messages.ts';
import { Turns } from './turns.ts';

const children = new Map<number, ChildProcess>();
const turns = new Turns(pluginProcessors());
/** Of the host, which removes it itself unless it was killed. */
let folder: string | undefined;
let program: (() => Program) | undefined;

const tell = (message: FromStarter): void => {
  if (process.connected) process.send?.(message);
};

/** Nothing is read here: what comes is for the process that gets it. */
const connection = async (path: string, key: string, part: Part): Promise<Socket> => {
  const socket = connect(path);
  socket.pause();
  await once(socket, 'connect');
  await new Promise<void>((resolve, reject) => {
    socket.write(greeting(key, part), (error) => (error ? reject(error) : resolve()));
  });
  return socket;
};

const start = async ({ id, spec, key, socket: path }: Extract<ToStarter, { t: 'start' }>): Promise<void> => {
  folder = dirname(path);
  const sockets = [await connection(path, key, 'main'), await connection(path, key, 'errors')] as const;
  const [main, errors] = sockets;
  program ??= createPlainProgram(OWN_PROGRAM, folder);
  const [file, ...args] = pluginCommand(spec, program());
  const child = spawn(file, args, { env: {}, cwd: '/', stdio: [main, main, errors], shell: false });
  children.set(id, child);
  child.once('spawn', () => child.pid !== undefined && tell({ t: 'started', id, pid: child.pid }));
  child.once('error', (error) => tell({ t: 'failed', id, message: error.message }));
  child.once('exit', (code, signal) => {
    children.delete(id);
    turns.remove(id);
    tell({ t: 'ended', id, code, signal });
  });
  // the process has its own
  for (const socket of sockets) socket.destroy();
};

process.on('message', (message: ToStarter) => {
  if (message.t === 'start')
    return void start(message).catch((error: unknown) => tell({ t: 'failed', id: message.id, message: String(error) }));
  const child = children.get(message.id);
  if (message.t === 'kill') child?.kill('SIGKILL');
  else if (message.t === 'runFreely') turns.free(message.id);
  else if (child?.pid !== undefined) turns.add(message.id, child.pid);
});
process.on('disconnect', () => {
  for (const child of children.values()) child.kill('SIGKILL');
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
