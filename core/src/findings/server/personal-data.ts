import { sql } from 'kysely';
import { nextOf, onePage, type PersonalData } from '../../platform/server/personal-data.ts';
import './tables.ts';

const BATCH = 1000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** What a person decided and wrote about findings stays: others go by it. How they looked at the list goes. Shared views stay, handed over or not. */
export const findingPersonalData: PersonalData = {
  records: [
    onePage('saved_views', (db, { clientId, userId }) =>
      db
        .selectFrom('saved_finding_filters')
        .select(['name', 'scope', 'filters', 'is_shared'])
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .orderBy('id')
        .limit(10_000)
        .execute(),
    ),
    onePage('list_settings', (db, { clientId, userId }) =>
      db
        .selectFrom('finding_view_settings')
        .select(['columns', 'widths', 'use_saved_filter'])
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .execute(),
    ),
    {
      name: 'decisions_and_comments',
      read: async (db, { clientId, userId }, after) => {
        const [finding = FIRST, event = FIRST] = after?.split(' ') ?? [];
        // walks the primary key; index finding_events_by_people leaves out what nobody did
        const rows = await db
          .selectFrom('finding_events')
          .select(['finding_id', 'id', 'at', 'kind', 'from_value as from', 'to_value as to', 'reason as comment'])
          .where('client_id', '=', clientId)
          .where('actor', '=', userId)
          .where(sql<boolean>`(finding_id, id) > (${finding}::uuid, ${event}::uuid)`)
          .orderBy('finding_id')
          .orderBy('id')
          .limit(BATCH)
          .execute();
        return { records: rows, next: nextOf(rows, BATCH, (row) => `${row.finding_id} ${row.id}`) };
      },
    },
  ],
  erase: async (db, { clientId, userId }) => {
    await db
      .deleteFrom('finding_view_settings')
      .where('client_id', '=', clientId)
      .where('user_id', '=', userId)
      .execute();
  },
};
