import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { Piscina } from 'piscina';
import { Counter, Histogram, type Registry } from 'prom-client';
import { Type } from 'typebox';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { defineJob, type JobQueue, type JobRun } from '../../../platform/server/jobs/define-job.ts';
import { failScan, IMPORT_JOB, ImportInput, readScan } from '../scans/scan-record.ts';
import { connectFor, type ImportConnection } from './import-connection.ts';
import { sendImportNotices } from './import-notices.ts';
import type { ImportTask } from './import-worker.ts';
import { requeueInterruptedImports } from './requeue-imports.ts';
import type { ImportOutcome } from './run-import.ts';

export interface ImportJobDeps {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'enqueue'>;
  log: Logger;
  importMetrics: ImportMetrics;
  /** Where imports run; ended when the queue has stopped. */
  importThreads: Piscina;
  /** For the connections of the threads; they act as the application's role. */
  importConnection: ImportConnection;
  /** Address of a module with `openReportTools()`. */
  toolsModule: string;
}

/** A report may not take the server's memory: a thread above this is ended, and with it only its import. */
const MAX_HEAP_MB = 2048;
const IDLE_MS = 120_000;
/** Another start may be of another version, whose importers may read more. */
const CODE_ID = randomUUID();

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const failTooComplex = async (
  connection: ImportConnection,
  { clientId, scanId }: ImportInput,
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

const runImportJob = async (deps: ImportJobDeps, job: JobRun<ImportInput>): Promise<void> => {
  const { importConnection: connection, toolsModule, database, importMetrics: metrics } = deps;
  const { clientId, scanId } = job.data;
  const log = deps.log.child({ scan: scanId });
  const task: ImportTask = { connection, clientId, scanId, toolsModule, codeId: CODE_ID };
  const startedAt = performance.now();
  const outcome = await deps.importThreads
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

/** Threads that imports run in. */
export const createImportThreads = (): Piscina =>
  new Piscina({
    filename: new URL('./import-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: IMPORT_JOB.concurrency ?? 1,
    concurrentTasksPerWorker: 1,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });

/** Imports one stored report, in a thread. */
export const importReport = defineJob({ ...IMPORT_JOB, input: ImportInput, run: runImportJob });

/** Takes up imports of a process that died. */
export const requeueKilledImports = defineJob({
  name: 'imports.requeue',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 15 },
  run: async ({ database, jobs, log }: Pick<ImportJobDeps, 'database' | 'jobs' | 'log'>) => {
    const count = await requeueInterruptedImports(database, jobs);
    if (count > 0) log.info({ count }, 'imports of a stopped process were taken up');
  },
});

/** What the import of reports counts, for /metrics. */
export interface ImportMetrics {
  /** One import has ended. `tool` is the recognised tool, `unknown` before that. */
  finished(result: { tool: string; status: 'done' | 'failed'; findings: number; seconds: number }): void;
}

/** Import counters of this process. */
export const createImportMetrics = (registry: Registry): ImportMetrics => {
  const imports = new Counter({
    name: 'breakwater_imports_total',
    help: 'Reports imported or refused',
    labelNames: ['tool', 'status'],
    registers: [registry],
  });
  const findings = new Counter({
    name: 'breakwater_imported_findings_total',
    help: 'Results of reports that were imported',
    labelNames: ['tool'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'breakwater_import_seconds',
    help: 'Time of an import from its start to its commit',
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300],
    registers: [registry],
  });
  return {
    finished: (result) => {
      imports.inc({ tool: result.tool, status: result.status });
      findings.inc({ tool: result.tool }, result.findings);
      seconds.observe(result.seconds);
    },
  };
};
