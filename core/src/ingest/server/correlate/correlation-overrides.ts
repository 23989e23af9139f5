import { CompiledQuery, sql } from 'kysely';
import { type CorrelationOverrides, type Decision, toolLabel } from '../../../findings/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { type Db, limitLockWait } from '../../../platform/server/database.ts';
import { publish } from '../../../platform/server/events.ts';
import { LOCK_REPOSITORY } from '../stage/merge-context.ts';
import { correlateByHand } from './correlate-findings.ts';

/** Two findings, or one and itself where it stands apart. */
interface OverrideKey {
  clientId: string;
  id: string;
  otherId: string;
}

interface FindingState {
  id: string;
  repositoryId: string;
  isOpen: boolean;
  /** The finding that stands for its group; itself where it is no duplicate. */
  originalId: string;
  hasDuplicates: boolean;
  tool: string;
  title: string;
}

/** Findings as they stand now. Reads findings by primary key and findings_duplicates. */
const findStates = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<Map<string, FindingState>> => {
  const { clientId, ids } = request;
  const found = await sql<FindingState>`
    select f.id, f.repository_id as "repositoryId", f.status <> 'mitigated' as "isOpen", coalesce(f.duplicate_of, f.id) as "originalId",
      exists (select from findings d where d.client_id = ${clientId} and d.duplicate_of = f.id) as "hasDuplicates", f.tool, s.title
    from findings f join finding_definitions s on s.client_id = ${clientId} and s.id = f.definition_id
    where f.client_id = ${clientId} and f.id = any(${ids}::uuid[])`.execute(db);
  return new Map(found.rows.map((row) => [row.id, row]));
};

/** Writes the word of a person; said again, it counts as of now. */
const writeOverride = async (
  db: Db,
  key: OverrideKey & { repositoryId: string; actor: string; reason: string | null },
): Promise<void> => {
  await sql`
    insert into correlation_overrides (client_id, repository_id, finding_id, other_id, actor, reason)
    values (${key.clientId}, ${key.repositoryId}, ${key.id}, ${key.otherId}, ${key.actor}, ${key.reason})
    on conflict (client_id, finding_id, other_id) do update
    set at = excluded.at, actor = excluded.actor, reason = excluded.reason`.execute(db);
};

/** Removes it, whichever of the two it was said of. @returns whether there was one. */
const deleteOverride = async (db: Db, { clientId, id, otherId }: OverrideKey): Promise<boolean> => {
  const gone = await sql`
    delete from correlation_overrides
    where client_id = ${clientId} and (finding_id, other_id) in ((${id}::uuid, ${otherId}::uuid), (${otherId}::uuid, ${id}::uuid))
    returning 1`.execute(db);
  return gone.rows.length > 0;
};

/** Writes down, in the history of one finding, what a person decided. */
const writeOverrideEvent = async (
  db: Db,
  event: {
    clientId: string;
    id: string;
    kind: 'split' | 'joined';
    actor: string;
    from: string | null;
    to: string | null;
    reason: string | null;
  },
): Promise<void> => {
  await sql`
    insert into finding_events (client_id, finding_id, kind, at, actor, from_value, to_value, reason)
    values (${event.clientId}, ${event.id}, ${event.kind}, clock_timestamp(), ${event.actor}, ${event.from}, ${event.to}, ${event.reason})`.execute(
    db,
  );
};

const reasonOf = ({ reason }: Decision): string | null => {
  const text = reason?.replaceAll('\0', '').trim() ?? '';
  return text === '' ? null : text;
};

/** Repositories of findings. Of a branch, whose findings stand under its own id, the repository that it belongs to. */
const findRepositories = async (db: Db, clientId: string, ids: readonly string[]): Promise<string[]> => {
  const found = await sql<{ id: string }>`
    select distinct coalesce(b.repository_id, f.repository_id) as id
    from findings f left join repository_branches b on b.client_id = f.client_id and b.id = f.repository_id
    where f.client_id = ${clientId} and f.id = any(${ids}::uuid[]) order by 1`.execute(db);
  return found.rows.map((row) => row.id);
};

/**
 * No import merges into the repository meanwhile: both correlate its findings, and each has to see what the other one wrote.
 * @throws finding_not_found
 */
const readStates = async (db: Db, { clientId }: Decision, ids: readonly string[]): Promise<FindingState[]> => {
  await limitLockWait(db);
  for (const id of await findRepositories(db, clientId, ids))
    await db.executeQuery(CompiledQuery.raw(LOCK_REPOSITORY, [id]));
  const states = await findStates(db, { clientId, ids });
  return ids.map((id) => {
    const state = states.get(id);
    if (state === undefined) throw new AppError('finding_not_found');
    return state;
  });
};

