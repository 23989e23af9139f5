import type pg from 'pg';
import { mergeCorrelation } from '../correlate/correlate-findings.ts';
import type { Counts } from '../scans/scan-record.ts';
import { KnownFindingsChanged, pairKnown } from '../stage/known-findings.ts';
import { LOCK_REPOSITORY, type MergeContext } from '../stage/merge-context.ts';
import type { StagedReport } from '../stage/stage-report.ts';
import type { Stage } from '../stage/staging.ts';
import { isFirstOfTool } from '../stage/staging-tables.ts';
import { lockFindings, mergeChanges, mergeClosed } from './changed-findings.ts';
import { mergeComponents } from './components.ts';
import { mergeDictionaries } from './dictionaries.ts';
import { matchFindings } from './match-findings.ts';
import { addNew, prepareInserts } from './new-findings.ts';
import { openScope } from './scope.ts';
import { settleUndo } from './settle-undo.ts';

const COUNT_DUPLICATES = `
  select count(*)::integer as count from findings
  where client_id = $1 and scope_id = $2 and status <> 'mitigated' and is_duplicate`;

export interface MergeRequest {
  client: pg.ClientBase;
  /** Writes what repositories share, in transactions of its own. */
  side: pg.ClientBase;
  clientId: string;
  repositoryId: string;
  scanId: string;
  toolId: string;
  /** Name of the importer. */
  tool: string;
  /** As the sender named it; null for the default branch. */
  branch: string | null;
  report: StagedReport;
  stage: Stage;
  /** ISO 8601. */
  reportDate: string;
  /** Set where this takes a scan back: the scope that is brought to the report before. */
  undo?: { scopeId: number; scanId: string } | undefined;
  /** Called at the end of each part. */
  mark: (part: string) => void;
}

const openContext = async (request: MergeRequest): Promise<MergeContext> => {
  const { client, clientId, repositoryId, scanId, reportDate } = request;
  const { hasStoredDetails } = request.stage;
  if (hasStoredDetails && !(await isFirstOfTool(client, request))) throw new KnownFindingsChanged();
  const { id, lastSeenAt, branchId } = await openScope({ ...request, scopeId: request.undo?.scopeId });
  const scope = { repositoryId: branchId ?? repositoryId, branchId, scopeId: id, lastSeenAt };
  return { client, clientId, scanId, reportDate, hasStoredDetails, ...scope };
};

/** New findings that somebody should hear of. */
export interface Alerts {
  critical: number;
  kev: number;
}

const COUNT_ALERTS = `
  select count(*) filter (where severity = 4)::integer as critical, count(*) filter (where kev)::integer as kev
  from stage_findings s
  where s.verdict = 'none' and not exists (select 1 from pairs where pairs.n = s.n)`;

const countAlerts = async (client: pg.ClientBase): Promise<Alerts> =>
  (await client.query<Alerts>(COUNT_ALERTS)).rows[0] ?? { critical: 0, kev: 0 };

export interface MergedReport {
  scopeId: number;
  /** Null for the default branch. */
  branchId: string | null;
  counts: Counts;
  alerts: Alerts;
}

/**
 * From here on nobody else merges into the repository, and it stays. Imports into other repositories go on at the same time, and
 * decisions wait for no import: what repositories share is either written in short transactions (dictionaries) or in the last moment
 * before commit, in order of keys (rollups). See docs/decisions/2026-11-22-locks-by-repository.md.
 */
export const lockRepository = async (client: pg.ClientBase, repositoryId: string): Promise<void> => {
  await client.query(LOCK_REPOSITORY, [repositoryId]);
};

/** Merges the staged report into the client's findings and inventory. Runs in the transaction that staged it. */
export const mergeReport = async (request: MergeRequest): Promise<MergedReport> => {
  const { client, clientId, stage, report, mark } = request;
  // rough numbers are enough to choose between plans
  await client.query(
    'set local default_statistics_target = 10; analyze stage_findings, stage_equal, stage_definitions, stage_files',
  );
  await mergeDictionaries({ main: client, side: request.side }, clientId);
  mark('dictionaries');
  await lockRepository(client, request.repositoryId);
  mark('wait for the repository');
  const context = await openContext(request);
  await pairKnown(context, stage);
  // a record that could not be read may be any of the findings that are missing: then nothing is called gone
  const isWhole = report.unreadableCount === 0;
  await matchFindings(context, isWhole);
  mark('matching');
  const locked = await lockFindings(context, isWhole);
  mark('lock findings');
  const { changed, reopened } = locked === 0 ? { changed: 0, reopened: 0 } : await mergeChanges(context);
  // before the new ones come, which stand in no pair either
  const closed = isWhole && locked > 0 ? await mergeClosed(context) : 0;
  mark('changed and closed');
  const newFindings = await prepareInserts(context, stage.findings);
  const added = newFindings.count;
  mark('new, without their rows');
  const marks = await mergeCorrelation(context, { changes: changed > 0, gone: closed > 0, newFindings: added > 0 });
  mark('correlation');
  await addNew(context, newFindings, marks);
  mark('new');
  // the inventory is that of the default branch
  const isDefault = context.branchId === null;
  if (isDefault) await mergeComponents(context, { staged: stage.components, keepsUnlisted: !isWhole });
  if (request.undo !== undefined) {
    await settleUndo(client, { clientId, repositoryId: context.repositoryId, undoes: request.undo.scanId });
  }
  const duplicates = await client.query<{ count: number }>(COUNT_DUPLICATES, [clientId, context.scopeId]);
  return {
    scopeId: context.scopeId,
    branchId: context.branchId,
    alerts: added === 0 || !isDefault ? { critical: 0, kev: 0 } : await countAlerts(client),
    counts: {
      total: stage.findings,
      new: added,
      unchanged: stage.findings - added - reopened,
      reopened,
      closed,
      duplicate: duplicates.rows[0]?.count ?? 0,
      suppressed: report.suppressed,
      unreadable: report.unreadableCount,
      components: isDefault ? stage.components : 0,
    },
  };
};
