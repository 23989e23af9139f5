import { ReportError, type TableMapping, type TablePreview } from '@breakwater/sdk';
import { Piscina } from 'piscina';
import { AppError } from '../../../platform/model/app-error.ts';
import type { ReportTools } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import type { ClientReportTools } from '../../../platform/server/report-tool-source.ts';
import type { Recognition, RecognitionRequest } from '../../model/recognise-report.ts';

export type Recognise = (request: RecognitionRequest) => Promise<Recognition>;

/** The importers that the organisation added are asked too. */
export type HeadRequest = RecognitionRequest & Partial<Pick<ClientReportTools, 'added'>>;

export interface PreviewRequest {
  head: Uint8Array;
  /** The report is not longer than that. */
  isWhole: boolean;
  mapping?: TableMapping;
}

type Previewed = { preview: TablePreview } | { refused: { code: ReportError['code']; message: string } };

/** A look at the beginning of a table. As `recogniseWith` only for a thread that can be ended; errors of other threads have no code. */
export const previewWith = async (tools: ReportTools, { head, ...options }: PreviewRequest): Promise<Previewed> => {
  const reader = tools.tools().find(({ parser }) => parser.tables !== undefined)?.parser.tables;
  if (reader === undefined)
    return { refused: { code: 'report_wrong_tool', message: msg('No importer here reads tables of other tools.') } };
  try {
    return { preview: await reader.preview(head, options) };
  } catch (error) {
    if (error instanceof ReportError) return { refused: { code: error.code, message: error.message } };
    throw error;
  }
};

/** Looks at the beginning of reports. */
export interface HeadReader {
  recognise(request: HeadRequest): Promise<Recognition>;
  /** @throws report_wrong_tool, report_too_complex */
  preview(request: PreviewRequest): Promise<TablePreview>;
}

/**
 * Counted from the moment at which a thread has loaded the importers and begins: until then no report is at fault. A look at 64 KiB takes
 * milliseconds; what takes longer holds a thread that others wait for.
 */
const DEADLINE_MS = 10_000;
/** For a thread to be free and to load the importers, on a machine that is busy with other things. */
const START_MS = 5 * 60_000;
const IDLE_MS = 60_000;
/** Two that are stuck leave two for the reports of others. */
const MAX_THREADS = 4;
/** The importers take 60 MB. */
const MAX_HEAP_MB = 512;

/** What Node says of a thread that used up its memory. */
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

const tooComplex = (cause: unknown): AppError =>
  new AppError(
    'report_too_complex',
    msg('The beginning of the report could not be recognised in time. Check that the file is a report of a scanner.'),
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
 * Looks at reports in threads of their own, so that the one that answers requests never runs an importer's code. A thread that takes too long
 * or too much memory is ended.
 * @throws report_too_complex, unavailable where no thread could begin in time
 */
export const createHeadReader = (toolsModule: string, deadlineMs = DEADLINE_MS): HeadReader => {
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
  const run = async <Answer>(name: string, request: object): Promise<Answer> => {
    const { signal, begun, end, isOver } = createDeadline(deadlineMs);
    try {
      return await threads.run({ ...request, toolsModule, begun }, { name, signal });
    } catch (error) {
      if (isOver() || (error instanceof Error && 'code' in error && error.code === OUT_OF_MEMORY))
        throw tooComplex(error);
      if (!signal.aborted) throw error;
      throw new AppError('unavailable', msg('The server is too busy to look at the report. Send it again.'), {
        cause: error,
      });
    } finally {
      end();
    }
  };
  return {
    recognise: (request) => run<Recognition>('recogniseReport', request),
    preview: async (request) => {
      const answer = await run<Previewed>('previewReport', request);
      if ('preview' in answer) return answer.preview;
      throw new AppError(answer.refused.code, answer.refused.message);
    },
  };
};
