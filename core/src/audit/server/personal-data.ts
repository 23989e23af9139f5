import { nextOf, type PersonalData } from '../../platform/server/personal-data.ts';

const BATCH = 1000;

/** Entries that a person caused. Their name is taken out of the log by `erase_from_audit_log`, which the deletion of an account begins with. */
export const auditPersonalData: PersonalData = {
  records: [
    {
      name: 'audit_entries',
      read: async (db, { clientId, userId }, after) => {
        // index: audit_entries_actor
        let rows = db.selectFrom('audit_entries').where('client_id', '=', clientId).where('actor_id', '=', userId);
        if (after !== undefined) rows = rows.where('id', '<', after);
        const records = await rows
          .select(['id', 'at', 'kind', 'address', 'agent', 'subject', 'details'])
          .orderBy('id', 'desc')
          .limit(BATCH)
          .execute();
        return { records, next: nextOf(records, BATCH, ({ id }) => id) };
      },
    },
  ],
};
