import { sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { MAX_PART_LENGTH } from '../../model/branch.ts';
import { isHeldBack, isReportBeforeDeleted, standsOnScan } from './list-scans.ts';
import { IMPORT_JOB, mappingText } from './scan-record.ts';
import './tables.ts';

export interface UndoRequest {
  clientId: string;
  scanId: string;
  userId: string;
}

interface Undoable {
  repository_id: string;
  branch: string | null;
  tool: string;
  scope_id: number;
  status: string;
  /** A newer import of the same scope, or one that takes this scan back already. */
  newer: string | null;
  is_report_before_deleted: boolean;
}

const FIND = (request: UndoRequest) => sql<Undoable>`
  select repository_id, branch, coalesce(tool, requested_tool) as tool, scope_id, status, (select n.id ${standsOnScan} limit 1) as newer,
    ${isReportBeforeDeleted} as is_report_before_deleted
  from scans where client_id = ${request.clientId} and id = ${request.scanId} and undoes is null`;

/** The import of the same scope before this one; what was taken back does not count. Reads scans_repository. */
const PREVIOUS = (request: UndoRequest, scan: Undoable) => sql<{
  report_id: string | null;
  connector_id: string | null;
  mapping: unknown;
  tool: string;
}>`
  select report_id, connector_id, mapping, coalesce(tool, requested_tool) as tool
  from scans
  where client_id = ${request.clientId} and repository_id = ${scan.repository_id} and scope_id = ${scan.scope_id}
    and id < ${request.scanId} and status in ('done', 'incomplete') and undoes is null
  order by id desc limit 1`;

/**
 * Orders that an import be taken back: what it brought goes, what it closed is open again as it was, what it changed is as the
 * report before says. Only the newest import of a scope can be. @returns the id of the scan that does it.
 * @throws scan_not_found; conflict with the reason.
 */
export const enqueueUndo = async (db: Db, jobs: Pick<JobQueue, 'enqueue'>, request: UndoRequest): Promise<string> => {
  const { clientId, scanId } = request;
  const scan = (await FIND(request).execute(db)).rows[0];
  if (scan === undefined) throw new AppError('scan_not_found');
  if (scan.status !== 'done' && scan.status !== 'incomplete')
    throw new AppError('conflict', msg('Only an import that is done can be undone.'));
  if (scan.newer !== null) {
    throw new AppError(
      'conflict',
      msg('A newer import of the same tool and target stands on this one. Undo that first.'),
    );
  }
  if (scan.is_report_before_deleted) {
    throw new AppError(
      'conflict',
      msg('The report before is deleted: your organisation keeps reports for a limited time.'),
    );
  }
  const previous = (await PREVIOUS(request, scan).execute(db)).rows[0];
  const undo = await db
    .insertInto('scans')
    .values({
      client_id: clientId,
      repository_id: scan.repository_id,
      report_id: previous?.report_id ?? null,
      connector_id: previous?.connector_id ?? null,
      mapping: mappingText(previous?.mapping),
      // each is read again as what it was imported as
      requested_tool: previous?.tool ?? scan.tool,
      tool: previous?.tool ?? scan.tool,
      scope_id: scan.scope_id,
      branch: scan.branch,
      undoes: scanId,
      created_by: request.userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await jobs.enqueue(db, IMPORT_JOB, { clientId, scanId: undo.id });
  return undo.id;
};

export interface SettlementRequest extends UndoRequest {
  /** `confirm`: what the report does not have is gone. `split`: the report is about a part of its own. */
  decision: 'confirm' | 'split';
  part?: string | undefined;
}

interface HeldBackScan {
  repository_id: string;
  branch: string | null;
  tool: string;
  report_id: string | null;
  connector_id: string | null;
  mapping: unknown;
  file_name: string | null;
  is_held_back: boolean;
}

const FIND_HELD_BACK = (request: UndoRequest) => sql<HeldBackScan>`
  select repository_id, branch, coalesce(tool, requested_tool) as tool, report_id, connector_id, mapping, file_name, ${isHeldBack} as is_held_back
  from scans where client_id = ${request.clientId} and id = ${request.scanId}`;

/**
 * Enqueues an import of the same report that does what was decided: it closes what the first one held back, or splits the findings of the
 * report off as a part. Both can be undone. @returns the id of the scan that does it. @throws scan_not_found; conflict with the reason.
 */
export const enqueueSettlement = async (
  db: Db,
  jobs: Pick<JobQueue, 'enqueue'>,
  request: SettlementRequest,
): Promise<string> => {
  const { clientId, scanId, decision } = request;
  const scan = (await FIND_HELD_BACK(request).execute(db)).rows[0];
  if (scan === undefined) throw new AppError('scan_not_found');
  if (!scan.is_held_back) {
    throw new AppError(
      'conflict',
      msg('This import holds nothing back any more: it was decided on, or a newer one followed.'),
    );
  }
  const named = (request.part ?? '').trim() || (scan.file_name ?? `Part of ${scanId}`);
  const part = named.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, MAX_PART_LENGTH);
  const settlement = await db
    .insertInto('scans')
    .values({
      client_id: clientId,
      repository_id: scan.repository_id,
      report_id: scan.report_id,
      connector_id: scan.connector_id,
      mapping: mappingText(scan.mapping),
      requested_tool: scan.tool,
      tool: scan.tool,
      file_name: scan.file_name,
      branch: scan.branch,
      part: decision === 'split' ? part : null,
      accept_older: true,
      settles: scanId,
      settlement: decision,
      created_by: request.userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await jobs.enqueue(db, IMPORT_JOB, { clientId, scanId: settlement.id });
  return settlement.id;
};