const markAnew = async (db: Db, { clientId }: Decision, states: readonly FindingState[]): Promise<void> => {
  const [first] = states;
  if (first === undefined) return;
  const { repositoryId } = first;
  const changes = await correlateByHand(
    async (text, values) => (await db.executeQuery<never>(CompiledQuery.raw(text, values))).rows,
    { clientId, repositoryId, ids: states.flatMap((state) => [state.id, state.originalId]) },
  );
  const ids = new Set([...states.map((state) => state.id), ...changes.map((change) => change.id)]);
  for (const id of [...ids].slice(0, MAX_NOTIFIED)) {
    await publish(db, {
      clientId,
      type: 'finding.changed',
      data: { finding_id: id, repository_id: repositoryId },
      audience: { repositoryIds: [repositoryId] },
    });
  }
};

/** Findings that browsers hear of after one decision. */
const MAX_NOTIFIED = 50;

const nameOf = (state: FindingState): string => `${state.title} (${toolLabel(state.tool)})`;

/** Says that a finding is no duplicate, and has none. Holds over re-imports, until taken back or joined. @throws finding_not_found, conflict */
const splitFinding = async (db: Db, decision: Decision): Promise<void> => {
  const { clientId, actor, id } = decision;
  const [state] = await readStates(db, decision, [id]);
  if (state === undefined) return;
  if (state.originalId === id && !state.hasDuplicates) {
    throw new AppError(
      'conflict',
      msg('No other result counts as the same as this finding, so there is nothing to split.'),
    );
  }
  const reason = reasonOf(decision);
  await writeOverride(db, { clientId, id, otherId: id, repositoryId: state.repositoryId, actor, reason });
  await writeOverrideEvent(db, { clientId, id, kind: 'split', actor, from: null, to: 'split', reason });
  await markAnew(db, decision, [state]);
};

/** @throws finding_not_found, conflict */
const undoSplit = async (db: Db, decision: Decision): Promise<void> => {
  const { clientId, actor, id } = decision;
  const [state] = await readStates(db, decision, [id]);
  if (state === undefined) return;
  if (!(await deleteOverride(db, { clientId, id, otherId: id }))) {
    throw new AppError('conflict', msg('Nobody has split this finding from others.'));
  }
  await writeOverrideEvent(db, { clientId, id, kind: 'split', actor, from: 'split', to: null, reason: null });
  await markAnew(db, decision, [state]);
};

/** Says that two findings are the same. Holds over re-imports, until taken back or split. @throws finding_not_found, conflict */
const joinFindings = async (db: Db, decision: Decision & { otherId: string }): Promise<void> => {
  const { clientId, actor, id, otherId } = decision;
  if (id === otherId) throw new AppError('conflict', msg('A finding is the same as itself already. Name another one.'));
  const [one, other] = await readStates(db, decision, [id, otherId]);
  if (one === undefined || other === undefined) return;
  if (one.repositoryId !== other.repositoryId) {
    throw new AppError('conflict', msg('Only findings of one application can be joined.'));
  }
  if (!(one.isOpen && other.isOpen)) {
    throw new AppError('conflict', msg('One of the two is closed. Only what is still reported can be joined.'));
  }
  if (one.originalId === other.originalId) {
    throw new AppError('conflict', msg('The two count as the same already.'));
  }
  const reason = reasonOf(decision);
  await deleteOverride(db, { clientId, id: otherId, otherId: id });
  await writeOverride(db, { clientId, id, otherId, repositoryId: one.repositoryId, actor, reason });
  await writeOverrideEvent(db, { clientId, id, kind: 'joined', actor, from: null, to: nameOf(other), reason });
  await writeOverrideEvent(db, { clientId, id: otherId, kind: 'joined', actor, from: null, to: nameOf(one), reason });
  await markAnew(db, decision, [one, other]);
};

/** @throws finding_not_found, conflict */
const undoJoin = async (db: Db, decision: Decision & { otherId: string }): Promise<void> => {
  const { clientId, actor, id, otherId } = decision;
  const [one, other] = await readStates(db, decision, [id, otherId]);
  if (one === undefined || other === undefined) return;
  if (id === otherId || !(await deleteOverride(db, { clientId, id, otherId }))) {
    throw new AppError('conflict', msg('Nobody has joined these two findings.'));
  }
  await writeOverrideEvent(db, { clientId, id, kind: 'joined', actor, from: nameOf(other), to: null, reason: null });
  await writeOverrideEvent(db, {
    clientId,
    id: otherId,
    kind: 'joined',
    actor,
    from: nameOf(one),
    to: null,
    reason: null,
  });
  await markAnew(db, decision, [one, other]);
};

/** What the routes of findings call. */
export const SAME_ISSUE: CorrelationOverrides = { splitFinding, undoSplit, joinFindings, undoJoin };
