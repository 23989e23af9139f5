import { onePage, type PersonalData } from '../../platform/server/personal-data.ts';
import './tables.ts';

/**
 * Who a member is at the identity provider, and what it says of them. Both go with the account: whoever the provider still assigns gets a
 * new one at the next sign-in or synchronisation.
 */
export const singleSignOnPersonalData: PersonalData = {
  records: [
    onePage('single_sign_on', (db, { clientId, userId }) =>
      db
        .selectFrom('single_sign_on_identities')
        .select(['issuer', 'subject', 'created_at', 'last_used_at'])
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .orderBy('issuer')
        .orderBy('subject')
        .limit(1000)
        .execute(),
    ),
    onePage('provisioned_by_identity_provider', (db, { clientId, userId }) =>
      db
        .selectFrom('provisioned_users')
        .select(['user_name', 'external_id', 'email', 'document', 'updated_at'])
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .execute(),
    ),
    onePage('groups', (db, { clientId, userId }) =>
      db
        .selectFrom('provisioned_group_members as m')
        .innerJoin('provisioned_groups as g', (join) =>
          join.onRef('g.client_id', '=', 'm.client_id').onRef('g.id', '=', 'm.group_id'),
        )
        .select('g.display_name as name')
        .where('m.client_id', '=', clientId)
        .where('m.user_id', '=', userId)
        .orderBy('g.id')
        .limit(1000)
        .execute(),
    ),
  ],
  erase: async (db, { clientId, userId }) => {
    for (const table of ['single_sign_on_identities', 'provisioned_users', 'provisioned_group_members'] as const) {
      await db.deleteFrom(table).where('client_id', '=', clientId).where('user_id', '=', userId).execute();
    }
  },
};
