import { ReportError } from '@breakwater/sdk';
import type pg from 'pg';
import type { ReportTool, ReportTools } from '../../platform/model/report-tools.ts';
import { ASK_FOR_RESCORE, loadReferenceData } from '../../prioritisation/server/index.ts';
import { DISK_FULL_DETAIL, DiskFull, requireSpace } from './disk-space.ts';
import { connectFor, type ImportConnection } from './import-connection.ts';
import { KnownFindingsChanged, NOTHING_KNOWN, readKnownFindings } from './known-findings.ts';
import { type Alerts, type MergedReport, mergeReport } from './merge-report.ts';
import { RepositoryGone } from './merge-scope.ts';
import { createPhases, type Phases } from './phases.ts';
import { isoDate } from './prepare-finding.ts';
import { recordsTool } from './records-report.ts';
import {
  beginAttempt,
  type Counts,
  type Failure,
  failScan,
  finishScan,
  readScan,
  type ScanRecord,
  writeProgress,
} from './scan-record.ts';
import { readReport, type StagedReport, stageReport } from './stage-report.ts';
import { createStage } from './staging.ts';

export interface ImportRequest {
  connection: ImportConnection;
  clientId: string;
  scanId: string;
  tools: ReportTools;
  signal: AbortSignal;
}

/** How an import ended. `busy`: another process has it. `over`: the scan is finished already, or gone. */
export type ImportOutcome =
  | { outcome: 'done'; counts: Counts; alerts: Alerts; repositoryId: string; tool: string; phases: Phases }
  | { outcome: 'failed'; failure: Failure; repositoryId: string; tool: string; cause?: string }
  | { outcome: 'busy' }
  | { outcome: 'over' };

interface Work extends ImportRequest {
  scan: ScanRecord;
  /** Null where a scan is taken back that had none before it: then nothing is reported. */
  reportId: string | null;
  tool: ReportTool;
  /** Holds the lock of the scan and the one transaction. */
  main: pg.Client;
  /** Reads the report and writes progress, which others are to see at once. */
  side: pg.Client;
}

/** Starts of one import before it is given up: a report that kills its worker must not do so for ever. */
const MAX_ATTEMPTS = 3;
const LOCK_WAIT = '3s';
const DEADLOCK_TRIES = 3;
const PROGRESS_EVERY_MS = 250;
/** Share of the way that reading is; the rest is the merge. */
const PARSE_SHARE = 70;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Held by the session, so that it is free as soon as a killed process is noticed. */
const takeScan = async (main: pg.Client, scanId: string): Promise<boolean> => {
  await main.query(`set lock_timeout = '${LOCK_WAIT}'; set client_connection_check_interval = '2s'`);
  try {
    await main.query('select pg_advisory_lock(hashtextextended($1, 0))', [scanId]);
  } catch (error) {
    if (codeOf(error) === '55P03') return false;
    throw error;
  } finally {
    await main.query('set lock_timeout = 0');
  }
  return true;
};

const createProgress = (work: Work) => {
  let last = 0;
  let bytes = 0;
  const write = (status: 'parsing' | 'merging', percentage: number): Promise<void> =>
    writeProgress(work.side, {
      clientId: work.clientId,
      scanId: work.scanId,
      repositoryId: work.scan.repositoryId,
      status,
      percentage,
    });
  return {
    onBytes: (total: number): void => {
      bytes = total;
    },
    parsing: async (): Promise<void> => {
      if (Date.now() - last < PROGRESS_EVERY_MS) return;
      last = Date.now();
      await requireSpace(work.connection.dataDirectory, 0);
      await write(
        'parsing',
        Math.min(PARSE_SHARE, Math.floor((bytes / Math.max(1, work.scan.sizeBytes)) * PARSE_SHARE)),
      );
    },
    merging: (): Promise<void> => write('merging', PARSE_SHARE),
  };
};

const NOTHING_REPORTED: StagedReport = { info: undefined, suppressed: 0, unreadableCount: 0, unreadable: [] };

const undoOf = ({ undoes, scopeId }: ScanRecord): { scanId: string; scopeId: number } | undefined =>
  undoes === null || scopeId === null ? undefined : { scanId: undoes, scopeId };

/** @param trusts whether results that a look at the findings shows to be known are left out. */
const importOnce = async (work: Work, trusts: boolean): Promise<MergedReport & { phases: Phases }> => {
  const { main, side, clientId, scanId, scan, tool } = work;
  const progress = createProgress(work);
  const { phases, mark } = createPhases();
  const facts = {
    tool: tool.tool,
    exposure: scan.exposure,
    dataClass: scan.dataClass,
    reference: await loadReferenceData((text) => side.query(text)),
  };
  await requireSpace(work.connection.dataDirectory, scan.sizeBytes);
  await progress.parsing();
  await main.query('begin');
  await main.query("select set_config('app.client_id', $1, true)", [clientId]);
  const scope = { toolId: tool.id, branch: scan.branch, scopeId: undoOf(scan)?.scopeId };
  const known = trusts
    ? await readKnownFindings(main, { clientId, repositoryId: scan.repositoryId, ...scope })
    : NOTHING_KNOWN;
  mark('known findings');
  const stage = await createStage(main, known);
  const report =
    work.reportId === null
      ? NOTHING_REPORTED
      : await stageReport({
          ...{ tool, facts, stage, signal: work.signal, onBatch: progress.parsing },
          bytes: readReport(side, { clientId, reportId: work.reportId }, progress.onBytes),
        });
  await requireSpace(work.connection.dataDirectory, 0);
  mark('read and stage');
  await progress.merging();
  const reportDate = isoDate(report.info?.date) ?? scan.createdAt.toISOString();
  const request = { client: main, clientId, scanId, stage, report, reportDate, repositoryId: scan.repositoryId, mark };
  const named = { toolId: tool.id, tool: tool.tool, branch: scan.branch };
  const merged = await mergeReport({ ...request, ...named, undo: undoOf(scan) });
  // scored with data that was replaced meanwhile: the scoring that goes through all findings comes back to these
  await main.query(ASK_FOR_RESCORE, [clientId, facts.reference.version]);
  const { scopeId, branchId, counts } = merged;
  await finishScan(main, {
    ...{ clientId, scanId, repositoryId: scan.repositoryId, scopeId, branchId, toolId: tool.id, counts },
    unreadable: report.unreadable,
  });
  await main.query('commit');
  mark('commit');
  return { ...merged, phases };
};

