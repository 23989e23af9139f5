import { sql } from 'kysely';
import { FORMER_MEMBER } from '../../platform/model/former-member.ts';
import type { Db } from '../../platform/server/database.ts';
import {
  type ErasedPerson,
  mentions,
  nextOf,
  onePage,
  type PersonalData,
  withoutMentions,
} from '../../platform/server/personal-data.ts';
import './tables.ts';

const BATCH = 1000;
const title = sql.ref('title');
const message = sql.ref('message');

/**
 * Names stand as whole values of a stored sentence, `"username": "Tom"`, never as its keys: what stands behind a colon is replaced. The
 * names are those of a JSON text.
 */
const withoutSaidNames = ({ names }: ErasedPerson) => {
  const quoted = names.map((name) => JSON.stringify(name).replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&'));
  return sql`regexp_replace(said::text, ${`(?<=: )(${quoted.join('|')})`}, ${JSON.stringify(FORMER_MEMBER)}, 'gi')::jsonb`;
};

/** Notices and messages to others that name the person. */
const eraseMentions = async (db: Db, person: ErasedPerson): Promise<void> => {
  const { clientId } = person;
  const isMentioned = sql`(${mentions(title, person)} or ${mentions(message, person)})`;
  const texts = sql`title = ${withoutMentions(title, person)}, message = ${withoutMentions(message, person)}`;
  await sql`update notifications set ${texts}, said = ${withoutSaidNames(person)} where client_id = ${clientId} and ${isMentioned}`.execute(
    db,
  );
  await sql`update channel_messages set ${texts} where client_id = ${clientId} and ${isMentioned}`.execute(db);
};

/** What a person was told, and what they chose to be told. */
export const notificationPersonalData: PersonalData = {
  records: [
    onePage('notification_settings', (db, { clientId, userId }) =>
      db
        .selectFrom('notification_preferences')
        .select(['notification_type', 'in_app', 'email'])
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .orderBy('notification_type')
        .limit(1000)
        .execute(),
    ),
    {
      name: 'notifications',
      read: async (db, { clientId, userId }, after) => {
        // index: notifications_of_user
        let rows = db.selectFrom('notifications').where('client_id', '=', clientId).where('user_id', '=', userId);
        if (after !== undefined) rows = rows.where('id', '<', after);
        const records = await rows
          .select(['id', 'date', 'notification_type', 'title', 'message', 'status'])
          .orderBy('id', 'desc')
          .limit(BATCH)
          .execute();
        return { records, next: nextOf(records, BATCH, ({ id }) => id) };
      },
    },
  ],
  erase: async (db, person) => {
    const { clientId, userId } = person;
    for (const table of ['notifications', 'notification_preferences'] as const) {
      await db.deleteFrom(table).where('client_id', '=', clientId).where('user_id', '=', userId).execute();
    }
    await eraseMentions(db, person);
  },
};
