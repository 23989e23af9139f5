import type { Readable } from 'node:stream';
import type { Ctx } from '../../context.ts';
import type { CredentialSchema } from '../../credentials.ts';
import { createFrameReader, encodeFrame, FrameError } from './frames.ts';
import { readMessage } from './from-child.ts';
import { createAskHandler } from './host-asks.ts';
import { IsolationError, type IsolationFailure } from './isolation-error.ts';
import type { IsolationLimits } from './isolation-limits.ts';
import { errorForPlugin, madeError } from './made-errors.ts';
import type { EntryUrls, FromChild, ToChild } from './messages.ts';
import { OpenCall } from './open-call.ts';
import type { PluginChild } from './plugin-child.ts';
import { ProcessClock } from './process-clock.ts';
import { processorTimeOf, programOf } from './processor-time.ts';
import { startProcess } from './start-process.ts';

export interface PluginProcessSpec {
  readonly entries: EntryUrls;
  readonly readable: readonly string[];
  readonly limits: IsolationLimits;
  /** Runs it also where its network cannot be cut. */
  readonly mayHaveNetwork: boolean;
  readonly flags?: readonly string[];
}

export interface CallOrder {
  readonly path: readonly string[];
  readonly args: readonly unknown[];
  readonly ctx?: Ctx<CredentialSchema>;
  readonly bytes?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  readonly isClockStill?: boolean;
}

const TICK_MS = 250;
const PING_EVERY_MS = 1_000;
const MAX_STDERR = 4_000;
/** Of the whole life of a process: what it prints is for a log. */
const MOST_PRINTED = 4 * 1024 * 1024;
/** A process that talks without end is listened to with pauses. */
const BURST = { frames: 2_000, printed: 256 * 1024, pauseMs: 100 };

const pauseBriefly = (stream: Readable): void => {
  stream.pause();
  setTimeout(() => stream.resume(), BURST.pauseMs).unref();
};

/** One process of one plugin. It is ended by whatever goes wrong in it, and with it every call that it has. */
export class PluginProcess {
  /** Undefined until it runs. */
  #child: PluginChild | undefined;
  readonly #limits: IsolationLimits;
  readonly #calls = new Map<number, OpenCall>();
  readonly #loaded = Promise.withResolvers<unknown>();
  readonly #spec: PluginProcessSpec;
  #callIds = 0;
  #failure: IsolationError | undefined;
  #stderr = '';
  readonly #clock = new ProcessClock();
  #heardAt = 0;
  #pingedAt: number | undefined;
  #runsByTurns = false;
  #isSuspect: boolean;
  #isLoading = true;
  #frames = 0;
  #isNetworkCut = false;
  readonly #timer: NodeJS.Timeout;
  /** When its last call ended. */
  idleSince = performance.now();

  /** @param isSuspect the one before it failed: once it has loaded, it runs by turns until it has answered a call */
  constructor(spec: PluginProcessSpec, isSuspect = false) {
    this.#spec = spec;
    this.#isSuspect = isSuspect;
    this.#limits = spec.limits;
    this.#loaded.promise.catch(() => undefined);
    startProcess(spec).then(
      (child) => this.#attach(child),
      (error: unknown) => this.end('start', String(error)),
    );
    this.#timer = setInterval(() => this.#look(), TICK_MS);
    this.#timer.unref();
  }

