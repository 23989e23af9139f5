import { sql } from 'kysely';
import { severityOfRank, severityRank } from '../../../platform/model/severity.ts';
import { type Db, limitLockWait } from '../../../platform/server/database.ts';
import type { Priority } from '../../../prioritisation/server/index.ts';
import type { AuditEntry } from '../../model/apply-change.ts';
import type { DecidedFinding } from '../../model/decided-finding.ts';
import type { FindingStatus, Verdict } from '../../model/states.ts';
import { maySee, type Viewer } from '../filter/viewer.ts';

interface StoredDecisions {
  id: string;
  repository_id: string;
  status: FindingStatus;
  verdict: Verdict;
  verdict_reason: string | null;
  verdict_expires_at: Date | null;
  needs_confirmation: boolean;
  severity: number;
  severity_numerical: number;
  reported_severity: number | null;
  reported_severity_numerical: number | null;
  issue_owner: string | null;
  tags: string[];
  notes: string | null;
  developers: string[] | null;
  review_requested_by_id: string | null;
  proposed_verdict: Verdict | null;
  proposed_reason: string | null;
  is_held: boolean;
}

export interface LockedFinding extends DecidedFinding {
  id: string;
  repository_id: string;
  /** A remediation says what its status is. */
  is_held: boolean;
}

const foundOf = (row: StoredDecisions): LockedFinding => ({
  ...row,
  severity: severityOfRank(row.severity),
  reported_severity: row.reported_severity === null ? null : severityOfRank(row.reported_severity),
  verdict_expires_at: row.verdict_expires_at?.toISOString() ?? null,
});

/**
 * Locks findings until the transaction ends, in order of their ids, as imports do. Whatever a decision rests on is read after this, in
 * statements of its own: one that both waits and reads would see the other tables as they were before the wait. Index: primary key; a
 * thousand ids in `= any(…)` may be answered by a skip scan over another index, which reads all findings of the client.
 */
export const lockFindings = async (
  db: Db,
  { clientId, ids }: { clientId: string; ids: readonly string[] },
): Promise<void> => {
  await limitLockWait(db);
  await sql`
    select from unnest(${[...ids]}::uuid[]) w (id) join findings f on f.client_id = ${clientId} and f.id = w.id
    order by f.id for no key update of f`.execute(db);
};

/**
 * What people decided about findings, held until the transaction ends; those that the viewer may not see are left out.
 * Reads findings and finding_details by primary key. Index: remediations_finding.
 */
export const lockDecided = async (
  db: Db,
  request: { viewer: Viewer; ids: readonly string[] },
): Promise<Map<string, LockedFinding>> => {
  const { clientId } = request.viewer;
  await lockFindings(db, { clientId, ids: request.ids });
  const found = await sql<StoredDecisions>`
    select f.id, f.repository_id, f.status, f.verdict, d.verdict_reason, f.verdict_expires_at, f.needs_confirmation, f.severity,
      f.severity_numerical,
      f.reported_severity, f.reported_severity_numerical, f.issue_owner, f.tags, d.notes, f.developers, f.review_requested_by_id,
      d.proposed_verdict, d.proposed_reason,
      exists (
        select from remediations m
        where m.client_id = f.client_id and m.finding_id = f.id and f.status <> 'mitigated'
          and m.processing_status in ('pending_input', 'ready', 'pr_submitted', 'issued', 'applied')
      ) as is_held
    from unnest(${[...request.ids]}::uuid[]) w (id)
    join findings f on f.client_id = ${clientId} and f.id = w.id
    left join finding_details d on d.client_id = ${clientId} and d.finding_id = f.id
    where ${maySee(request.viewer)}
    order by f.id limit ${request.ids.length}`.execute(db);
  return new Map(found.rows.map((row) => [row.id, foundOf(row)]));
};

export interface Decided {
  id: string;
  next: DecidedFinding;
  entries: readonly AuditEntry[];
  /** Where the severity changed. */
  priority: Priority | undefined;
}

export interface DecisionsRequest {
  clientId: string;
  /** Who decided; null for the clock. */
  actor: string | null;
  /** Null for what nobody can take back. */
  changeId: string | null;
  decided: readonly Decided[];
}

