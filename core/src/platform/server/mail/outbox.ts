import { type Generated, type JSONColumnType, sql } from 'kysely';
import { AppError } from '../../model/app-error.ts';
import { msg } from '../../model/message.ts';
import type { Sentence } from '../../model/sentence.ts';
import { visibleText } from '../../model/visible-text.ts';
import type { Db } from '../database.ts';
import { type Reader, translatorFor } from '../languages.ts';

/** What stands in a mail; plain text throughout. */
export interface MailContent {
  paragraphs: string[];
  /** A button, and the same address as text. `path` begins with a slash: the origin is the installation's own. */
  link?: { label: string; path: string };
}

interface MailsTable {
  /** Null: the address belongs to no organisation yet. */
  client_id: string | null;
  id: Generated<string>;
  recipient: string;
  subject: string;
  /** Null once a secret mail has been sent or has ended. */
  content: JSONColumnType<MailContent> | null;
  is_secret: boolean;
  status: Generated<'queued' | 'sent' | 'failed' | 'expired'>;
  attempts: Generated<number>;
  due_at: Generated<Date>;
  expires_at: Date;
  created_at: Generated<Date>;
  sent_at: Date | null;
  last_error: string | null;
}

declare module '../database.ts' {
  interface Database {
    mails: MailsTable;
  }
}

export interface NewMail {
  /** Nobody's yet: null, in a transaction of `forIdentity`. */
  clientId: string | null;
  /** One address. */
  to: string;
  /** Whose language it is written in; of somebody who has no account what their browser, or who writes to them, prefers. */
  reader: Reader;
  subject: Sentence;
  paragraphs: readonly Sentence[];
  /** A button, and the same address as text. `path` begins with a slash. */
  link?: { label: Sentence; path: string };
  /** The link opens an account: the outbox shows it to its recipient alone, and it is deleted once it is sent. */
  isSecret?: boolean;
  /** How long sending it makes sense; 3 days unless said. */
  lifeSeconds?: number;
}

const LIFE_SECONDS = 3 * 24 * 3600;
const MAX_SUBJECT = 200;
/** One address without a name: nothing that could begin another one or another header. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u;

/** Whether mail can be sent there. */
export const isMailAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text);

/** Names of people and organisations stand in it: none may end the line or turn its direction. */
const subjectLine = (text: string): string =>
  visibleText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()).slice(0, MAX_SUBJECT);

/**
 * Writes a mail in the caller's transaction: it is sent when that commits, and only then. Without a mail server it stays in the outbox.
 * @throws validation_failed for what is no address.
 */
export const queueMail = async (db: Db, mail: NewMail): Promise<void> => {
  const recipient = mail.to.trim();
  if (!isMailAddress(recipient)) {
    const issues = [{ loc: ['body', 'email'], msg: msg('Give one e-mail address.'), type: 'format' }];
    throw new AppError('validation_failed', msg('Give one e-mail address.'), { issues });
  }
  const { link } = mail;
  if (link !== undefined && !/^\/(?!\/)/.test(link.path)) throw new Error('The link of a mail is a path of ours.');
  // PostgreSQL stores no NUL
  const translator = translatorFor(mail.reader);
  const written = (sentence: Sentence): string => visibleText(translator.say(sentence).replaceAll('\0', ''));
  const paragraphs = mail.paragraphs.map(written);
  const content: MailContent = { paragraphs };
  if (link !== undefined) content.link = { ...link, label: written(link.label) };
  await db
    .insertInto('mails')
    .values({
      client_id: mail.clientId,
      recipient,
      subject: subjectLine(translator.say(mail.subject)),
      content: JSON.stringify(content),
      is_secret: mail.isSecret ?? false,
      expires_at: sql`now() + make_interval(secs => ${mail.lifeSeconds ?? LIFE_SECONDS})`,
    })
    .execute();
};

/** Mails of all organisations that wait, and those that were given up in the last day. In `forIdentity`. */
export const readMailBacklog = (db: Db): Promise<{ waiting: number; failed: number }> =>
  db
    .selectFrom('mails')
    .select([
      sql<number>`count(*) filter (where status = 'queued')::integer`.as('waiting'),
      sql<number>`count(*) filter (where status = 'failed' and created_at > now() - interval '1 day')::integer`.as(
        'failed',
      ),
    ])
    .executeTakeFirstOrThrow();
