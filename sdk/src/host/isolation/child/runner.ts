/** The program of a plugin's process: loads one plugin and runs what the host asks, with nothing but two pipes to it. */
import { createFrameReader, encodeFrame, reviveBytes } from '../frames.ts';
import { type EntryUrls, type FromChild, type SentError, STAND, type ToChild } from '../messages.ts';
import { type ChildCall, childCtx, remoteBytes } from './child-ctx.ts';
import { describePlugin } from './describe.ts';
import { isNetworkCut, lockDown } from './lock-down.ts';
import { importedSdk, provideSdk } from './provide-sdk.ts';
import { errorMaker, sentError } from './sent-errors.ts';

const MAX_FRAME_BYTES = 64 * 1024 * 1024;

type CallOrder = Extract<ToChild, { t: 'call' }>;

const output = process.stdout;
const write = output.write.bind(output);
const send = (message: FromChild): void => void write(encodeFrame(message));
/** What code prints is for the log, never for the pipe of the frames. */
const printer = process.stderr.write.bind(process.stderr);
Reflect.set(process.stdout, 'write', (text: string | Uint8Array) => printer(text));

interface Running extends ChildCall {
  iterator?: AsyncIterator<unknown>;
}

const calls = new Map<number, Running>();
const asked = new Map<number, PromiseWithResolvers<unknown>>();
let asks = 0;
let roots: Readonly<Record<string, unknown>> = {};
let clock = { now: 0, at: 0, isStill: false };

const setClock = (now: number, isStill = clock.isStill): void => {
  clock = { now, at: performance.now(), isStill };
};

const exported = async (url: string, name: string): Promise<unknown> => {
  const module: unknown = await import(url);
  const value: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, name) : undefined;
  if (value === undefined) throw new Error(`${url.slice(url.lastIndexOf('/') + 1)} does not export "${name}"`);
  return value;
};

/** The class by which the plugin knows errors of the SDK: that of the copy which it imported itself, once it did. */
const errorClass = async (): Promise<unknown> => {
  const url = importedSdk();
  if (url === undefined) return undefined;
  try {
    const sdk: unknown = await import(url);
    return typeof sdk === 'object' && sdk !== null ? Reflect.get(sdk, 'ConnectorError') : undefined;
  } catch {
    // a copy that does not load: the plugin has no class either
    return undefined;
  }
};

const makeError = async (error: SentError): Promise<Error> => errorMaker(await errorClass())(error);

const load = async (entries: EntryUrls): Promise<void> => {
  const plugin = await exported(entries.manifest, 'plugin');
  const parsers = entries.parsers === null ? [] : await exported(entries.parsers, 'parsers');
  const server = entries.server === null ? undefined : await exported(entries.server, 'server');
  const connectors = typeof server === 'object' && server !== null ? Reflect.get(server, 'connectors') : {};
  const byTool = Array.isArray(parsers)
    ? parsers.map((one: unknown) => [String(Reflect.get(Object(one), 'tool')), one])
    : [];
  roots = { connectors, parsers: Object.fromEntries(byTool) };
  send({ t: 'described', plugin: describePlugin(plugin, parsers, server) });
};

/** The function at a path, and what it belongs to. */
const findMember = (path: readonly string[]): { member: unknown; owner: unknown } => {
  let [owner, member]: [unknown, unknown] = [undefined, roots];
  for (const name of path) {
    if (typeof member !== 'object' || member === null) return { member: undefined, owner };
    [owner, member] = [member, Reflect.get(member, name)];
  }
  return { member, owner };
};

const argumentOf = (value: unknown, call: Running, config: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array) return value;
  const stand: unknown = Object.hasOwn(value, STAND) ? Reflect.get(value, STAND) : undefined;
  if (stand === 'ctx') return childCtx(config, call);
  if (stand === 'bytes') return remoteBytes(call.ask);
  if (stand === 'signal') return call.abort.signal;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, name === 'signal' ? argumentOf(part, call, config) : part]),
  );
};

