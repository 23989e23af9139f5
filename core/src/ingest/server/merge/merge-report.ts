import type pg from 'pg';
import { mergeCorrelation } from '../correlate/correlate-findings.ts';
import { NO_COUNTS } from '../scans/list-scans.ts';
import type { Counts, MergedStatus } from '../scans/scan-record.ts';
import type { ImportPulse } from '../stage/import-watch.ts';
import { KnownFindingsChanged, pairKnown } from '../stage/known-findings.ts';
import { LOCK_REPOSITORY, type MergeContext } from '../stage/merge-context.ts';
import type { StagedReport } from '../stage/stage-report.ts';
import type { Stage } from '../stage/staging.ts';
import { isFirstOfTool, type ToolIds } from '../stage/tool-ids.ts';
import { lockFindings, mergeChanges, mergeClosed, mergeMoved } from './changed-findings.ts';
import { decideClosing, type HeldBack } from './closing.ts';
import { mergeComponents } from './components.ts';
import { mergeDictionaries } from './dictionaries.ts';
import { matchFindings } from './match-findings.ts';
import { addNew, prepareInserts } from './new-findings.ts';
import { isPartKnown, openScope, type Scope } from './scope.ts';
import { returnTakenOver, settleUndo } from './settle-undo.ts';
import { markUnconfirmed } from './unconfirmed-verdicts.ts';

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
  toolIds: ToolIds;
  /** Name of the importer. */
  tool: string;
  /** As the sender named it; null for the default branch. */
  branch: string | null;
  /** As the sender named it; null where the report says. */
  part: string | null;
  /** What a person decided about a closing that was held back. */
  settlement: 'confirm' | 'split' | null;
  /** A connector pulled the report: it is about all that the connector knows. */
  isPulled: boolean;
  /** The sender wants the report merged although a newer one was. */
  acceptsOlder: boolean;
  report: StagedReport;
  stage: Stage;
  /** ISO 8601; stands for the date of results without one. */
  reportDate: string;
  /** The report's own time, where it has one that has come. */
  ownDate: string | undefined;
  /** Set where this takes a scan back: the scope that is brought to the report before. */
  undo?: { scopeId: number; scanId: string; hasReport: boolean } | undefined;
  pulse: ImportPulse;
  /** Called at the end of each part. */
  mark: (part: string) => void;
}

const openContext = async (request: MergeRequest): Promise<{ scope: Scope; context: MergeContext }> => {
  const { client, clientId, repositoryId, scanId, reportDate, undo } = request;
  const { hasStoredDetails } = request.stage;
  if (hasStoredDetails && !(await isFirstOfTool(client, request))) throw new KnownFindingsChanged();
  if (undo?.hasReport === false)
    await returnTakenOver(client, {
      clientId,
      toolIds: request.toolIds.all,
      scopeId: undo.scopeId,
      undoes: undo.scanId,
    });
  const isSplit = request.settlement === 'split';
  const reported = request.stage.findings + request.stage.components;
  const scope = await openScope({ ...request, isSplit, reported, scopeId: undo?.scopeId });
  const { id, lastSeenAt, lastScanId, branchId } = scope;
  const target = { repositoryId: branchId ?? repositoryId, branchId, scopeId: id, lastSeenAt, lastScanId };
  const { toolIds } = request;
  return {
    scope,
    context: { client, clientId, scanId, toolIds: toolIds.all, reportDate, hasStoredDetails, ...target },
  };
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
  /** `outdated`: a newer report stands, and nothing was changed. */
  status: MergedStatus;
  /** Why the scan is incomplete. */
  incomplete: readonly string[];
  /** The own time of the newest report that the scope stands at; undefined leaves it as it is. */
  scopeDate: string | null | undefined;
  counts: Counts;
  /** Whether priorities of findings were written: those of new and of changed ones. */
  isScored: boolean;
  alerts: Alerts;
}

/**
 * From here on nobody else merges into the repository, and it stays. Imports into other repositories go on at the same time, and
 * decisions wait for no import: what repositories share is either written in short transactions (dictionaries) or in the last moment
 * before commit, in order of keys (rollups). See docs/decisions/2026-11-22-locks-by-repository.md.
 */
export const lockRepository = async (
  client: pg.ClientBase,
  repositoryId: string,
  pulse: ImportPulse,
): Promise<void> => {
  pulse.enter('waiting');
  await client.query(LOCK_REPOSITORY, [repositoryId]);
  pulse.enter('merging');
};

const NO_ALERTS: Alerts = { critical: 0, kev: 0 };

const isOutdated = ({ undo, acceptsOlder, ownDate }: MergeRequest, { reportDate }: Scope): boolean =>
  undo === undefined && !acceptsOlder && ownDate !== undefined && reportDate !== null && reportDate > new Date(ownDate);

