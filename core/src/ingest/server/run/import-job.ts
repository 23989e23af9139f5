import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { Piscina } from 'piscina';
import { Counter, Histogram, type Registry } from 'prom-client';
import { Type } from 'typebox';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { defineJob, type JobQueue, type JobRun } from '../../../platform/server/jobs/define-job.ts';
import { enqueueDueOf } from '../../../platform/server/jobs/job-state.ts';
import type { ReportToolSource } from '../../../platform/server/report-tool-source.ts';
import { applyRepository, applySettings, rescoreFindings } from '../../../prioritisation/server/index.ts';
import { computePackageUses } from '../../../reachability/server/index.ts';
import { checkLicensesOf, lookUpVersionsOf } from '../../../sbom/server/index.ts';
import { commitStatusRequest } from '../scans/commit-status-request.ts';
import { type Failure, failScan, IMPORT_JOB, ImportInput, readScan } from '../scans/scan-record.ts';
import {
  createPulseMemory,
  IMPORT_LIMITS,
  type ImportLimits,
  TOO_MUCH_MEMORY,
  watchImport,
} from '../stage/import-watch.ts';
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
  importLimits?: ImportLimits;
  /** Says what of the importers the organisation added; its thread opens that. */
  reportTools: Pick<ReportToolSource, 'ofClient'>;
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

/** Ends the scan of an import whose thread was ended. */
const failEnded = async (
  connection: ImportConnection,
  { clientId, scanId }: ImportInput,
  failure: Failure,
): Promise<ImportOutcome> => {
  const client = await connectFor(connection, clientId);
  try {
    const scan = await readScan(client, clientId, scanId);
    if (scan === undefined) return { outcome: 'over' };
    const isFailed = await failScan(client, { clientId, scanId, repositoryId: scan.repositoryId }, failure);
    // it committed in its last moment
    if (!isFailed) return { outcome: 'over' };
    return { outcome: 'failed', failure, repositoryId: scan.repositoryId, tool: scan.toolId };
  } finally {
    await client.end();
  }
};

/** Runs the import in a thread and ends that where it passes a limit. */
const runInThread = async (deps: ImportJobDeps, job: JobRun<ImportInput>): Promise<ImportOutcome> => {
  const { importConnection: connection, toolsModule, importThreads, importLimits = IMPORT_LIMITS } = deps;
  const { clientId } = job.data;
  const { added } = await deps.database.forClient(clientId, (db) => deps.reportTools.ofClient(db, clientId));
  const pulse = createPulseMemory();
  const task: ImportTask = { connection, ...job.data, toolsModule, added, codeId: CODE_ID, pulse };
  const watch = watchImport(pulse, importLimits, () => importThreads.threads);
  const signal = AbortSignal.any([job.signal, watch.signal]);
  try {
    return await importThreads.run(task, { name: 'importReport', signal });
  } catch (error) {
    const failure = isOutOfMemory(error) ? TOO_MUCH_MEMORY : watch.failure();
    if (failure !== undefined) return failEnded(connection, job.data, failure);
    deps.log.warn({ err: error, scan: job.data.scanId }, 'an import was interrupted');
    throw error;
  } finally {
    watch.stop();
  }
};

/** What a merged report may ask for in its transaction: enqueued at once, or by `jobs.enqueue-due` where the process dies here. */
const ASKED_BY_IMPORTS = [
  checkLicensesOf,
  lookUpVersionsOf,
  rescoreFindings,
  applySettings,
  applyRepository,
  computePackageUses,
  commitStatusRequest,
];

/** Reads go by what the planner knows of the tables; without it the report is imported all the same. */
const refreshStatistics = async ({ database, log }: ImportJobDeps, clientId: string): Promise<void> => {
  await database
    .forClient(clientId, (db) => sql`select refresh_statistics()`.execute(db))
    .catch((error: unknown) => log.warn({ err: error }, 'statistics of tables were not refreshed'));
};

const runImportJob = async (deps: ImportJobDeps, job: JobRun<ImportInput>): Promise<void> => {
  const { database, importMetrics: metrics } = deps;
  const { clientId, scanId } = job.data;
  const log = deps.log.child({ scan: scanId });
  const startedAt = performance.now();
  const outcome = await runInThread(deps, job);
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
  await database.forClient(clientId, (db) => enqueueDueOf(db, deps.jobs, ASKED_BY_IMPORTS, clientId));
  await sendImportNotices(database, { clientId, scanId }, outcome);
  if (isDone) await refreshStatistics(deps, clientId);
};

/** Threads that imports run in. */
export const createImportThreads = (heapMb = MAX_HEAP_MB): Piscina =>
  new Piscina({
    filename: new URL('./import-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: IMPORT_JOB.concurrency ?? 1,
    concurrentTasksPerWorker: 1,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
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
