import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Paging } from '../paging.ts';
import type { MailContent } from './outbox.ts';

export interface OutboxRequest {
  clientId: string;
  /** Of the person who looks. */
  email: string;
  paging: Paging;
}

/**
 * The organisation's mails, newest first; what is secret is shown to its recipient alone. A mail is kept for a month, so that they are few.
 * Index: mails_client_id_id_key.
 */
export const listMails = async (db: Db, { clientId, email, paging }: OutboxRequest) => {
  const rows = await db
    .selectFrom('mails')
    .select(['id', 'recipient', 'subject', 'status', 'attempts', 'created_at', 'sent_at', 'last_error'])
    .select(
      sql<MailContent | null>`case when not is_secret or lower(recipient) = ${email.toLowerCase()} then content end`.as(
        'content',
      ),
    )
    .where('client_id', '=', clientId)
    .orderBy('id', 'desc')
    .limit(paging.pageSize)
    .offset(paging.offset)
    .execute();
  const { total } = await db
    .selectFrom('mails')
    .select((of) => of.fn.countAll<number>().as('total'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  return { rows, total };
};
