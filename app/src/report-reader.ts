import type { ReportPreview } from '@breakwater/core/ingest/model/report-preview.ts';
import type { ReportLook } from '@breakwater/core/ingest/ui/upload-file.machine.ts';

/** Of one report, counted from the moment at which the worker has loaded the importers. */
const DEADLINE_MS = 20_000;

interface Job {
  request: { file: File; name: string; toolId: string | null };
  signal: AbortSignal;
  settle: (preview: ReportPreview | undefined) => void;
}

const isPreview = (data: unknown): data is ReportPreview => typeof data === 'object' && data !== null && 'kind' in data;
const isReady = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'ready';

/**
 * Looks at reports before they are sent, one after the other, in a worker: what is hostile in a report ends the worker, not the page. The
 * worker and the importers in it are fetched with the first report.
 */
class ReportReader {
  readonly #makeWorker: () => Worker;
  readonly #deadlineMs: number;
  readonly #waiting: Job[] = [];
  #job: Job | undefined;
  #worker: Worker | undefined;
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(makeWorker: () => Worker, deadlineMs: number) {
    this.#makeWorker = makeWorker;
    this.#deadlineMs = deadlineMs;
  }

  readonly look: ReportLook = (file, toolId, signal) =>
    new Promise((settle) => {
      const job = { request: { file, name: file.name, toolId }, signal, settle };
      this.#waiting.push(job);
      signal.addEventListener('abort', () => this.#job === job && this.#end(undefined), { once: true });
      this.#next();
    });

  #next(): void {
    if (this.#job !== undefined) return;
    this.#job = this.#waiting.shift();
    if (this.#job === undefined) return;
    if (this.#job.signal.aborted) {
      this.#settle(undefined);
      return;
    }
    this.#worker ??= this.#start();
    if (this.#isReady) this.#send();
  }

  #start(): Worker {
    const worker = this.#makeWorker();
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isReady(data)) {
        this.#isReady = true;
        this.#send();
      } else if (isPreview(data)) this.#settle(data);
    };
    // before it is ready it could not be loaded, which says nothing of the report
    worker.onerror = () => this.#end(this.#isReady ? { kind: 'given_up' } : undefined);
    return worker;
  }

  #send(): void {
    if (this.#job === undefined) return;
    this.#timer = setTimeout(() => this.#end({ kind: 'given_up' }), this.#deadlineMs);
    this.#worker?.postMessage(this.#job.request);
  }

  /** Ends the worker in the middle of a report; the next one starts another. */
  #end(preview: ReportPreview | undefined): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
    this.#settle(preview);
  }

  #settle(preview: ReportPreview | undefined): void {
    clearTimeout(this.#timer);
    const job = this.#job;
    this.#job = undefined;
    job?.settle(preview);
    this.#next();
  }
}

const openWorker = (): Worker =>
  new Worker(new URL('../report-reader/worker.ts', import.meta.url), { type: 'module', name: 'report-reader' });

export const createReportReader = (makeWorker = openWorker, deadlineMs = DEADLINE_MS): ReportLook =>
  new ReportReader(makeWorker, deadlineMs).look;
