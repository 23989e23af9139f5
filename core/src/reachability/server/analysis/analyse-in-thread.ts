import { Piscina } from 'piscina';
import type { EcosystemImports } from '../../model/package-use.ts';

/** The largest repositories take a minute; what takes longer is made to. */
const DEADLINE_MS = 10 * 60_000;
const MAX_HEAP_MB = 1024;

export interface AnalysisLimits {
  deadlineMs: number;
  heapMb: number;
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * What the source below a folder imports, read in a thread of its own. @returns nothing where the thread was ended because it took too long
 * or too much memory. @throws what the signal says, and errors of the file system
 */
export const analyseInThread = async (
  folder: string,
  signal: AbortSignal,
  { deadlineMs, heapMb }: AnalysisLimits = { deadlineMs: DEADLINE_MS, heapMb: MAX_HEAP_MB },
): Promise<EcosystemImports[] | undefined> => {
  signal.throwIfAborted();
  const threads = new Piscina<{ folder: string }, EcosystemImports[]>({
    filename: new URL('./analysis-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    atomics: 'disabled',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    return await threads.run({ folder }, { name: 'analyse', signal: AbortSignal.any([signal, deadline]) });
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted || isOutOfMemory(error)) return undefined;
    throw error;
  } finally {
    await threads.destroy();
  }
};
