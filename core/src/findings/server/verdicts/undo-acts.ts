import type { Db } from '../../../platform/server/database.ts';
import { CHANGED_SINCE, judgeUndo } from '../../model/judge-change.ts';
import { readActs, type StoredAct } from '../queries/read-acts.ts';
import type { Viewer } from '../viewer.ts';
import { type Decisions, decide } from './decide.ts';

export interface UndoRequest {
  viewer: Viewer;
  /** The act that is taken back. */
  undone: string;
  ids: readonly string[];
  /** The act of taking it back, which can be taken back itself. */
  changeId: string;
}

/** Takes an act back for some of its findings; what was changed again since is refused. */
export const undoActs = async (db: Db, request: UndoRequest): Promise<Decisions> => {
  const { viewer, undone, ids, changeId } = request;
  const stored = await readActs(db, { clientId: viewer.clientId, changeId: undone, ids });
  const acts = new Map<string, StoredAct[]>();
  for (const act of stored) acts.set(act.finding_id, [...(acts.get(act.finding_id) ?? []), act]);
  return decide(db, {
    viewer,
    ids,
    changeId,
    judge: (now, id) => {
      const own = acts.get(id) ?? [];
      const isOld = own.length === 0 || own.some((act) => !act.is_newest);
      return isOld ? { refused: CHANGED_SINCE } : judgeUndo(now, own);
    },
  });
};
