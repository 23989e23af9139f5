import { FORMER_MEMBER } from '../../platform/model/former-member.ts';
import { onePage, type PersonalData } from '../../platform/server/personal-data.ts';
import './connection/tables.ts';

/** What a person did to connections and switches: it stays, without their name. Sign-ins that they began at services end. */
export const connectorPersonalData: PersonalData = {
  records: [
    onePage('connection_history', (db, { clientId, userId }) =>
      db
        .selectFrom('connection_history')
        .select(['at', 'connector_id', 'event', 'from_state', 'to_state'])
        .where('client_id', '=', clientId)
        .where('actor', '=', userId)
        .orderBy('id')
        .limit(10_000)
        .execute(),
    ),
  ],
  erase: async (db, { clientId, userId }) => {
    await db
      .updateTable('connection_history')
      .set({ actor_name: FORMER_MEMBER })
      .where('client_id', '=', clientId)
      .where('actor', '=', userId)
      .execute();
    await db
      .updateTable('connector_switches')
      .set({ actor_name: FORMER_MEMBER })
      .where('client_id', '=', clientId)
      .where('actor', '=', userId)
      .execute();
    await db.deleteFrom('oauth_states').where('client_id', '=', clientId).where('user_id', '=', userId).execute();
  },
};
