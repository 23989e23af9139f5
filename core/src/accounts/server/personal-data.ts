import { sql } from 'kysely';
import type { PersonalData } from '../../platform/server/personal-data.ts';
import './links.ts';

/** Mailed links are read by nobody but their owner; those of a deleted account end. */
export const accountPersonalData: PersonalData = {
  records: [],
  erase: async (db, { clientId, userId, email }) => {
    await db
      .deleteFrom('account_links')
      .where('client_id', '=', clientId)
      .where((where) =>
        where.or([where('user_id', '=', userId), where(sql<string>`lower(email)`, '=', email.toLowerCase())]),
      )
      .execute();
  },
};