const rowOf = ({ id, next, priority }: Decided) => ({
  ...next,
  id,
  severity: severityRank(next.severity),
  reported_severity: next.reported_severity === null ? null : severityRank(next.reported_severity),
  priority: priority?.priority ?? null,
  priority_parts: priority?.parts ?? null,
});

const writeEvents = async (db: Db, { clientId, actor, changeId, decided }: DecisionsRequest): Promise<void> => {
  const events = decided.flatMap(({ id, entries }) => entries.map((entry) => ({ ...entry, finding_id: id })));
  await sql`
    insert into finding_events (client_id, finding_id, kind, at, actor, from_value, to_value, reason, change_id, before)
    select ${clientId}, e.finding_id, e.kind, clock_timestamp(), ${actor}::uuid, e."from", e."to", e.reason, ${changeId}::uuid, e.before
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      e (finding_id uuid, kind text, "from" text, "to" text, reason text, before jsonb)`.execute(db);
};

const writePriorities = async (db: Db, { clientId, actor, decided }: DecisionsRequest): Promise<void> => {
  const rows = decided.filter((one) => one.priority !== undefined).map(rowOf);
  if (rows.length === 0) return;
  await sql`
    insert into finding_events (client_id, finding_id, kind, at, actor, from_value, to_value)
    select ${clientId}, c.id, 'priority', clock_timestamp(), ${actor}::uuid, floor(f.priority)::text, floor(c.priority)::text
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) c (id uuid, priority real)
    join findings f on f.client_id = ${clientId} and f.id = c.id
    where floor(f.priority) <> floor(c.priority)`.execute(db);
};

/**
 * Writes what was decided about at most a few thousand findings, with its history. The rollups follow by trigger. Finds rows by
 * primary key. A finding that a person closes keeps the day of the last report that had it.
 */
export const writeDecisions = async (db: Db, request: DecisionsRequest): Promise<void> => {
  const { clientId, decided } = request;
  if (decided.length === 0) return;
  const rows = JSON.stringify(decided.map(rowOf));
  await writeEvents(db, request);
  await writePriorities(db, request);
  await sql`
    insert into finding_details as d (client_id, finding_id, verdict_reason, notes, proposed_verdict, proposed_reason, priority_parts)
    select ${clientId}, c.id, c.verdict_reason, c.notes, c.proposed_verdict, c.proposed_reason, coalesce(c.priority_parts, '[]')
    from jsonb_to_recordset(${rows}::jsonb)
      c (id uuid, verdict_reason text, notes text, proposed_verdict text, proposed_reason text, priority real, priority_parts jsonb)
    on conflict (client_id, finding_id) do update
    set verdict_reason = excluded.verdict_reason, notes = excluded.notes, proposed_verdict = excluded.proposed_verdict,
      proposed_reason = excluded.proposed_reason,
      priority_parts = case when excluded.priority_parts = '[]' then d.priority_parts else excluded.priority_parts end`.execute(
    db,
  );
  await sql`
    update findings f
    set status = c.status, verdict = c.verdict, verdict_expires_at = c.verdict_expires_at, needs_confirmation = c.needs_confirmation, severity = c.severity,
      severity_numerical = c.severity_numerical, reported_severity = c.reported_severity,
      reported_severity_numerical = c.reported_severity_numerical, issue_owner = c.issue_owner, tags = c.tags,
      developers = c.developers, review_requested_by_id = c.review_requested_by_id, priority = coalesce(c.priority, f.priority),
      closed_at = case when c.status = 'mitigated' then coalesce(f.closed_at, now()) end,
      last_seen = case when c.status = 'mitigated' then coalesce(f.last_seen,
        (select o.last_seen_at from scan_scopes o where o.client_id = ${clientId} and o.id = f.scope_id), f.first_seen) end
    from jsonb_to_recordset(${rows}::jsonb)
      c (id uuid, status text, verdict text, verdict_expires_at timestamptz, needs_confirmation boolean, severity smallint, severity_numerical smallint,
        reported_severity smallint, reported_severity_numerical smallint, issue_owner uuid, tags text[], developers uuid[],
        review_requested_by_id uuid, priority real)
    where f.client_id = ${clientId} and f.id = c.id`.execute(db);
};
