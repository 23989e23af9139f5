import { sql } from 'kysely';
import { FORMER_MEMBER } from '../../platform/model/former-member.ts';
import { type ErasedPerson, isNamed, onePage, type PersonalData } from '../../platform/server/personal-data.ts';
import './tables.ts';

const formerIfNamed = (column: 'from_value' | 'to_value', person: ErasedPerson) =>
  sql<string>`case when ${isNamed(sql.ref(column), person)} then ${FORMER_MEMBER} else ${sql.ref(column)} end`;

/** What a person changed of repositories. The history stays; who changed it, and who owned one, is called "Former member". */
export const repositoryPersonalData: PersonalData = {
  records: [
    onePage('repository_changes', (db, { clientId, userId }) =>
      db
        .selectFrom('repository_events')
        .select(['at', 'repository_id', 'field', 'from_value as from', 'to_value as to'])
        .where('client_id', '=', clientId)
        .where('actor', '=', userId)
        .orderBy('id')
        .limit(10_000)
        .execute(),
    ),
  ],
  erase: async (db, person) => {
    const { clientId, userId } = person;
    await db
      .updateTable('repository_events')
      .set({ actor_name: FORMER_MEMBER })
      .where('client_id', '=', clientId)
      .where('actor', '=', userId)
      .execute();
    await db
      .updateTable('repository_events')
      .set({ from_value: formerIfNamed('from_value', person), to_value: formerIfNamed('to_value', person) })
      .where('client_id', '=', clientId)
      .where('field', '=', 'owner')
      .where((where) =>
        where.or(
          [isNamed(sql.ref('from_value'), person), isNamed(sql.ref('to_value'), person)].map((one) =>
            where(one, '=', true),
          ),
        ),
      )
      .execute();
  },
};
