import { ReportError } from '@breakwater/sdk';
import type pg from 'pg';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { isDatabaseAway } from '../../../platform/server/database-away.ts';
import type { Alerts } from '../merge/merge-report.ts';
import { RepositoryGone } from '../merge/scope.ts';
import { beginAttempt, type Counts, ENDED, type Failure, failScan, readScan } from '../scans/scan-record.ts';
import { unwatched } from '../stage/import-watch.ts';
import { KnownFindingsChanged } from '../stage/known-findings.ts';
import { DISK_FULL_DETAIL, DiskFull } from './disk-space.ts';
import { lendConnection } from './import-connection.ts';
import type { Phases } from './import-once.ts';
import { type ImportRequest, importOnce, type Work } from './import-once.ts';
import { recordsTool } from './records-report.ts';

/** How an import ended. `busy`: another process has it. `over`: the scan is finished already, or gone. */
export type ImportOutcome =
  | { outcome: 'done'; counts: Counts; alerts: Alerts; repositoryId: string; tool: string; phases: Phases }
  | { outcome: 'failed'; failure: Failure; repositoryId: string; tool: string; cause?: string }
  | { outcome: 'busy' }
  | { outcome: 'over' };

/** Starts of one import before it is given up: a report that kills its worker must not do so for ever. */
const MAX_ATTEMPTS = 3;
const LOCK_WAIT = '3s';
const DEADLOCK_TRIES = 3;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Held by the session, so that it is free as soon as a killed process is noticed. */
const takeScan = async (main: pg.Client, scanId: string): Promise<boolean> => {
  await main.query(`set lock_timeout = '${LOCK_WAIT}'`);
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

const isLockedOut = (error: unknown): boolean => ['40P01', '40001'].includes(codeOf(error) ?? '');

const importWithRetry = async (work: Work): ReturnType<typeof importOnce> => {
  let useKnownFindings = true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await importOnce(work, useKnownFindings);
    } catch (error) {
      await work.main.query('rollback').catch(() => undefined);
      if (error instanceof KnownFindingsChanged) useKnownFindings = false;
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

/** SQLSTATE classes and system errors that another try may not meet: resources, locks, shutdown. */
const PASSING = /^(?:53|55|57|40|E[A-Z]+$)/;

/** Of a lost connection the failure can mostly not be written either, which sends the job back to the queue. */
const isPassing = (error: unknown): boolean => isDatabaseAway(error) || PASSING.test(codeOf(error) ?? '');

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
    const detail = msg('The report could not be imported because of an internal error. Nothing was changed.');
    return fail(
      work,
      { code: 'internal', detail },
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  }
};

const importScan = async (request: ImportRequest, main: pg.Client, side: pg.Client): Promise<ImportOutcome> => {
  const { clientId, scanId } = request;
  if (!(await takeScan(main, scanId))) return { outcome: 'busy' };
  const scan = await readScan(side, clientId, scanId);
  if (scan === undefined || ENDED.includes(scan.status)) return { outcome: 'over' };
  const refuse = (code: string, detail: string): Promise<ImportOutcome> =>
    fail({ ...request, side, scan }, { code, detail });
  if (scan.attempts >= MAX_ATTEMPTS) {
    return refuse(
      'internal',
      sayEnglish('The import was interrupted {most} times and has been given up.', { most: MAX_ATTEMPTS }),
    );
  }
  if (scan.reportId === null && scan.undoes === null)
    return refuse('report_malformed', msg('The report is no longer stored. Upload it again.'));
  const tool = scan.connectorId === null ? request.tools.resolveTool(scan.toolId) : recordsTool(scan.toolId);
  if (tool === null)
    return refuse('unknown_tool', sayEnglish('There is no importer named "{toolId}".', { toolId: scan.toolId }));
  await beginAttempt(side, { clientId, scanId, repositoryId: scan.repositoryId });
  const pulse = request.pulse ?? unwatched;
  return attemptImport({ ...request, pulse, scan, reportId: scan.reportId, tool, main, side });
};

/**
 * Imports one scan: all of it or nothing, in one transaction. Running it again, also in two processes at once, has no further effect.
 * @throws what is not the report's error; the job queue then tries again.
 */
export const runImport = async (request: ImportRequest): Promise<ImportOutcome> => {
  const main = await lendConnection(request.connection, request.clientId, 'main');
  let isClean = false;
  try {
    const side = await lendConnection(request.connection, request.clientId, 'side');
    try {
      const outcome = await importScan(request, main.client, side.client);
      isClean = outcome.outcome === 'done';
      return outcome;
    } finally {
      await side.giveBack(isClean);
    }
  } finally {
    await main.giveBack(isClean);
  }
};
