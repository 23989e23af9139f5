import { sql } from 'kysely';
import { Type } from 'typebox';
import { rolesWith } from '../../platform/model/permissions.ts';
import { say } from '../../platform/model/sentence.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { defineJob } from '../../platform/server/jobs/define-job.ts';
import { readerColumns } from '../../platform/server/languages.ts';
import { queueMail } from '../../platform/server/mail/outbox.ts';
import './tables.ts';

/** Days after the set-up of an account without a repository. */
const REMIND_AFTER_DAYS = 3;

const findWaiting = (db: Db) =>
  db
    .selectFrom('clients')
    .select('id')
    .where('reminder_sent_at', 'is', null)
    .where('account_setup_at', '<', sql<Date>`now() - make_interval(days => ${REMIND_AFTER_DAYS})`)
    .orderBy('id')
    .execute();

/** Of two processes one writes the mark, and the mails with it. @returns how many mails. */
const remindClient = async (db: Db, clientId: string): Promise<number> => {
  const begun = await db.selectFrom('repositories').select('id').where('client_id', '=', clientId).limit(1).execute();
  if (begun.length > 0) return 0;
  const client = await db
    .updateTable('clients')
    .set({ reminder_sent_at: sql`now()` })
    .where('id', '=', clientId)
    .where('reminder_sent_at', 'is', null)
    .returning('organization_name')
    .executeTakeFirst();
  if (client === undefined) return 0;
  const admins = await db
    .selectFrom('users')
    .select('email')
    .select(readerColumns)
    .where('client_id', '=', clientId)
    .where('status', '=', 'active')
    .where('role', 'in', rolesWith('team.manage'))
    .orderBy('id')
    .execute();
  for (const { email, ...reader } of admins) {
    await queueMail(db, {
      clientId,
      to: email,
      reader,
      subject: say('{organization} has no findings yet', { organization: client.organization_name }),
      paragraphs: [
        say(
          'The account is set up, but nothing has been imported. Connect source control, or drop a report of any scanner you have.',
        ),
        say('This is the only reminder.'),
      ],
      link: { label: say('Begin'), path: '/' },
    });
  }
  return admins.length;
};

/** Reminds the admins of organisations that were set up some days ago and hold no repository, once. @returns how many mails. */
export const remindOfSetUp = async (database: DatabaseHandle): Promise<number> => {
  let count = 0;
  for (const { id } of await database.forIdentity(findWaiting)) {
    count += await database.forClient(id, (db) => remindClient(db, id));
  }
  return count;
};

export const remindAdmins = defineJob({
  name: 'clients.remind-admins',
  input: Type.Object({}),
  retry: { limit: 5 },
  schedule: { cron: '40 7 * * *' },
  run: ({ database }: { database: DatabaseHandle }) => remindOfSetUp(database),
});
