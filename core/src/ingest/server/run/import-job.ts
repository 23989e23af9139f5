import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { Piscina } from 'piscina';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import type { JobQueue, JobRun } from '../../../platform/server/jobs.ts';
import type { ImportMetrics } from '../../../platform/server/metrics.ts';
import { type Sweep, startSweep } from '../../../platform/server/sweep.ts';
import { failScan, IMPORT_JOB, readScan } from '../scans/scan-record.ts';
import { connectFor, type ImportConnection } from './import-connection.ts';
import { sendImportNotices } from './import-notices.ts';
import type { ImportTask } from './import-worker.ts';
import { requeueInterruptedImports } from './requeue-imports.ts';
import type { ImportOutcome } from './run-import.ts';

export interface ImportWorkDependencies {
  database: DatabaseHandle;
  jobs: JobQueue;
  log: Logger;
  metrics: ImportMetrics;
  /** For the connections of the worker threads; they act as the application's role. */
  connection: ImportConnection;
  /** Address of a module with `openReportTools()`. */
  toolsModule: string;
}

/** Imports that run. */
export interface ImportWork {
  /** Ends the requeueing and the threads; an import cut short is taken up by the next process. */
  stop(): Promise<void>;
}

/** Imports at once in one process; merges of one client take turns anyway. */
const CONCURRENCY = 2;
/** A report may not take the server's memory: a thread above this is ended, and with it only its import. */
const MAX_HEAP_MB = 2048;
const IDLE_MS = 120_000;
/** Another start may be of another version, whose importers may read more. */
const CODE_ID = randomUUID();
const REQUEUE_EVERY_MS = 15_000;

interface ImportJob {
  clientId: string;
  scanId: string;
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const failTooComplex = async (
  connection: ImportConnection,
  { clientId, scanId }: ImportJob,
): Promise<ImportOutcome> => {
  const failure = {
    code: 'report_too_complex',
    detail: 'The report needs more memory than an import may use. Split it and upload the parts.',
  };
  const client = await connectFor(connection, clientId);
  try {
    const scan = await readScan(client, clientId, scanId);
    if (scan === undefined) return { outcome: 'over' };
    await failScan(client, { clientId, scanId, repositoryId: scan.repositoryId }, failure);
    return { outcome: 'failed', failure, repositoryId: scan.repositoryId, tool: scan.toolId };
  } finally {
    await client.end();
  }
};

const createRunner =
  (dependencies: ImportWorkDependencies, threads: Piscina) =>
  async (job: JobRun<ImportJob>): Promise<void> => {
    const { connection, toolsModule, database, metrics } = dependencies;
    const { clientId, scanId } = job.data;
    const log = dependencies.log.child({ scan: scanId });
    const task: ImportTask = { connection, clientId, scanId, toolsModule, codeId: CODE_ID };
    const startedAt = performance.now();
    const outcome = await threads
      .run(task, { name: 'importReport', signal: job.signal })
      .catch((error: unknown): Promise<ImportOutcome> => {
        if (isOutOfMemory(error)) return failTooComplex(connection, job.data);
        log.warn({ err: error }, 'an import was interrupted');
        throw error;
      })
      .then((result: ImportOutcome) => result);
    if (outcome.outcome !== 'done' && outcome.outcome !== 'failed') return;
    const seconds = (performance.now() - startedAt) / 1000;
    const isDone = outcome.outcome === 'done';
    metrics.finished({
      tool: outcome.tool,
      status: outcome.outcome,
      findings: isDone ? outcome.counts.total : 0,
      seconds,
    });
    if (isDone) log.info({ counts: outcome.counts, seconds, phases: outcome.phases }, 'report imported');
    else log.warn({ failure: outcome.failure, cause: outcome.cause, seconds }, 'report refused');
    await sendImportNotices(database, { clientId, scanId }, outcome);
  };

const startRequeueing = ({ database, jobs, log }: ImportWorkDependencies): Sweep => {
  const requeue = (): Promise<void> =>
    requeueInterruptedImports(database, jobs).then(
      (count) => {
        if (count > 0) log.info({ count }, 'imports of a stopped process were taken up');
      },
      (error: unknown) => log.warn({ err: error }, 'requeueing interrupted imports'),
    );
  return startSweep(requeue, REQUEUE_EVERY_MS);
};

/** Takes import jobs from the queue and runs each in a worker thread. */
export const startImportWork = async (dependencies: ImportWorkDependencies): Promise<ImportWork> => {
  const threads = new Piscina({
    filename: new URL('./import-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: CONCURRENCY,
    concurrentTasksPerWorker: 1,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  await dependencies.jobs.work<ImportJob>(IMPORT_JOB, createRunner(dependencies, threads), {
    concurrency: CONCURRENCY,
  });
  const requeueing = startRequeueing(dependencies);
  return {
    stop: async () => {
      await requeueing.stop();
      await threads.destroy();
    },
  };
};
