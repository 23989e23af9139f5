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

/** Long enough for a thread that loads the importers on a busy machine. */
const DEADLINE_MS = 30_000;
const IDLE_MS = 60_000;
const MAX_THREADS = 2;
/** The importers take 60 MB. */
const MAX_HEAP_MB = 512;

/**
 * Recognises reports in threads of their own, so that the one that answers requests never runs an importer's code. A thread that takes too long
 * is ended.
 * @throws report_too_complex
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
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      return await threads.run({ ...request, toolsModule }, { name: 'recogniseReport', signal });
    } catch (error) {
      const isOver = signal.aborted || (error instanceof Error && 'code' in error);
      if (!isOver) throw error;
      throw new AppError(
        'report_too_complex',
        'The beginning of the report could not be recognised in time. Check that the file is a report of a scanner.',
        { cause: error },
      );
    }
  };
};
