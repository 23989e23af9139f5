import { CompiledQuery } from 'kysely';
import type { Decision, SameIssueDecisions } from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import type { Db } from '../../platform/server/database.ts';
import { publish } from '../../platform/server/events.ts';
import { lockClient } from '../../platform/server/lock-client.ts';
import { correlateByHand } from './merge-correlation.ts';
import { dropTie, findStates, writeTie, writeTieEvent } from './queries/correlation-overrides.ts';

type State = NonNullable<ReturnType<Awaited<ReturnType<typeof findStates>>['get']>>;

const reasonOf = ({ reason }: Decision): string | null => {
  const text = reason?.replaceAll('\0', '').trim() ?? '';
  return text === '' ? null : text;
};

/** No import merges meanwhile, so that both see the same findings. @throws finding_not_found */
const readStates = async (db: Db, { clientId }: Decision, ids: readonly string[]): Promise<State[]> => {
  await lockClient(db, clientId);
  const states = await findStates(db, { clientId, ids });
  return ids.map((id) => {
    const state = states.get(id);
    if (state === undefined) throw new AppError('finding_not_found', 'Finding data not found');
    return state;
  });
};

const markAnew = async (db: Db, { clientId }: Decision, states: readonly State[]): Promise<void> => {
  const [first] = states;
  if (first === undefined) return;
  const { repositoryId } = first;
  const changes = await correlateByHand(
    async (text, values) => (await db.executeQuery<never>(CompiledQuery.raw(text, values))).rows,
    { clientId, repositoryId, ids: states.flatMap((state) => [state.id, state.originalId]) },
  );
  const ids = new Set([...states.map((state) => state.id), ...changes.map((change) => change.id)]);
  for (const id of [...ids].slice(0, MAX_TOLD)) {
    await publish(db, {
      clientId,
      type: 'finding.changed',
      data: { finding_id: id, repository_id: repositoryId },
    });
  }
};

/** Findings that browsers hear of after one decision. */
const MAX_TOLD = 50;

const nameOf = (state: State): string => `${state.title} (${state.tool})`;

/** Says that a finding is no duplicate, and has none. Holds over re-imports, until taken back or joined. @throws finding_not_found, conflict */
const splitFinding = async (db: Db, decision: Decision): Promise<void> => {
  const { clientId, actor, id } = decision;
  const [state] = await readStates(db, decision, [id]);
  if (state === undefined) return;
  if (state.originalId === id && !state.hasDuplicates) {
    throw new AppError('conflict', 'No other result counts as the same as this finding, so there is nothing to split.');
  }
  const reason = reasonOf(decision);
  await writeTie(db, { clientId, id, otherId: id, repositoryId: state.repositoryId, actor, reason });
  await writeTieEvent(db, { clientId, id, kind: 'split', actor, from: null, to: 'split', reason });
  await markAnew(db, decision, [state]);
};

/** @throws finding_not_found, conflict */
const undoSplit = async (db: Db, decision: Decision): Promise<void> => {
  const { clientId, actor, id } = decision;
  const [state] = await readStates(db, decision, [id]);
  if (state === undefined) return;
  if (!(await dropTie(db, { clientId, id, otherId: id }))) {
    throw new AppError('conflict', 'Nobody has split this finding from others.');
  }
  await writeTieEvent(db, { clientId, id, kind: 'split', actor, from: 'split', to: null, reason: null });
  await markAnew(db, decision, [state]);
};

/** Says that two findings are the same. Holds over re-imports, until taken back or split. @throws finding_not_found, conflict */
const joinFindings = async (db: Db, decision: Decision & { otherId: string }): Promise<void> => {
  const { clientId, actor, id, otherId } = decision;
  if (id === otherId) throw new AppError('conflict', 'A finding is the same as itself already. Name another one.');
  const [one, other] = await readStates(db, decision, [id, otherId]);
  if (one === undefined || other === undefined) return;
  if (one.repositoryId !== other.repositoryId) {
    throw new AppError('conflict', 'Only findings of one application can be joined.');
  }
  if (!(one.isOpen && other.isOpen)) {
    throw new AppError('conflict', 'One of the two is closed. Only what is still reported can be joined.');
  }
  if (one.originalId === other.originalId) {
    throw new AppError('conflict', 'The two count as the same already.');
  }
  const reason = reasonOf(decision);
  await dropTie(db, { clientId, id: otherId, otherId: id });
  await writeTie(db, { clientId, id, otherId, repositoryId: one.repositoryId, actor, reason });
  await writeTieEvent(db, { clientId, id, kind: 'joined', actor, from: null, to: nameOf(other), reason });
  await writeTieEvent(db, { clientId, id: otherId, kind: 'joined', actor, from: null, to: nameOf(one), reason });
  await markAnew(db, decision, [one, other]);
};

/** @throws finding_not_found, conflict */
const undoJoin = async (db: Db, decision: Decision & { otherId: string }): Promise<void> => {
  const { clientId, actor, id, otherId } = decision;
  const [one, other] = await readStates(db, decision, [id, otherId]);
  if (one === undefined || other === undefined) return;
  if (id === otherId || !(await dropTie(db, { clientId, id, otherId }))) {
    throw new AppError('conflict', 'Nobody has joined these two findings.');
  }
  await writeTieEvent(db, { clientId, id, kind: 'joined', actor, from: nameOf(other), to: null, reason: null });
  await writeTieEvent(db, { clientId, id: otherId, kind: 'joined', actor, from: nameOf(one), to: null, reason: null });
  await markAnew(db, decision, [one, other]);
};

/** What the routes of findings call. */
export const SAME_ISSUE: SameIssueDecisions = { splitFinding, undoSplit, joinFindings, undoJoin };