const createCall = (id: number): Running => ({
  abort: new AbortController(),
  ask: (what, args) => {
    const waiting = Promise.withResolvers<unknown>();
    asks += 1;
    const ask = asks;
    asked.set(ask, waiting);
    send({ t: 'ask', id, ask, what, args });
    return waiting.promise;
  },
  log: (level, message, facts) => send({ t: 'log', id, level, message: String(message), facts }),
  now: () => new Date(clock.now + (clock.isStill ? 0 : performance.now() - clock.at)),
});

const run = async (order: CallOrder): Promise<void> => {
  const { id, path, args, isStream, config, now, isClockStill } = order;
  setClock(now, isClockStill);
  const call = createCall(id);
  calls.set(id, call);
  const { member, owner } = findMember(path);
  if (typeof member !== 'function') throw new Error(`the plugin has no ${path.join('.')}`);
  const result: unknown = Reflect.apply(
    member,
    owner,
    args.map((one) => argumentOf(one, call, config)),
  );
  if (isStream) {
    const open: unknown = Reflect.get(Object(result), Symbol.asyncIterator);
    if (typeof open !== 'function') throw new TypeError(`${path.join('.')} gives no records`);
    call.iterator = Reflect.apply(open, result, []);
    return;
  }
  const value: unknown = await result;
  calls.delete(id);
  send({ t: 'value', id, value });
};

/** Records of a report go together, as many as come within this time. */
const BATCH_MS = 50;
const BATCH_BYTES = 1024 * 1024;

const pull = async (id: number, most: number): Promise<void> => {
  const iterator = calls.get(id)?.iterator;
  if (iterator === undefined) throw new Error('there is nothing to pull');
  const records: unknown[] = [];
  const until = performance.now() + BATCH_MS;
  let [isEnd, size] = [false, 0];
  while (records.length < most && !isEnd && size < BATCH_BYTES && (records.length === 0 || performance.now() < until)) {
    const step = await iterator.next();
    isEnd = step.done === true;
    if (isEnd) continue;
    records.push(step.value);
    size += most === 1 ? 0 : encodeFrame(step.value).byteLength;
  }
  if (isEnd) calls.delete(id);
  send({ t: 'records', id, records, isEnd });
};

const attempt = async (id: number, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    calls.delete(id);
    send({ t: 'error', id, error: sentError(error) });
  }
};

const settle = (message: Extract<ToChild, { t: 'answer' | 'refuse' }>): void => {
  setClock(message.now);
  const waiting = asked.get(message.ask);
  asked.delete(message.ask);
  if (message.t === 'answer') waiting?.resolve(message.value);
  else void makeError(message.error).then((error) => waiting?.reject(error));
};

const handle = (message: ToChild): void => {
  switch (message.t) {
    case 'load':
      load(message.entries).catch((error: unknown) => send({ t: 'failed', error: sentError(error) }));
      break;
    case 'call':
      void attempt(message.id, () => run(message));
      break;
    case 'pull':
      void attempt(message.id, () => pull(message.id, message.most));
      break;
    case 'return': {
      const iterator = calls.get(message.id)?.iterator;
      calls.delete(message.id);
      Promise.resolve(iterator?.return?.()).catch(() => undefined);
      break;
    }
    case 'abort':
      void makeError(message.reason).then((reason) => calls.get(message.id)?.abort.abort(reason));
      break;
    case 'ping':
      send({ t: 'pong' });
      break;
    default:
      settle(message);
  }
};

const read = createFrameReader(MAX_FRAME_BYTES, (body) => {
  const message: unknown = reviveBytes(JSON.parse(new TextDecoder().decode(body)));
  if (isMessage(message)) handle(message);
});

/** The host is trusted; this tells the compiler. */
function isMessage(message: unknown): message is ToChild {
  return typeof message === 'object' && message !== null && 't' in message;
}

process.stdin.on('data', read);
// without its host there is nothing left to do
process.stdin.on('end', () => process.exit(0));
const isCut = await isNetworkCut();
provideSdk(process.argv[2] ?? import.meta.url);
lockDown();
send({ t: 'ready', isNetworkCut: isCut });
