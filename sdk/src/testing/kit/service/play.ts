import type { Ctx, Json, Log, Paging, Store } from '../../../context.ts';
import type { CredentialSchema } from '../../../credentials.ts';
import { createCtx, createEgressGate, type HostConnection, type Outcome, runStep } from '../../../host/index.ts';
import type { Exchange } from '../../fixtures.ts';
import { type FilledForm, fillForm, findLeaks, textOf } from './canary.ts';
import { differencesOf } from './exact-request.ts';
import { type FakeService, type SeenRequest, startFakeService } from './fake-service.ts';
import type { Operation } from './operations.ts';
import { type OutsideWatch, watched } from './outside-watch.ts';
import type { Values } from './placeholders.ts';
import type { ServiceFault } from './service-fault.ts';
import { playable, type Subject } from './subject.ts';
import { watchFields } from './watch-fields.ts';

export interface PlayOptions {
  /** Put before the recorded exchanges. */
  readonly exchanges?: readonly Exchange[];
  /** What the service does wrong, from the n-th recorded exchange on. */
  readonly fault?: { readonly kind: ServiceFault; readonly at: Exchange };
  /** How long the work may go on once the service has the request that it answers wrongly. Default: until the deadline of 10 s. */
  readonly timeoutMs?: number;
  /** What the connection remembers from before. Default: nothing. */
  readonly remembered?: ReadonlyMap<string, Json>;
  /** The host's clock. Default `NOW`. */
  readonly now?: Date;
  /** Aborts as soon as the service has the request that it answers wrongly. */
  readonly isAborted?: boolean;
  /** Field of the form that nobody filled. */
  readonly without?: string;
  /** Streams come byte by byte. */
  readonly isInPieces?: boolean;
}

/** What one run of an operation came to. */
export interface Played {
  readonly outcome: Outcome<unknown>;
  readonly seen: readonly SeenRequest[];
  /** Secrets that came out: `error: api_key in base64`. */
  readonly leaks: readonly string[];
  /** How its requests differ from the recorded ones. */
  readonly inexact: readonly string[];
  /** Lists of pages that it read, with how many pages each had. */
  readonly pages: readonly number[];
  /** How each of them told where it goes on. */
  readonly pagings: readonly Paging[];
  /** How many answers it read as they came. */
  readonly streams: number;
  /** Fields of the form that its code looked at by name. */
  readonly looked: ReadonlySet<string>;
  /** Fields of the form that its code took with all others. */
  readonly taken: ReadonlySet<string>;
  /** Address of its fake service, which may stand in what it answers. */
  readonly origin: string;
  /** What it did behind the back of its `ctx`. */
  readonly outside: readonly string[];
  /** What the connection remembers now. */
  readonly remembered: ReadonlyMap<string, Json>;
  /** False when it was still at work a second after it was told to stop. */
  readonly hasStopped: boolean;
}

/** The host's clock in the kit. */
export const NOW = new Date('2026-01-01T00:00:00.000Z');

const TIMEOUT_MS = 10_000;
/** How long work may go on after it was aborted. Source: architecture.md §6. */
const STOP_MS = 1000;

/** Runs wait for the service most of their time: many at once cost little. */
const AT_ONCE = 32;
const waiting: (() => void)[] = [];
let running = 0;

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/** Runs an operation of a connector in the real runtime, against a fake service of its own. */
export function play(subject: Subject, operation: Operation, options: PlayOptions = {}): Promise<Played> {
  return inTurn(() => playNow(subject, operation, options));
}

async function playNow(subject: Subject, operation: Operation, options: PlayOptions): Promise<Played> {
  const form = formWithout(fillForm(subject.connector, subject.fixture), options.without);
  const { exchanges = [] } = subject.fixture;
  const service = await startFakeService({
    values: { ...form.config, ...form.secrets },
    exchanges: (url) => [
      ...playable(subject, options.exchanges ?? [], { url, values: form.config, isOverride: true }),
      ...playable(subject, exchanges, { url, values: form.config, isOverride: false }),
    ],
    fault: (played) => {
      const at = played.find(({ recorded }) => recorded === options.fault?.at);
      return options.fault && at ? { kind: options.fault.kind, at } : undefined;
    },
    secrets: Object.values(form.secrets),
  });
  try {
    return await run({ subject, operation, options, form, service });
  } finally {
    await service.close();
  }
}

function formWithout({ config, secrets }: FilledForm, field: string | undefined): FilledForm {
  const rest = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name !== field));
  return { config: rest(config), secrets: rest(secrets) };
}

interface Run {
  readonly subject: Subject;
  readonly operation: Operation;
  readonly options: PlayOptions;
  readonly form: FilledForm;
  readonly service: FakeService;
}

