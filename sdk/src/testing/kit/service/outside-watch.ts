import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess, { ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** What code of a connector tried to do besides talking through `ctx.http`. */
export interface OutsideWatch {
  /** Where it may connect to: `127.0.0.1:41234`. */
  readonly allowed: ReadonlySet<string>;
  /** `connects to evil.example:443`, `starts the program curl`. */
  readonly attempts: string[];
  /** What it wrote to the console. */
  readonly prints: string[];
}

const watches = new AsyncLocalStorage<OutsideWatch>();
const refused = () => new Error('refused by the conformance kit: use ctx.http');

/**
 * Runs work and keeps what it does behind the back of its `ctx`: connections, name look-ups, programs and console output. Attempts are
 * refused. This finds mistakes; it is no sandbox.
 */
export function watched<T>(watch: OutsideWatch, work: () => Promise<T>): Promise<T> {
  install();
  return watches.run(watch, work);
}

let isInstalled = false;

function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  watchConnections();
  watchNames();
  watchPrograms();
  watchConsole();
  syncBuiltinESMExports();
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Puts a method before another. `before` answers with a result of its own, or undefined to let the call through. */
function intercept(target: object, name: string, before: (self: unknown, args: unknown[]) => unknown): void {
  const original: unknown = Reflect.get(target, name);
  if (typeof original !== 'function') return;
  const replacement: Method = function (...args) {
    return before(this, args) ?? Reflect.apply(original, this, args);
  };
  Reflect.set(target, name, replacement);
}

function watchConnections(): void {
  intercept(net.Socket.prototype, 'connect', (self, args) => {
    const watch = watches.getStore();
    const place = placeOf(args);
    if (watch === undefined || watch.allowed.has(place)) return undefined;
    watch.attempts.push(`connects to ${place}`);
    if (self instanceof net.Socket) process.nextTick(() => self.destroy(refused()));
    return self;
  });
  intercept(dgram.Socket.prototype, 'send', () => {
    const watch = watches.getStore();
    watch?.attempts.push('sends a datagram');
    if (watch !== undefined) throw refused();
    return undefined;
  });
}

/** `host:port` of the arguments of `Socket.connect`, which come in four shapes. */
function placeOf(args: readonly unknown[]): string {
  const first: unknown = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof first === 'object' && first !== null) {
    const path: unknown = Reflect.get(first, 'path');
    if (typeof path === 'string') return `the socket ${path}`;
    return `${Reflect.get(first, 'host') ?? 'localhost'}:${Reflect.get(first, 'port')}`;
  }
  return `${typeof args[1] === 'string' ? args[1] : 'localhost'}:${first}`;
}

function watchNames(): void {
  const names = ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveTxt', 'resolveAny', 'resolveCname', 'resolveSrv'];
  for (const target of [dns, dns.promises]) {
    for (const name of names) {
      intercept(target, name, (_, args) => {
        const watch = watches.getStore();
        if (watch === undefined || args[0] === '127.0.0.1') return undefined;
        watch.attempts.push(`looks up ${args[0]}`);
        throw refused();
      });
    }
  }
}

function watchPrograms(): void {
  const notice = (_: unknown, args: unknown[]) => {
    const watch = watches.getStore();
    if (watch === undefined) return undefined;
    const [first] = args;
    const file: unknown = typeof first === 'object' && first !== null ? Reflect.get(first, 'file') : first;
    watch.attempts.push(`starts the program ${file}`);
    throw refused();
  };
  intercept(ChildProcess.prototype, 'spawn', notice);
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) intercept(childProcess, name, notice);
}

function watchConsole(): void {
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'dir', 'trace']) {
    intercept(console, name, (_, args) => {
      const watch = watches.getStore();
      watch?.prints.push(args.map(String).join(' '));
      return watch === undefined ? undefined : true;
    });
  }
  for (const stream of [process.stdout, process.stderr]) {
    intercept(stream, 'write', (_, args) => {
      const watch = watches.getStore();
      watch?.prints.push(String(args[0]));
      return watch === undefined ? undefined : true;
    });
  }
}
