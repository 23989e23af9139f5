import { sql } from 'kysely';
import { onePage, type PersonalData } from '../../platform/server/personal-data.ts';
import './tables.ts';

/** To which organisation a person belongs, and invitations of their address that are open. */
export const teamPersonalData: PersonalData = {
  records: [
    onePage('memberships', (db, { clientId, userId }) =>
      db
        .selectFrom('users')
        .innerJoin('clients', 'clients.id', 'users.client_id')
        .select(['clients.organization_name as organization', 'users.role', 'users.created_at as since'])
        .where('users.client_id', '=', clientId)
        .where('users.id', '=', userId)
        .execute(),
    ),
  ],
  erase: async (db, { clientId, email }) => {
    await db
      .deleteFrom('invitations')
      .where('client_id', '=', clientId)
      .where(sql<string>`lower(email)`, '=', email.toLowerCase())
      .execute();
  },
};
