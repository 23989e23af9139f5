import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import v8 from 'node:v8';

/**
 * Takes away what Node's permission model leaves: signals to other processes, their priorities, and V8's own switches. Tried on Node
 * 26.10: `process.kill(process.ppid)`, `os.setPriority(process.ppid)` and `v8.setFlagsFromString` work with `--permission`. SQLite, whose
 * `attach` writes anywhere, is left out by `--no-experimental-sqlite`.
 */
export function lockDown(): void {
  for (const name of TAKEN_FROM_PROCESS) {
    Object.defineProperty(process, name, { value: refuse(`process.${name}`), configurable: false, writable: false });
  }
  Reflect.set(os, 'setPriority', refuse('os.setPriority'));
  Reflect.set(v8, 'setFlagsFromString', refuse('v8.setFlagsFromString'));
  syncBuiltinESMExports();
}

const TAKEN_FROM_PROCESS = [
  'kill',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  'setuid',
  'seteuid',
  'setgid',
  'setegid',
  'setgroups',
  'initgroups',
  'execve',
  'dlopen',
  'binding',
  '_linkedBinding',
] as const;

function refuse(name: string): () => never {
  return () => {
    throw new Error(`${name} is not available to plugins`);
  };
}

/** Whether connections and look-ups of names are refused here, by trying. */
export async function isNetworkCut(): Promise<boolean> {
  const outcomes = await Promise.all([connectCode(), lookupCode()]);
  return outcomes.every((code) => code === 'ERR_ACCESS_DENIED');
}

/** A port at which nothing listens; the attempt itself must be refused. */
const NOWHERE = { host: '127.0.0.1', port: 9 };

function connectCode(): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const socket = net.connect(NOWHERE);
  socket.once('connect', () => resolve('connected'));
  socket.once('error', (error) => resolve(Reflect.get(error, 'code')));
  return promise.finally(() => socket.destroy());
}

function lookupCode(): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  dns.lookup('localhost', (error) => resolve(error === null ? 'found' : error.code));
  return promise;
}
