import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { type ErasedPerson, mentions, onePage, type PersonalData, withoutMentions } from '../personal-data.ts';
import './outbox.ts';

const subject = sql.ref('subject');

/** Mails to others that name the person. */
const eraseMentions = (db: Db, person: ErasedPerson) =>
  sql`
    update mails set subject = ${withoutMentions(subject, person)},
      content = case when content ? 'paragraphs' then jsonb_set(content, '{paragraphs}', (
        select coalesce(jsonb_agg(${withoutMentions(sql.ref('paragraph'), person)} order by place), '[]')
        from jsonb_array_elements_text(content -> 'paragraphs') with ordinality paragraphs (paragraph, place))) else content end
    where client_id = ${person.clientId} and (${mentions(subject, person)} or ${mentions(sql.ref('content'), person)})`.execute(
    db,
  );

/**
 * Mails to the person, sent or not: also those of the time before they belonged to an organisation, which only work outside of one sees.
 * Index: none; the table holds few days.
 */
const eraseReceived = async (db: Db, { email }: ErasedPerson): Promise<void> => {
  await sql`select set_config('app.identity', 'on', true)`.execute(db);
  await sql`delete from mails where lower(recipient) = ${email.toLowerCase()}`.execute(db);
  await sql`select set_config('app.identity', '', true)`.execute(db);
};

/** The outbox: what was sent to a person, and what names them. */
export const mailPersonalData: PersonalData = {
  records: [
    onePage('mails', (db, { clientId, email }) =>
      db
        .selectFrom('mails')
        .select(['subject', 'status', 'created_at', 'sent_at'])
        .where('client_id', '=', clientId)
        .where(sql<string>`lower(recipient)`, '=', email.toLowerCase())
        .orderBy('id')
        .limit(10_000)
        .execute(),
    ),
  ],
  erase: async (db, person) => {
    await eraseReceived(db, person);
    await eraseMentions(db, person);
  },
};
