import { Piscina } from 'piscina';
import { AppError } from '../../../platform/model/app-error.ts';
import type { ReportTools } from '../../../platform/model/connector-catalogue.ts';

/** What is asked of the beginning of a report. */
export interface RecognitionRequest {
  /** Id of the importer that the sender named; null where none is. */
  toolId: string | null;
  head: Uint8Array;
  fileName: string | undefined;
}

export interface Recognition {
  /** How sure the named importer is, 0 to 1. */
  score: number;
  /** Id of the importer that takes the report for its own, where the named one does not or none is named. */
  found: string | null;
}

export type Recognise = (request: RecognitionRequest) => Promise<Recognition>;

/** Asks the importers themselves. Their patterns see what strangers send: only a thread that can be ended may call this. */
export const recogniseWith = (tools: ReportTools, { toolId, head, fileName }: RecognitionRequest): Recognition => {
  const score = toolId === null ? 0 : (tools.resolveTool(toolId)?.parser.recognise(head, fileName) ?? 0);
  return { score, found: score > 0 ? null : (tools.recogniseTool(head, fileName)?.id ?? null) };
};

/** Counted from the moment at which a thread has loaded the importers and begins: until then no report is at fault. */
const DEADLINE_MS = 30_000;
/** For a thread to be free and to load the importers, on a machine that is busy with other things. */
const START_MS = 5 * 60_000;
const IDLE_MS = 60_000;
const MAX_THREADS = 2;
/** The importers take 60 MB. */
const MAX_HEAP_MB = 512;

/** What Node says of a thread that used up its memory. */
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

const tooComplex = (cause: unknown): AppError =>
  new AppError(
    'report_too_complex',
    'The beginning of the report could not be recognised in time. Check that the file is a report of a scanner.',
    { cause },
  );

/** Aborts what does not begin in time, or does not end in time after it began. The thread sets `begun` and wakes this one. */
const createDeadline = (deadlineMs: number) => {
  const controller = new AbortController();
  const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const hasBegun = (): boolean => Atomics.load(begun, 0) !== 0;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const watch = async (): Promise<void> => {
    await Atomics.waitAsync(begun, 0, 0, START_MS).value;
    if (hasEnded) return;
    if (hasBegun()) timer = setTimeout(() => controller.abort(), deadlineMs);
    else controller.abort();
  };
  void watch();
  const end = (): void => {
    hasEnded = true;
    clearTimeout(timer);
    Atomics.notify(begun, 0);
  };
  return { signal: controller.signal, begun, end, isOver: () => hasBegun() && controller.signal.aborted };
};

/**
 * Recognises reports in threads of their own, so that the one that answers requests never runs an importer's code. A thread that takes too long
 * or too much memory is ended.
 * @throws report_too_complex, unavailable where no thread could begin in time
 */
export const createRecogniser = (toolsModule: string, deadlineMs = DEADLINE_MS): Recognise => {
  const threads = new Piscina({
    filename: new URL('../run/import-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    concurrentTasksPerWorker: 1,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  return async (request) => {
    const { signal, begun, end, isOver } = createDeadline(deadlineMs);
    try {
      return await threads.run({ ...request, toolsModule, begun }, { name: 'recogniseReport', signal });
    } catch (error) {
      if (isOver() || (error instanceof Error && 'code' in error && error.code === OUT_OF_MEMORY))
        throw tooComplex(error);
      if (!signal.aborted) throw error;
      throw new AppError('unavailable', 'The server is too busy to look at the report. Send it again.', {
        cause: error,
      });
    } finally {
      end();
    }
  };
};
