import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PluginChild, ProcessEnd } from '../plugin-child.ts';
import type { ProcessSpec } from '../plugin-command.ts';
import { type FromStarter, readGreeting, type ToStarter } from './starter-messages.ts';

const STARTER = fileURLToPath(new URL('./starter.ts', import.meta.url));
/** TypeScript in a checkout, JavaScript in the packed SDK. */
const starterFile = (): string => (existsSync(STARTER) ? STARTER : STARTER.replace(/\.ts$/, '.js'));

const MAX_GREETING = 64;
/** After its end, for what it said last. */
const LAST_WORDS_MS = 250;

const ENDED = 'The process that starts others has ended.';

/** A process that was asked for. */
interface Wanted {
  readonly key: string;
  readonly started: PromiseWithResolvers<PluginChild>;
  readonly ended: PromiseWithResolvers<ProcessEnd>;
  main?: Socket;
  errors?: Socket;
  pid?: number;
}

interface Starter {
  readonly process: ChildProcess;
  readonly server: Server;
  readonly folder: string;
  readonly wanted: Map<number, Wanted>;
}

let running: Promise<Starter> | undefined;
let ids = 0;

/** @returns false where it does not hear any more */
const tell = ({ process: starter }: Starter, message: ToStarter): boolean => {
  if (starter.connected) starter.send(message, () => undefined);
  return starter.connected;
};

const isOpen = (socket: Socket | undefined): boolean => socket !== undefined && !socket.destroyed;

/** While one is being started, or how it ended is not known yet, the host does not end. */
const hold = ({ process: starter, wanted }: Starter): void => {
  const isAwaited = [...wanted.values()].some(({ main, errors }) => !(isOpen(main) && isOpen(errors)));
  if (isAwaited) starter.channel?.ref();
  else starter.channel?.unref();
};

const isClosed = (socket: Socket | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (socket === undefined || socket.readableEnded || socket.destroyed) resolve();
    else for (const event of ['end', 'close', 'error']) socket.once(event, () => resolve());
  });

const finish = async (starter: Starter, id: number, end: ProcessEnd): Promise<void> => {
  const wanted = starter.wanted.get(id);
  if (wanted === undefined) return;
  starter.wanted.delete(id);
  hold(starter);
  wanted.started.reject(new Error(`The process ended before it was reached (${end.signal ?? end.code}).`));
  const { main, errors } = wanted;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LAST_WORDS_MS);
  });
  await Promise.race([Promise.all([isClosed(main), isClosed(errors)]), late]);
  clearTimeout(timer);
  for (const socket of [main, errors]) socket?.destroy();
  wanted.ended.resolve(end);
};

const fail = (starter: Starter, id: number, message: string): void => {
  starter.wanted.get(id)?.started.reject(new Error(message));
  void finish(starter, id, { code: null, signal: null });
};

/** A connection that says whose it is; what follows is the process's own. */
const welcome = (starter: Starter, socket: Socket): void => {
  let head = Buffer.alloc(0);
  const take = (): void => {
    for (;;) {
      const piece: Buffer | null = socket.read(1);
      if (piece === null) return;
      if (piece[0] === 0x0a) break;
      head = Buffer.concat([head, piece]);
      if (head.byteLength > MAX_GREETING) return void socket.destroy();
    }
    socket.off('readable', take);
    const said = readGreeting(head.toString('latin1'));
    const found = [...starter.wanted].find(([, one]) => one.key === said?.key);
    if (said === null || found === undefined) return void socket.destroy();
    const [id, wanted] = found;
    if (wanted[said.part] !== undefined) return void socket.destroy();
    wanted[said.part] = socket;
    const { main, errors } = wanted;
    if (main === undefined || errors === undefined) return;
    hold(starter);
    for (const one of [main, errors]) one.once('close', () => hold(starter));
    const { promise: ended } = wanted.ended;
    wanted.started.resolve({
      ...{ stdin: main, stdout: main, stderr: errors, ended },
      get pid() {
        return wanted.pid;
      },
      runByTurns: () => void tell(starter, { t: 'runByTurns', id }),
      runFreely: () => void tell(starter, { t: 'runFreely', id }),
      kill: () => void tell(starter, { t: 'kill', id }),
    });
  };
  socket.on('error', () => undefined);
  socket.on('readable', take);
};

const begin = async (): Promise<Starter> => {
  // nobody else of this machine reaches the socket in it
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-starter-'));
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(join(folder, 'host'), resolve);
  });
  server.unref();
  const child = spawn(process.execPath, ['--no-warnings', '--max-old-space-size=64', starterFile()], {
    env: {},
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.unref();
  const starter: Starter = { process: child, server, folder, wanted: new Map() };
  server.on('connection', (socket) => welcome(starter, socket));
  child.on('message', (message: FromStarter) => {
    if (message.t === 'failed') fail(starter, message.id, message.message);
    else if (message.t === 'ended') void finish(starter, message.id, message);
    else {
      const wanted = starter.wanted.get(message.id);
      if (wanted !== undefined) wanted.pid = message.pid;
    }
  });
  let isGone = false;
  const gone = (): void => {
    if (isGone) return;
    isGone = true;
    running = undefined;
    server.close();
    rmSync(folder, { recursive: true, force: true });
    for (const id of [...starter.wanted.keys()]) fail(starter, id, ENDED);
  };
  for (const event of ['disconnect', 'exit', 'error']) child.once(event, gone);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return starter;
};

/** Has the starter start the process of a plugin; the starter itself is started when it is needed first. @throws Error */
export const startElsewhere = async (spec: ProcessSpec): Promise<PluginChild> => {
  running ??= begin();
  const starter = await running.catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  ids += 1;
  const id = ids;
  const key = randomBytes(16).toString('hex');
  const wanted: Wanted = { key, started: Promise.withResolvers(), ended: Promise.withResolvers() };
  wanted.started.promise.catch(() => undefined);
  starter.wanted.set(id, wanted);
  hold(starter);
  const { readable, limits, flags } = spec;
  const { heapMb, dataMb } = limits;
  const plain: ProcessSpec = { readable, limits: { heapMb, dataMb }, ...(flags && { flags }) };
  const isTold = tell(starter, { t: 'start', id, spec: plain, key, socket: join(starter.folder, 'host') });
  if (!isTold) fail(starter, id, ENDED);
  return wanted.started.promise;
};
