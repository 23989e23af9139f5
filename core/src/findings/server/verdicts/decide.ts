import { CompiledQuery, sql } from 'kysely';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import { publish } from '../../../platform/server/events.ts';
import { scoreStored } from '../../../prioritisation/server/index.ts';
import { applyFixStatus, type ChangeOutcome } from '../../model/apply-change.ts';
import type { DecidedFinding } from '../../model/decided-finding.ts';
import type { FindingStatus } from '../../model/states.ts';
import type { Viewer } from '../filter/viewer.ts';
import { type Decided, type LockedFinding, lockDecided, writeDecisions } from './stored-decisions.ts';

export interface Refusal {
  _id: string;
  why: string;
}

export interface DecideRequest {
  /** Whose findings are meant, and who decides. */
  viewer: Viewer;
  /** Set where nobody decides but the clock. */
  isByClock?: true;
  /** Set where the remediation of each moves its status: nobody else may while there is one. */
  isByRemediation?: true;
  ids: readonly string[];
  changeId: string | null;
  /** Reads what the decision rests on besides: once the findings are locked, so that nothing of it changes any more. */
  readBeside?: () => Promise<void>;
  /** What becomes of each; `id` for what was read besides. */
  apply: (now: DecidedFinding, id: string) => ChangeOutcome;
}

export interface Decisions {
  /** Findings that are now as wanted, also where nothing had to be written. */
  done: number;
  refused: Refusal[];
  /** Findings that were written, as they are now. */
  written: Decided[];
}

const HELD = msg('Its remediation says what its status is: open, edit or close the fix instead.');
const UNKNOWN = msg('This finding does not exist, or it is not yours.');

const withPriorities = async (
  db: Db,
  clientId: string,
  before: ReadonlyMap<string, LockedFinding>,
  decided: readonly Decided[],
): Promise<Decided[]> => {
  const changed = decided.filter(({ id, next }) => {
    const now = before.get(id);
    return now?.severity !== next.severity || now.reported_severity !== next.reported_severity;
  });
  const severities = changed.map(({ id, next }) => ({
    id,
    severity: next.severity,
    isOwn: next.reported_severity !== null,
  }));
  const priorities = await scoreStored(
    async <T>(text: string, values: unknown[]) => (await db.executeQuery<T>(CompiledQuery.raw(text, values))).rows,
    clientId,
    severities,
  );
  return decided.map((one) => ({ ...one, priority: priorities.get(one.id) }));
};

const publishChange = async (
  db: Db,
  clientId: string,
  before: ReadonlyMap<string, LockedFinding>,
  { written, changeId }: { written: readonly Decided[]; changeId: string | null },
): Promise<void> => {
  const [first] = written;
  if (first === undefined) return;
  const { id, next } = first;
  const known = written.flatMap((one) => before.get(one.id) ?? []);
  const people = [...known, ...written.map((one) => one.next)];
  const audience = {
    repositoryIds: [...new Set(known.map((one) => one.repository_id))].slice(0, MAX_NAMED),
    userIds: [...new Set(people.flatMap((one) => [one.issue_owner ?? [], one.developers ?? []].flat()))].slice(
      0,
      MAX_NAMED,
    ),
  };
  if (written.length === 1) {
    const data = {
      finding_id: id,
      change_id: changeId,
      repository_id: before.get(id)?.repository_id,
      verdict: next.verdict,
    };
    await publish(db, { clientId, type: 'finding.changed', data, audience });
  } else {
    // not everyone who hears of it may see all of them
    const data = { finding_id: id, change_id: changeId, count: written.length };
    await publish(db, { clientId, type: 'finding.changed', data, audience, partial: {} });
  }
};

/** An event has room for so many ids of each kind. */
const MAX_NAMED = 80;

/**
 * Decides about at most a few thousand findings in the caller's transaction: locks, applies the change to each, writes all with their history,
 * scores anew where the severity changed. What may not be is in `refused`; the others are done.
 */
export const decide = async (db: Db, request: DecideRequest): Promise<Decisions> => {
  const { viewer, ids, changeId } = request;
  const { clientId } = viewer;
  const unique = [...new Set(ids)];
  const found = await lockDecided(db, { viewer, ids: unique });
  await request.readBeside?.();
  const refused: Refusal[] = [];
  const decided: Decided[] = [];
  for (const id of unique) {
    const now = found.get(id);
    const outcome = now === undefined ? { refused: UNKNOWN } : request.apply(now, id);
    if ('refused' in outcome) refused.push({ _id: id, why: outcome.refused });
    else if (now?.is_held === true && request.isByRemediation !== true && outcome.next.status !== now.status) {
      refused.push({ _id: id, why: HELD });
    } else if (outcome.entries.length > 0) decided.push({ id, ...outcome, priority: undefined });
  }
  const written = await withPriorities(db, clientId, found, decided);
  await writeDecisions(db, { clientId, actor: request.isByClock ? null : viewer.userId, changeId, decided: written });
  await publishChange(db, clientId, found, { written, changeId });
  return { done: unique.length - refused.length, refused, written };
};

/**
 * Lets the status of findings follow their remediations: in the caller's transaction, which locks the findings before it writes a
 * remediation. Nobody can take it back by itself.
 */
export const followRemediation = async (
  db: Db,
  request: {
    clientId: string;
    actor: string | null;
    ids: readonly string[];
    status: FindingStatus | null;
    reason: string;
  },
): Promise<void> => {
  const { clientId, actor, ids, status, reason } = request;
  await decide(db, {
    viewer: { clientId, userId: actor ?? clientId, seesAll: true },
    ...(actor === null ? { isByClock: true } : {}),
    isByRemediation: true,
    ids,
    changeId: null,
    apply: (now) => applyFixStatus(now, status, reason),
  });
};

/** Id of a new change. */
export const newChangeId = async (db: Db): Promise<string> => {
  const made = await sql<{ id: string }>`select new_id() as id`.execute(db);
  const [row] = made.rows;
  if (row === undefined) throw new Error('The database made no id');
  return row.id;
};
