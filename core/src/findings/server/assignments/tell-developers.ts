import { notify } from '../../../notifications/server/index.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { Decided } from '../queries/write-decisions.ts';
import type { Viewer } from '../viewer.ts';

/** Each developer and the findings that are newly theirs. */
const newlySent = (written: readonly Decided[]): Map<string, string[]> => {
  const sent = new Map<string, string[]>();
  for (const { id, next, acts } of written) {
    const act = acts.find((one) => one.kind === 'assigned');
    if (act === undefined) continue;
    const before = act.before.developers ?? [];
    for (const developer of next.developers ?? []) {
      if (before.includes(developer)) continue;
      const own = sent.get(developer);
      if (own === undefined) sent.set(developer, [id]);
      else own.push(id);
    }
  }
  return sent;
};

/** Leaves a notice for each developer who got findings; nobody is told of what they sent themselves. */
export const tellDevelopers = async (db: Db, viewer: Viewer, written: readonly Decided[]): Promise<void> => {
  for (const [developer, ids] of newlySent(written)) {
    if (developer === viewer.userId) continue;
    const [first] = ids;
    const isOne = ids.length === 1;
    await notify(db, {
      clientId: viewer.clientId,
      type: 'finding_assigned',
      title: isOne ? 'A finding was assigned to you' : `${ids.length} findings were assigned to you`,
      link: isOne ? `/findings/all/finding-details/${first}` : '/findings',
      to: { userIds: [developer] },
    });
  }
};
