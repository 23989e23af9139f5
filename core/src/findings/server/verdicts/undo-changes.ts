import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import { applyToggle, applyUndo, CHANGED_SINCE, type Toggle } from '../../model/apply-change.ts';
import type { DecidedFinding, DecisionKind } from '../../model/decided-finding.ts';
import type { Viewer } from '../filter/viewer.ts';
import { type Decisions, decide, newChangeId } from './decide.ts';

/** One audit entry of a change, and whether nothing of its kind came after it. */
export interface StoredEntry {
  finding_id: string;
  kind: DecisionKind;
  to: string | null;
  before: Partial<DecidedFinding>;
  is_newest: boolean;
}

/** Query of the ids of the findings of a change. Reads finding_events_of_change. */
export const changedIds = (request: { clientId: string; changeId: string }): RawBuilder<unknown> =>
  sql`select distinct finding_id as id from finding_events
    where client_id = ${request.clientId} and change_id = ${request.changeId}`;

/** The first of them in order, and how many there are. */
export const readChangedIds = async (
  db: Db,
  request: { clientId: string; changeId: string; only: string | undefined; limit: number },
): Promise<{ ids: string[]; total: number }> => {
  const { only, limit } = request;
  const wanted = only === undefined ? sql`` : sql`where id = ${only}`;
  const found = await sql<{ ids: string[]; total: number }>`
    with changed as materialized (select id from (${changedIds(request)}) c ${wanted})
    select (select count(*) from changed) as total, array(select id from changed order by id limit ${limit}) as ids`.execute(
    db,
  );
  return found.rows[0] ?? { ids: [], total: 0 };
};

/** What a change did to some of its findings, newest line first. Reads finding_events_of_change and the primary key. */
export const readEntries = async (
  db: Db,
  request: { clientId: string; changeId: string; ids: readonly string[] },
): Promise<StoredEntry[]> => {
  const { clientId, changeId } = request;
  const found = await sql<StoredEntry>`
    select e.finding_id, e.kind, e.to_value as "to", e.before, not exists (
        select 1 from finding_events n
        where n.client_id = ${clientId} and n.finding_id = e.finding_id and n.kind = e.kind and (n.at, n.id) > (e.at, e.id)
      ) as is_newest
    from finding_events e
    where e.client_id = ${clientId} and e.change_id = ${changeId} and e.finding_id = any(${[...request.ids]}::uuid[]) and e.before is not null
    order by e.finding_id, e.at desc, e.id desc`.execute(db);
  return found.rows;
};

export interface UndoRequest {
  viewer: Viewer;
  /** The change that is undone. */
  undone: string;
  ids: readonly string[];
  /** The change that undoes it, which can be undone itself. */
  changeId: string;
}

/** Undoes a change for some of its findings; what was changed again since is refused. */
export const undoChanges = async (db: Db, request: UndoRequest): Promise<Decisions> => {
  const { viewer, undone, ids, changeId } = request;
  const entries = new Map<string, StoredEntry[]>();
  return decide(db, {
    viewer,
    ids,
    changeId,
    readBeside: async () => {
      const stored = await readEntries(db, { clientId: viewer.clientId, changeId: undone, ids });
      for (const entry of stored) entries.set(entry.finding_id, [...(entries.get(entry.finding_id) ?? []), entry]);
    },
    apply: (now, id) => {
      const own = entries.get(id) ?? [];
      const isOld = own.length === 0 || own.some((entry) => !entry.is_newest);
      return isOld ? { refused: CHANGED_SINCE } : applyUndo(now, own);
    },
  });
};

/** What stood before the finding became a false positive; undefined where nobody said so. Reads finding_events by primary key. */
const readBeforeFalsePositive = async (
  db: Db,
  request: { clientId: string; id: string },
): Promise<Partial<DecidedFinding> | undefined> => {
  // who says it again with another reason does not change what stood before
  const found = await sql<{ before: Partial<DecidedFinding> | null }>`
    select case when to_value = 'false_positive' then coalesce(before, jsonb_build_object('verdict', from_value)) end as before
    from finding_events
    where client_id = ${request.clientId} and finding_id = ${request.id} and kind = 'verdict'
      and (coalesce(to_value, '') = 'false_positive') <> (coalesce(from_value, '') = 'false_positive')
    order by at desc, id desc limit 1`.execute(db);
  return found.rows[0]?.before ?? undefined;
};

/**
 * Turns the false-positive switch of a finding; off restores the verdict before, with its reason and expiry date. Its duplicates keep their own verdict and stay marked as duplicates, so they
 * remain hidden wherever duplicates are. @returns the id of the change. @throws finding_not_found.
 */
export const toggleVerdict = async (
  db: Db,
  request: { viewer: Viewer; id: string; toggle: Toggle },
): Promise<string> => {
  const { viewer, id, toggle } = request;
  const changeId = await newChangeId(db);
  let before: Partial<DecidedFinding> | undefined;
  const { refused } = await decide(db, {
    viewer,
    ids: [id],
    changeId,
    readBeside: async () => {
      before = await readBeforeFalsePositive(db, { clientId: viewer.clientId, id });
    },
    apply: (now) => applyToggle(now, before, toggle),
  });
  if (refused.length > 0) throw new AppError('finding_not_found');
  return changeId;
};
