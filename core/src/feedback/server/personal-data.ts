import { FORMER_MEMBER } from '../../platform/model/former-member.ts';
import { onePage, type PersonalData } from '../../platform/server/personal-data.ts';
import './tables.ts';

/** What a person asked for. The post stays, because others voted for it. */
export const feedbackPersonalData: PersonalData = {
  records: [
    onePage('feedback', (db, { clientId, userId }) =>
      db
        .selectFrom('feedback_posts')
        .select(['title', 'details', 'status', 'created_at'])
        .where('client_id', '=', clientId)
        .where('author_id', '=', userId)
        .orderBy('id')
        .limit(10_000)
        .execute(),
    ),
  ],
  erase: async (db, { clientId, userId }) => {
    await db
      .updateTable('feedback_posts')
      .set({ author_name: FORMER_MEMBER })
      .where('client_id', '=', clientId)
      .where('author_id', '=', userId)
      .execute();
  },
};
