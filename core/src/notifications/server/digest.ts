import { Type } from 'typebox';
import { type Sentence, say, sayCount } from '../../platform/model/sentence.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { defineJob } from '../../platform/server/jobs/define-job.ts';
import { readerColumns } from '../../platform/server/languages.ts';
import { queueMail } from '../../platform/server/mail/outbox.ts';
import './tables.ts';

/** Lines of one mail; the list itself has them all. */
const MAX_LINES = 50;

interface Person {
  client_id: string;
  user_id: string;
}

type Period = 'day' | 'week';

/** Who has something to be mailed. Index: notifications_digest. */
const findDue = (db: Db, period: Period): Promise<Person[]> =>
  db
    .selectFrom('notifications')
    .select(['client_id', 'user_id'])
    .distinct()
    .where('is_digest_due', '=', true)
    .where('is_weekly', '=', period === 'week')
    .orderBy('client_id')
    .orderBy('user_id')
    .execute();

const subjectOf = (period: Period, count: number): Sentence =>
  period === 'day'
    ? sayCount(count, '{count} notification of the day', '{count} notifications of the day')
    : sayCount(count, '{count} notification of the week', '{count} notifications of the week');

/** One mail with all that is due, in one transaction: of two processes that come to it one finds it. @returns how many notices. */
const sendDigest = async (db: Db, { client_id, user_id }: Person, period: Period): Promise<number> => {
  const rows = await db
    .updateTable('notifications')
    .set({ is_digest_due: false })
    .where('client_id', '=', client_id)
    .where('user_id', '=', user_id)
    .where('is_digest_due', '=', true)
    .where('is_weekly', '=', period === 'week')
    .returning(['title', 'said', 'date', 'id'])
    .execute();
  await db
    .deleteFrom('notifications')
    .where('client_id', '=', client_id)
    .where('user_id', '=', user_id)
    .where('is_shown', '=', false)
    .where('is_digest_due', '=', false)
    .execute();
  const person = await db
    .selectFrom('users')
    .select('email')
    .select(readerColumns)
    .where('client_id', '=', client_id)
    .where('id', '=', user_id)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (rows.length === 0 || person === undefined) return 0;
  const titles: Sentence[] = rows
    .sort((a, b) => a.date.getTime() - b.date.getTime())
    .map(({ title, said }) => said?.title ?? { text: title });
  const more = titles.length - MAX_LINES;
  await queueMail(db, {
    clientId: client_id,
    to: person.email,
    reader: person,
    subject: subjectOf(period, titles.length),
    paragraphs: [...titles.slice(0, MAX_LINES), ...(more > 0 ? [say('And {more} more.', { more })] : [])],
    link: { label: say('All notifications'), path: '/notifications?status=all' },
  });
  return rows.length;
};

/** Mails what people want to hear of once a day or once a week. Safe in several processes. @returns how many notices were mailed. */
export const sendDigests = async (database: DatabaseHandle, period: Period): Promise<number> => {
  let count = 0;
  for (const person of await database.forIdentity((db) => findDue(db, period))) {
    count += await database.forClient(person.client_id, (db) => sendDigest(db, person, period));
  }
  return count;
};

export const sendDailyDigests = defineJob({
  name: 'notifications.send-digests',
  input: Type.Object({}),
  retry: { limit: 5 },
  schedule: { cron: '10 6 * * *' },
  run: ({ database }: { database: DatabaseHandle }) => sendDigests(database, 'day'),
});

/** Monday morning (UTC). */
export const sendWeeklyDigests = defineJob({
  name: 'notifications.send-weekly-digests',
  input: Type.Object({}),
  retry: { limit: 5 },
  schedule: { cron: '20 6 * * 1' },
  run: ({ database }: { database: DatabaseHandle }) => sendDigests(database, 'week'),
});