/** An older report says nothing about today: it is kept with its scan, and changes nothing. */
const leaveUnchanged = ({ stage, report }: MergeRequest, { scopeId, branchId }: MergeContext): MergedReport => ({
  ...{ scopeId, branchId, status: 'outdated', incomplete: report.failures, scopeDate: undefined },
  isScored: false,
  alerts: NO_ALERTS,
  counts: { ...NO_COUNTS, total: stage.findings, suppressed: report.suppressed, unreadable: report.unreadableCount },
});

const scopeDateOf = ({ undo, acceptsOlder, ownDate }: MergeRequest, { reportDate }: Scope): string | null => {
  if (undo !== undefined || acceptsOlder || reportDate === null) return ownDate ?? null;
  return ownDate === undefined ? reportDate.toISOString() : ownDate;
};

/** A record that could not be read, or that a failed scan did not find, may be any of the findings that are missing. */
const isWhole = ({ unreadableCount, failures }: StagedReport): boolean =>
  unreadableCount === 0 && failures.length === 0;

const closingOf = (context: MergeContext, request: MergeRequest) => {
  const { report, undo, settlement, isPulled } = request;
  return decideClosing(context, {
    isWhole: isWhole(report),
    isPartKnown: isPartKnown(request),
    isAsserted: isPulled || request.part !== null || settlement === 'confirm',
    results: request.stage.findings,
    coverage: report.coverage,
    undoes: undo?.scanId,
  });
};

interface Merged {
  added: number;
  changed: number;
  reopened: number;
  closed: number;
  held: HeldBack;
}

/** The findings of the report. */
const mergeFindings = async (context: MergeContext, request: MergeRequest): Promise<Merged> => {
  const { stage, report, mark } = request;
  await pairKnown(context, stage);
  await matchFindings(context, { isWhole: isWhole(report), root: report.coverage.root ?? '' });
  mark('matching');
  const { closing, held } = await closingOf(context, request);
  const locked = await lockFindings(context, closing);
  mark('lock findings');
  const { changed, reopened } = locked === 0 ? { changed: 0, reopened: 0 } : await mergeChanges(context);
  // taking a scan back leads to where the verdict was given
  if (locked > 0 && request.undo === undefined) await markUnconfirmed(context);
  const moved = await mergeMoved(context);
  mark('moved');
  // before the new ones come, which stand in no pair either
  const closed = closing.closes && locked > 0 ? await mergeClosed(context) : 0;
  mark('changed and closed');
  const newFindings = await prepareInserts(context, stage.findings);
  const added = newFindings.count;
  mark('new, without their rows');
  const marks = await mergeCorrelation(context, {
    changes: changed > 0,
    moved: moved > 0,
    gone: closed > 0,
    newFindings: added > 0,
  });
  mark('correlation');
  await addNew(context, newFindings, marks);
  mark('new');
  // the inventory is that of the default branch
  if (context.branchId === null) {
    const keepsUnlisted = !(closing.closes && isWhole(report));
    await mergeComponents(context, { staged: stage.components, keepsUnlisted });
  }
  return { added, changed, reopened, closed, held };
};

/** Merges the staged report into the client's findings and inventory. Runs in the transaction that staged it. */
export const mergeReport = async (request: MergeRequest): Promise<MergedReport> => {
  const { client, clientId, stage, report, mark } = request;
  // rough numbers are enough to choose between plans
  await client.query(
    `create index on stage_definitions (n); create index on stage_files (n);
    set local default_statistics_target = 10; analyze stage_findings, stage_equal, stage_moved, stage_definitions, stage_files`,
  );
  await mergeDictionaries({ main: client, side: request.side }, clientId);
  mark('dictionaries');
  await lockRepository(client, request.repositoryId, request.pulse);
  mark('wait for the repository');
  const { scope, context } = await openContext(request);
  if (isOutdated(request, scope)) return leaveUnchanged(request, context);
  const { added, changed, reopened, closed, held } = await mergeFindings(context, request);
  const isDefault = context.branchId === null;
  if (request.undo !== undefined) {
    await settleUndo(client, { clientId, repositoryId: context.repositoryId, undoes: request.undo.scanId });
  }
  const duplicates = await client.query<{ count: number }>(COUNT_DUPLICATES, [clientId, context.scopeId]);
  return {
    scopeId: context.scopeId,
    branchId: context.branchId,
    status: report.failures.length > 0 ? 'incomplete' : 'done',
    incomplete: report.failures,
    scopeDate: scopeDateOf(request, scope),
    isScored: added + changed > 0,
    alerts: added === 0 || !isDefault ? NO_ALERTS : await countAlerts(client),
    counts: {
      total: stage.findings,
      new: added,
      unchanged: stage.findings - added - reopened,
      reopened,
      closed,
      held: held.findings,
      held_components: held.components,
      duplicate: duplicates.rows[0]?.count ?? 0,
      suppressed: report.suppressed,
      unreadable: report.unreadableCount,
      components: isDefault ? stage.components : 0,
    },
  };
};
