import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type MappedRecord, type Mapper, MappingError } from '../../declarative/document.ts';
import type { MappingAnswer, MappingQuestion } from './mapping-worker.ts';

export interface MapperOptions {
  /** Milliseconds for one answer of the service. Default 5,000. */
  readonly timeoutMs?: number;
  /** MiB of the worker's heap. Default 128. */
  readonly memoryMb?: number;
  /** Milliseconds after which an idle worker ends. Default 10,000. */
  readonly idleMs?: number;
}

export interface WorkerMapper extends Mapper {
  /** Ends the worker. What waits for it fails. */
  close(): Promise<void>;
}

/** Written once for Node's type stripping and once for the packed SDK. */
const WORKER = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? 'mapping-worker.ts' : 'mapping-worker.js',
);

/**
 * Evaluates the expressions of one document in a worker of its own, one answer of the service after the other. A question that takes too long
 * or too much memory ends the worker and fails alone: the next one gets a new worker. The worker sees an empty environment.
 */
export function createMapper(options: MapperOptions = {}): WorkerMapper {
  const { timeoutMs = 5_000, memoryMb = 128, idleMs = 10_000 } = options;
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  const end = async (): Promise<void> => {
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };

  const begin = (): Worker => {
    const started = new Worker(WORKER, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    // answered by whoever asks; without a listener a late failure would end the process
    started.on('error', () => undefined);
    started.unref();
    return started;
  };

  const askNow = async (question: MappingQuestion): Promise<readonly MappedRecord[]> => {
    if (isClosed) throw new MappingError('The connector has been removed.');
    clearTimeout(idle);
    worker ??= begin();
    const asked = worker;
    const { promise, resolve, reject } = Promise.withResolvers<MappingAnswer>();
    const late = setTimeout(() => reject(new MappingError(`It took longer than ${timeoutMs / 1000} s.`)), timeoutMs);
    const fail = (error: unknown) =>
      reject(new MappingError(isOutOfMemory(error) ? `It needed more than ${memoryMb} MB of memory.` : 'It failed.'));
    const stop = () => reject(new MappingError('It was ended.'));
    asked.on('message', resolve).on('error', fail).on('exit', stop);
    try {
      asked.postMessage(question);
      const answer = await promise;
      if ('failed' in answer) throw new MappingError(answer.failed);
      idle = setTimeout(() => void end(), idleMs).unref();
      return answer.values;
    } catch (error) {
      await end();
      throw error;
    } finally {
      clearTimeout(late);
      asked.off('message', resolve).off('error', fail).off('exit', stop);
    }
  };

  const ask = (question: MappingQuestion): Promise<readonly MappedRecord[]> => {
    const turn = last.then(() => askNow(question));
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    map: ask,
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await end();
    },
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