async function run({ subject, operation, options, form, service }: Run): Promise<Played> {
  const memory = createMemory(options.remembered);
  const fields = watchFields();
  const watch: OutsideWatch = { allowed: new Set([service.url.host]), attempts: [], prints: [] };
  const gate = createEgressGate({ allowPrivateHosts: false, trusted: [service.url.host] });
  const connection: HostConnection = {
    connector: subject.connector,
    config: form.config,
    secret: async (field) => form.secrets[field],
    baseUrlOverride: service.url,
    store: memory.store,
    log: memory.log,
  };
  const abort = new AbortController();
  let work: Promise<unknown> = Promise.resolve();
  let abortedAt: number | undefined;
  const stopWaiting = endAfterFault(service, abort, options);
  const outcome = await watched(watch, () =>
    runStep(
      (signal) => {
        signal.addEventListener('abort', () => {
          abortedAt = performance.now();
        });
        const ctx = createCtx(gate, connection, { signal, now: () => options.now ?? NOW });
        work = operation.run(
          withOwn(ctx, memory, { config: fields.of(ctx.config), isInPieces: options.isInPieces ?? false }),
        );
        return work;
      },
      { timeoutMs: TIMEOUT_MS, signal: abort.signal },
    ),
  );
  stopWaiting();
  const waitedMs = abortedAt === undefined ? 0 : performance.now() - abortedAt;
  const hasStopped = await settlesWithin(work, Math.max(0, STOP_MS - waitedMs));
  const outputs: [string, unknown][] = [
    outcome.ok ? ['result', outcome.value] : ['error', outcome.error],
    ['log', memory.lines],
    ['store', Object.fromEntries(memory.entries)],
    ['console', watch.prints],
  ];
  return {
    outcome,
    seen: service.seen,
    leaks: outputs.flatMap(([place, value]) =>
      findLeaks(form.secrets, textOf(value)).map((leak) => `${place}: ${leak.field} ${leak.form}`),
    ),
    inexact: inexactOf(service.seen, { ...form.config, ...form.secrets }),
    ...readBy(memory),
    ...{ looked: fields.looked, taken: fields.taken },
    origin: service.url.origin,
    outside: watch.attempts,
    remembered: memory.entries,
    hasStopped,
  };
}

const readBy = ({ pages, pagings, streams }: Memory) => ({ pages, pagings, streams });

function inexactOf(seen: readonly SeenRequest[], values: Values): string[] {
  return seen.flatMap((asked) => {
    if (asked.exchange === null || asked.exchange.isOverride) return [];
    const [path = ''] = asked.address.split('?');
    return differencesOf(asked.exchange.request, asked, values).map((one) => `${asked.method} ${path}: ${one}`);
  });
}

/** The log before the host masks it, a store that can be looked into, and lists of pages that are counted. */
function withOwn(
  ctx: Ctx<CredentialSchema>,
  memory: Memory,
  { config, isInPieces }: { readonly config: Ctx<CredentialSchema>['config']; readonly isInPieces: boolean },
): Ctx<CredentialSchema> {
  const { http } = ctx;
  const stream: Ctx<CredentialSchema>['http']['stream'] = (request) => {
    memory.streams += 1;
    return isInPieces ? byteByByte(http.stream(request)) : http.stream(request);
  };
  return {
    config,
    http: {
      ...http,
      stream,
      pages: (request, paging) => {
        memory.pagings.push(paging);
        return counted(http.pages(request, paging), memory.pages);
      },
    },
    signal: ctx.signal,
    now: () => ctx.now(),
    reveal: (key) => ctx.reveal(key),
    log: memory.log,
    store: memory.store,
  };
}

async function* counted<T>(pages: AsyncIterable<T>, counts: number[]): AsyncGenerator<T> {
  const index = counts.push(0) - 1;
  for await (const page of pages) {
    counts[index] = (counts[index] ?? 0) + 1;
    yield page;
  }
}

async function* byteByByte(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.byteLength; at += 1) yield chunk.subarray(at, at + 1);
  }
}

interface Memory {
  streams: number;
  readonly pages: number[];
  readonly pagings: Paging[];
  readonly log: Log;
  readonly lines: unknown[];
  readonly store: Store;
  readonly entries: Map<string, Json>;
}

function createMemory(remembered: ReadonlyMap<string, Json> = new Map()): Memory {
  const lines: unknown[] = [];
  const entries = new Map(remembered);
  const write = (message: string, facts?: unknown) => {
    lines.push([message, facts]);
  };
  return {
    streams: 0,
    pages: [],
    pagings: [],
    lines,
    entries,
    log: { debug: write, info: write, warn: write },
    store: {
      get: async (key) => entries.get(key),
      set: async (key, value) => void entries.set(key, value),
      delete: async (key) => void entries.delete(key),
    },
  };
}

const POLL_MS = 5;

/** Stops the work at once or after its time, counted from the request that is answered wrongly: a busy machine may take long to get there. */
function endAfterFault(
  service: FakeService,
  abort: AbortController,
  { fault, timeoutMs, isAborted = false }: PlayOptions,
): () => void {
  const waitMs = isAborted ? 0 : timeoutMs;
  if (waitMs === undefined) return () => undefined;
  let end: NodeJS.Timeout | undefined;
  const poll = setInterval(() => {
    if (!service.seen.some(({ exchange }) => exchange?.recorded === fault?.at)) return;
    clearInterval(poll);
    end = setTimeout(() => abort.abort(), waitMs);
  }, POLL_MS);
  return () => {
    clearInterval(poll);
    clearTimeout(end);
  };
}

async function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  const settled = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, promise]);
  } finally {
    clearTimeout(timer);
  }
}