  #attach(child: PluginChild): void {
    if (this.#failure !== undefined) {
      child.kill();
      return;
    }
    this.#child = child;
    const { stdin, stdout, stderr } = child;
    const read = createFrameReader(this.#limits.frameBytes, (body) => this.#take(body));
    stdout.on('data', (piece: Buffer) => {
      try {
        read(piece);
      } catch (error) {
        this.end(error instanceof FrameError ? 'too_much' : 'protocol', String(error));
      }
    });
    this.#readPrinted(stderr);
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
    void child.ended.then(({ code, signal }) => this.end(this.#endOf(code, signal), this.#stderr));
  }

  /** Reading it takes the time and the memory of everybody: one that prints without end waits for its pipe. */
  #readPrinted(stderr: Readable): void {
    let printed = 0;
    let read = 0;
    stderr.on('data', (piece: Buffer) => {
      printed += piece.byteLength;
      read += piece.byteLength;
      this.#stderr = `${this.#stderr}${piece.subarray(-MAX_STDERR).toString('utf8')}`.slice(-MAX_STDERR);
      if (printed > MOST_PRINTED) return this.end('too_much', `more than ${MOST_PRINTED} bytes printed`);
      if (read < BURST.printed) return;
      pauseBriefly(stderr);
      read = 0;
    });
  }

  /** Its manifest and what it can do. @throws IsolationError, or what its modules throw */
  get description(): Promise<unknown> {
    return this.#loaded.promise;
  }

  get isNetworkCut(): boolean {
    return this.#isNetworkCut;
  }

  get isEnded(): boolean {
    return this.#failure !== undefined;
  }

  get callCount(): number {
    return this.#calls.size;
  }

  /** One answer. @throws ConnectorError, ReportError, IsolationError */
  async call(order: CallOrder): Promise<unknown> {
    const call = await this.#begin(order, false);
    return call.value;
  }

  /** Records, as they are asked for, at most `most` at a time. */
  async *stream(order: CallOrder, most: number): AsyncGenerator<unknown> {
    const call = await this.#begin(order, true);
    let count = 0;
    try {
      for (;;) {
        const { records, isEnd } = await call.pull(most);
        count += records.length;
        if (count > this.#limits.records) {
          this.end('too_much', `more than ${this.#limits.records} records`);
          throw new IsolationError('too_much');
        }
        yield* records;
        if (isEnd) return;
      }
    } finally {
      call.close();
    }
  }

  /** Ends it. Every call fails with the reason. */
  end(failure: IsolationFailure, detail?: string): void {
    if (this.#failure !== undefined) return;
    this.#failure = new IsolationError(failure, detail);
    clearInterval(this.#timer);
    this.#child?.kill();
    // nothing of what it still sends is read
    this.#child?.stdout.destroy();
    this.#child?.stderr.destroy();
    this.#loaded.reject(this.#failure);
    for (const call of [...this.#calls.values()]) call.fail(this.#failure);
  }

  #endOf(code: number | null, signal: NodeJS.Signals | null): IsolationFailure {
    const isOutOfMemory =
      signal === 'SIGABRT' || code === 134 || /heap out of memory|MEMORY_ALLOCATION/.test(this.#stderr);
    return isOutOfMemory ? 'memory' : 'ended';
  }

  #send(message: ToChild): void {
    if (this.#failure === undefined) this.#child?.stdin.write(encodeFrame(message));
  }

  async #begin(order: CallOrder, isStream: boolean): Promise<OpenCall> {
    await this.#loaded.promise;
    if (this.#failure !== undefined) throw this.#failure;
    this.#callIds += 1;
    const id = this.#callIds;
    const { path, args, ctx, bytes, signal, isClockStill = false } = order;
    const call = new OpenCall({
      asks: createAskHandler({ ctx, bytes }),
      isStream,
      clock: () => this.#clock.now(),
      pull: (most) => this.#send({ t: 'pull', id, most }),
      abort: (reason) => this.#send({ t: 'abort', id, reason: errorForPlugin(reason) }),
      closed: (isOver) => {
        if (isOver) this.#trust();
        else if (isStream) this.#send({ t: 'return', id });
        this.#calls.delete(id);
        this.idleSince = performance.now();
        if (this.#calls.size === 0) this.#hold(false);
      },
      log: ctx?.log,
      ...(signal === undefined ? {} : { signal }),
    });
    this.#calls.set(id, call);
    this.#hold(true);
    this.#heardAt = this.#clock.now();
    const now = (ctx?.now() ?? new Date()).getTime();
    this.#send({ t: 'call', id, path, args, isStream, config: ctx?.config ?? null, now, isClockStill });
    return call;
  }

  /** While there is work, the host does not end. */
  #hold(isAtWork: boolean): void {
    if (isAtWork) this.#timer.ref();
    else this.#timer.unref();
  }

  #take(body: Uint8Array): void {
    if (this.#failure !== undefined) return;
    this.#heardAt = this.#clock.now();
    this.#pingedAt = undefined;
    this.#slowDown();
    const message = readMessage(body);
    if (message === null) this.end('protocol', 'not a message');
    else this.#handle(message);
  }

  #slowDown(): void {
    this.#frames += 1;
    if (this.#frames <= BURST.frames) return;
    if (this.#child !== undefined) pauseBriefly(this.#child.stdout);
    this.#frames = 0;
  }

  #handle(message: FromChild): void {
    switch (message.t) {
      case 'ready':
        this.#ready(message.isNetworkCut === true);
        break;
      case 'described':
        // once: its code may say so again and again
        if (this.#isLoading) {
          this.#measure();
          this.#clock.forgetLately();
          if (this.#isSuspect) this.#child?.runByTurns();
        }
        this.#isLoading = false;
        this.#loaded.resolve(message.plugin);
        break;
      case 'failed':
        this.#isLoading = false;
        this.#loaded.reject(madeError(message.error));
        break;
      case 'pong':
        break;
      case 'ask':
        void this.#answer(message);
        break;
      default:
        this.#calls.get(message.id)?.take(message);
    }
  }

  #ready(isNetworkCut: boolean): void {
    this.#isNetworkCut = isNetworkCut;
    if (isNetworkCut || this.#spec.mayHaveNetwork) this.#send({ t: 'load', entries: this.#spec.entries });
    else this.end('network');
  }

  async #answer({ id, ask, what, args }: Extract<FromChild, { t: 'ask' }>): Promise<void> {
    const call = this.#calls.get(id);
    // no text: for authors, not for people
    if (call === undefined) return this.#refuse(ask, new DOMException('This call is over.', 'AbortError'), new Date());
    if (call.asking >= this.#limits.asks)
      return this.end('too_much', `more than ${this.#limits.asks} requests at the same time`);
    try {
      const value = await call.answer(what, args);
      this.#send({ t: 'answer', ask, value: value ?? null, now: call.now() });
    } catch (error) {
      this.#refuse(ask, error, new Date(call.now()));
    }
  }

  #refuse(ask: number, error: unknown, now: Date): void {
    this.#send({ t: 'refuse', ask, error: errorForPlugin(error), now: now.getTime() });
  }

  #trust(): void {
    if (!this.#isSuspect || this.#failure !== undefined) return;
    this.#isSuspect = false;
    this.#child?.runFreely();
  }

  #measure(): void {
    const isAtWork = this.#isLoading || this.#calls.size > 0;
    const pid = this.#child?.pid;
    this.#clock.step(isAtWork && pid !== undefined ? processorTimeOf(programOf(pid)) : null);
  }

  #look(): void {
    this.#measure();
    // one that loads is not slowed down: what it runs counts three times towards the limit of its start
    if (!this.#runsByTurns && !this.#isLoading && this.#clock.ranLatelyMs > this.#limits.greedyMs) {
      this.#runsByTurns = true;
      this.#child?.runByTurns();
    }
    const now = this.#clock.now();
    const { startMs, unresponsiveMs } = this.#limits;
    if (this.#isLoading && now > startMs) {
      this.end('start', `not loaded within ${startMs} ms`);
      return;
    }
    if (this.#calls.size === 0) {
      this.#pingedAt = undefined;
      return;
    }
    if (this.#pingedAt !== undefined && now - this.#pingedAt > unresponsiveMs) {
      this.end('unresponsive');
      return;
    }
    if (this.#pingedAt === undefined && now - this.#heardAt > PING_EVERY_MS) {
      this.#pingedAt = now;
      this.#send({ t: 'ping' });
    }
    // one that does not answer a ping is not silent but busy
    if (this.#pingedAt !== undefined) return;
    for (const call of this.#calls.values()) {
      const failure = call.look(now, this.#limits);
      if (failure !== null) {
        this.end(failure);
        return;
      }
    }
  }
}