const isLockedOut = (error: unknown): boolean => ['40P01', '40001'].includes(codeOf(error) ?? '');

const importWithRetry = async (work: Work): ReturnType<typeof importOnce> => {
  let trusts = true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await importOnce(work, trusts);
    } catch (error) {
      await work.main.query('rollback').catch(() => undefined);
      if (error instanceof KnownFindingsChanged) trusts = false;
      else if (!isLockedOut(error) || attempt === DEADLOCK_TRIES) throw error;
    }
  }
};

const fail = async (
  work: Pick<Work, 'side' | 'clientId' | 'scanId' | 'scan'>,
  failure: Failure,
  cause?: string,
): Promise<ImportOutcome> => {
  const { repositoryId, toolId } = work.scan;
  await failScan(work.side, { clientId: work.clientId, scanId: work.scanId, repositoryId }, failure);
  return { outcome: 'failed', failure, repositoryId, tool: toolId, ...(cause === undefined ? {} : { cause }) };
};

/** Another try would only fill the disk again. */
const SQL_DISK_FULL = '53100';

/** SQLSTATE classes and system errors that another try may not meet: connection, resources, shutdown, locks. */
const PASSING = /^(?:08|53|55|57|40|E[A-Z]+$)/;

/** A lost connection carries no code; the failure can then not be written either, which sends the job back to the queue. */
const isPassing = (error: unknown): boolean =>
  PASSING.test(codeOf(error) ?? '') || (error instanceof Error && /^Connection terminated/.test(error.message));

const attemptImport = async (work: Work): Promise<ImportOutcome> => {
  const { repositoryId } = work.scan;
  try {
    const { counts, alerts, phases } = await importWithRetry(work);
    return { outcome: 'done', counts, alerts, phases, repositoryId, tool: work.tool.tool };
  } catch (error) {
    if (error instanceof ReportError) return fail(work, { code: error.code, detail: error.message });
    if (error instanceof DiskFull || codeOf(error) === SQL_DISK_FULL)
      return fail(work, { code: 'disk_full', detail: error instanceof DiskFull ? error.message : DISK_FULL_DETAIL });
    if (error instanceof RepositoryGone) return { outcome: 'over' };
    if (isPassing(error)) throw error;
    const detail = 'The report could not be imported because of a fault of ours. Nothing was changed.';
    return fail(
      work,
      { code: 'internal', detail },
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  }
};

const FINISHED: readonly string[] = ['done', 'failed', 'cancelled'];

const importScan = async (request: ImportRequest, main: pg.Client, side: pg.Client): Promise<ImportOutcome> => {
  const { clientId, scanId } = request;
  if (!(await takeScan(main, scanId))) return { outcome: 'busy' };
  const scan = await readScan(side, clientId, scanId);
  if (scan === undefined || FINISHED.includes(scan.status)) return { outcome: 'over' };
  const refuse = (code: string, detail: string): Promise<ImportOutcome> =>
    fail({ ...request, side, scan }, { code, detail });
  if (scan.attempts >= MAX_ATTEMPTS) {
    return refuse('internal', `The import was interrupted ${MAX_ATTEMPTS} times and has been given up.`);
  }
  if (scan.reportId === null && scan.undoes === null)
    return refuse('report_malformed', 'The report is no longer stored. Upload it again.');
  const tool = scan.connectorId === null ? request.tools.resolveTool(scan.toolId) : recordsTool(scan.toolId);
  if (tool === null) return refuse('unknown_tool', `There is no importer named "${scan.toolId}".`);
  await beginAttempt(side, clientId, scanId);
  return attemptImport({ ...request, scan, reportId: scan.reportId, tool, main, side });
};

/**
 * Imports one scan: all of it or nothing, in one transaction. Running it again, also in two processes at once, has no further effect.
 * @throws what is not the report's fault; the job queue then tries again.
 */
export const runImport = async (request: ImportRequest): Promise<ImportOutcome> => {
  const main = await connectFor(request.connection, request.clientId);
  try {
    const side = await connectFor(request.connection, request.clientId);
    try {
      // it writes only where the work stands; what a crash of the database takes of that is done again
      await side.query('set synchronous_commit = off');
      return await importScan(request, main, side);
    } finally {
      await side.end();
    }
  } finally {
    await main.end();
  }
};
