import { sql } from 'kysely';
import { Type } from 'typebox';
import type { DatabaseHandle, Db } from '../database.ts';
import { defineJob } from '../jobs/define-job.ts';
import { type MailSender, RefusedMail } from './mail-sender.ts';
import type { MailContent } from './outbox.ts';

/** Waits after failed tries, in seconds; then the mail is given up. */
const RETRY_SECONDS = [60, 300, 1800, 7200, 28_800];
/** While a mail is being sent no other process takes it; longer than any try lasts (`mail-sender.ts`). */
const LEASE_SECONDS = 300;
const BATCH = 20;
const KEPT_DAYS = 30;

interface ClaimedMail {
  id: string;
  recipient: string;
  subject: string;
  content: MailContent;
  attempts: number;
}

/** Takes mails that are due, for this process alone. Index: mails_due. */
const claim = async (db: Db): Promise<ClaimedMail[]> => {
  const { rows } = await sql<ClaimedMail>`
    update mails set attempts = attempts + 1, due_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where id in (
      select id from mails where status = 'queued' and due_at <= now() and expires_at > now()
      order by due_at, id limit ${BATCH} for update skip locked)
    returning id, recipient, subject, content, attempts`.execute(db);
  return rows;
};

const markSent = (db: Db, id: string) =>
  sql`
  update mails set status = 'sent', sent_at = now(), last_error = null,
    content = case when is_secret then null else content end
  where id = ${id} and status = 'queued'`.execute(db);

const markFailed = (db: Db, id: string, failure: { reason: string; retryAfterSeconds: number | undefined }) =>
  sql`
  update mails set last_error = ${failure.reason},
    status = ${failure.retryAfterSeconds === undefined ? 'failed' : 'queued'},
    due_at = now() + make_interval(secs => ${failure.retryAfterSeconds ?? 0}),
    content = case when is_secret and ${failure.retryAfterSeconds === undefined} then null else content end
  where id = ${id} and status = 'queued'`.execute(db);

/** Mails whose time is over are not sent any more; their secrets and, after a month, the rows go. Indexes: mails_ending, mails_oldest. */
const expireMails = async (db: Db): Promise<void> => {
  await sql`
    update mails set status = 'expired', content = case when is_secret then null else content end
    where status = 'queued' and expires_at <= now()`.execute(db);
  await sql`delete from mails where created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
};

interface MailJobRun {
  database: DatabaseHandle;
  mailSender: MailSender | undefined;
  log: { info(data: object, text: string): void; warn(data: object, text: string): void };
}

const sendOne = async ({ database, log }: MailJobRun, sender: MailSender, mail: ClaimedMail): Promise<boolean> => {
  try {
    await sender.send(mail);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    const retryAfterSeconds = error instanceof RefusedMail ? undefined : RETRY_SECONDS[mail.attempts - 1];
    await database.forIdentity((db) => markFailed(db, mail.id, { reason, retryAfterSeconds }));
    log.warn({ mail_id: mail.id, attempt: mail.attempts, reason }, 'a mail could not be sent');
    return false;
  }
  await database.forIdentity((db) => markSent(db, mail.id));
  return true;
};

/**
 * Sends what is due; safe in several processes. A process killed between sending and writing it down sends a mail twice, under the same
 * Message-ID. @returns how many were sent.
 */
export const sendQueuedMails = async (run: MailJobRun): Promise<number> => {
  await run.database.forIdentity(expireMails);
  const { mailSender } = run;
  if (mailSender === undefined) return 0;
  let count = 0;
  for (;;) {
    const mails = await run.database.forIdentity(claim);
    for (const mail of mails) if (await sendOne(run, mailSender, mail)) count += 1;
    if (mails.length < BATCH) return count;
  }
};

/** What the mail job may ask for. */
export interface MailJobDeps {
  /** Nothing: mail stays in the outbox. */
  mailSender: MailSender | undefined;
}

export const sendMails = defineJob({
  name: 'platform.send-mails',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 5 },
  run: (deps: MailJobRun) => sendQueuedMails(deps),
});
