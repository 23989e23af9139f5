import type { Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';

/**
 * When somebody leaves, the views that they share go to another person; those that nobody gets, or of a name that this person has
 * already, stay with the name of who left, and admins change them. What they kept to themselves is deleted.
 */
export const handOverViews = async (
  db: Db,
  request: { caller: Caller; from: { id: string }; to: string | null },
): Promise<void> => {
  const { caller, from, to } = request;
  const { clientId } = caller;
  await db
    .deleteFrom('saved_finding_filters')
    .where('client_id', '=', clientId)
    .where('user_id', '=', from.id)
    .where('is_shared', '=', false)
    .execute();
  await db.deleteFrom('saved_filter_marks').where('client_id', '=', clientId).where('user_id', '=', from.id).execute();
  if (to === null) return;
  await db
    .updateTable('saved_finding_filters as f')
    .set({ user_id: to })
    .where('f.client_id', '=', clientId)
    .where('f.user_id', '=', from.id)
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('saved_finding_filters as other')
            .select('other.id')
            .whereRef('other.client_id', '=', 'f.client_id')
            .where('other.user_id', '=', to)
            .whereRef('other.scope', '=', 'f.scope')
            .where((inner) => inner(inner.fn('lower', ['other.name']), '=', inner.fn('lower', ['f.name']))),
        ),
      ),
    )
    .execute();
};
