import type { Worker } from 'node:worker_threads';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Failure } from '../scans/scan-record.ts';

/** How long, and with how much memory, an import may go on. */
export interface ImportLimits {
  /** Without a byte read, a record or an end of a step, while the report is read. */
  silenceMs: number;
  /** The same in time of the processor: a machine that is busy with others does not make an importer that computes look stuck. */
  silenceCpuMs: number;
  /** From its start to its end, without the time in which it waits for another import of the repository. */
  deadlineMs: number;
  /** Added to the deadline for each megabyte of the report. */
  deadlinePerMegabyteMs: number;
  /** Buffers and the like, outside of the heap. */
  externalMb: number;
}

/** Far above what a busy machine needs: 500 MB took 5 minutes on two cores that were shared with eight others. */
export const IMPORT_LIMITS: ImportLimits = {
  silenceMs: 120_000,
  silenceCpuMs: 15_000,
  deadlineMs: 15 * 60_000,
  deadlinePerMegabyteMs: 10_000,
  externalMb: 1024,
};

/** Places of the shared memory. */
const BEATS = 0;
const STEP = 1;
const MEGABYTES = 2;
const THREAD = 3;
const PLACES = 4;

const STEPS = ['starting', 'reading', 'waiting', 'merging'] as const;
type Step = (typeof STEPS)[number];

const MEGABYTE = 1024 * 1024;

/** What a thread shows of its import, in memory that is read while the thread itself does not answer. */
export interface ImportPulse {
  /** Got on by a piece or a record. */
  beat(): void;
  enter(step: Step): void;
  /** So many bytes of the report are read. */
  read(bytes: number): void;
}

export const createPulseMemory = (): SharedArrayBuffer => new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT);

/** For the thread. */
export const createPulse = (memory: SharedArrayBuffer, threadId: number): ImportPulse => {
  const places = new Int32Array(memory);
  const beat = (): void => void Atomics.add(places, BEATS, 1);
  Atomics.store(places, THREAD, threadId);
  return {
    beat,
    enter: (step) => {
      Atomics.store(places, STEP, STEPS.indexOf(step));
      beat();
    },
    read: (bytes) => {
      Atomics.store(places, MEGABYTES, Math.floor(bytes / MEGABYTE));
      beat();
    },
  };
};

/** Where nobody watches. */
export const unwatched: ImportPulse = { beat: () => undefined, enter: () => undefined, read: () => undefined };

const minutes = (ms: number): string => {
  const count = Math.round(ms / 60_000);
  return count < 1 ? `${Math.round(ms / 1000)} seconds` : `${count} minute${count === 1 ? '' : 's'}`;
};

const SPLIT = msg('Nothing was changed. Split the report and upload the parts, or leave out what it does not need.');

export const TOO_MUCH_MEMORY: Failure = {
  code: 'report_too_complex',
  detail: `The report needs more memory than an import may use. ${SPLIT}`,
};
const silent = (ms: number): Failure => ({
  code: 'import_stuck',
  detail: sayEnglish(
    'The import made no progress for {ms} and was ended. Nothing was changed. Check that the report is whole and of the named tool, and upload it again.',
    { ms: minutes(ms) },
  ),
});
const late = (ms: number): Failure => ({
  code: 'import_stuck',
  detail: `The import was not done after ${minutes(ms)} and was ended. ${SPLIT}`,
});

const WATCH_EVERY_MS = 1000;

/** Follows one import from another thread. `signal` aborts with the failure as its reason when a limit is passed. */
export interface ImportWatch {
  signal: AbortSignal;
  /** Why it was ended; undefined where it was not. */
  failure(): Failure | undefined;
  stop(): void;
}

/**
 * Watches the import that shows its pulse in `memory`. Silence counts while the report is read, when only the importer can be at fault;
 * a step of the database may take long.
 */
export const watchImport = (
  memory: SharedArrayBuffer,
  limits: ImportLimits,
  threads: () => readonly Worker[],
): ImportWatch => {
  const places = new Int32Array(memory);
  const abort = new AbortController();
  let failure: Failure | undefined;
  let [beats, beatAt, lookedAt, waitedMs] = [0, performance.now(), performance.now(), 0];
  const startedAt = performance.now();
  const end = (why: Failure): void => {
    if (failure !== undefined) return;
    failure = why;
    abort.abort();
  };
  const lookAtTime = (): void => {
    const now = performance.now();
    const step = STEPS[Atomics.load(places, STEP)];
    const seen = Atomics.load(places, BEATS);
    if (seen !== beats) [beats, beatAt] = [seen, now];
    if (step === 'waiting') waitedMs += now - lookedAt;
    lookedAt = now;
    const deadlineMs = limits.deadlineMs + Atomics.load(places, MEGABYTES) * limits.deadlinePerMegabyteMs;
    if (step === 'reading' && now - beatAt > limits.silenceMs) end(silent(limits.silenceMs));
    if (step !== 'waiting' && now - startedAt - waitedMs > deadlineMs) end(late(deadlineMs));
  };
  let [busyBeats, busyFromMs] = [-1, 0];
  const lookAtThread = async (): Promise<void> => {
    const seen = Atomics.load(places, BEATS);
    const threadId = Atomics.load(places, THREAD);
    const thread = threads().find((one) => one.threadId === threadId);
    // a thread that has ended answers no more
    const [heap, cpu] = await Promise.all([thread?.getHeapStatistics(), thread?.cpuUsage()]).catch(() => []);
    if (heap !== undefined && heap.external_memory > limits.externalMb * MEGABYTE) end(TOO_MUCH_MEMORY);
    if (cpu === undefined) return;
    const busyMs = (cpu.user + cpu.system) / 1000;
    if (seen !== busyBeats) [busyBeats, busyFromMs] = [seen, busyMs];
    const isReading = STEPS[Atomics.load(places, STEP)] === 'reading';
    if (isReading && busyMs - busyFromMs > limits.silenceCpuMs) end(silent(limits.silenceCpuMs));
  };
  const timer = setInterval(() => {
    lookAtTime();
    void lookAtThread();
  }, WATCH_EVERY_MS);
  return { signal: abort.signal, failure: () => failure, stop: () => clearInterval(timer) };
};
