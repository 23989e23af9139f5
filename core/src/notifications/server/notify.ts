import type { Severity } from '@breakwater/sdk';
import { sql } from 'kysely';
import { type Permission, rolesWith } from '../../platform/model/permissions.ts';
import { type Sentence, say } from '../../platform/model/sentence.ts';
import { ENGLISH } from '../../platform/model/translator.ts';
import type { Db } from '../../platform/server/database.ts';
import { publish } from '../../platform/server/events.ts';
import { type Reader, readerColumns } from '../../platform/server/languages.ts';
import { queueMail } from '../../platform/server/mail/outbox.ts';
import {
  type Channels,
  DEFAULT_CHANNELS,
  isDigest,
  isInnerLink,
  type NotificationType,
} from '../model/notification-types.ts';
import { queueChannelMessages } from './channels/queue-messages.ts';
import { readSaid, shownSentence } from './said-notice.ts';
import './tables.ts';

export interface Notice {
  clientId: string;
  type: NotificationType;
  /** A text is what a person wrote; what the server says is a sentence, which each reader gets in their language. */
  title: Sentence | string;
  message?: Sentence | string;
  /** Path inside the application, such as `/findings`. */
  link?: string;
  /** Who is told: named users, or all active users with the permission. */
  to: { userIds: readonly string[] } | { permission: Permission };
  /** The highest severity that it tells of. */
  severity?: Severity;
  /**
   * What channels of the organisation say instead, where the title speaks to the recipients ("assigned to you"), by their names; null: nothing, because
   * another notice tells it there.
   */
  channelTitle?: ((names: readonly string[]) => Sentence) | null;
}

interface Recipient extends Channels, Reader {
  id: string;
  address: string;
  username: string;
}

/** Active users that the notice is for, with what they chose for its type. Unknown ids and those of other clients fall away. */
const recipients = async (db: Db, notice: Notice): Promise<Recipient[]> => {
  const active = db
    .selectFrom('users')
    .leftJoin('notification_preferences as p', (join) =>
      join
        .onRef('p.client_id', '=', 'users.client_id')
        .onRef('p.user_id', '=', 'users.id')
        .on('p.notification_type', '=', notice.type),
    )
    .select(['users.id', 'users.email as address', 'users.username'])
    .select(readerColumns)
    .select(sql<boolean>`coalesce(p.in_app, ${DEFAULT_CHANNELS.in_app})`.as('in_app'))
    .select(sql<Channels['email']>`coalesce(p.email, ${DEFAULT_CHANNELS.email})`.as('email'))
    .where('users.client_id', '=', notice.clientId)
    .where('users.status', '=', 'active');
  const wanted =
    'permission' in notice.to
      ? active.where('users.role', 'in', rolesWith(notice.to.permission))
      : active.where('users.id', 'in', [...notice.to.userIds]);
  return wanted.execute();
};

/** Tells the open pages of people that their notifications changed. */
export const publishChange = (db: Db, { clientId, userId }: { clientId: string; userId: string }): Promise<void> =>
  publish(db, { clientId, type: 'notification.changed', data: {}, audience: { userIds: [userId] } });

/**
 * Leaves a notice for each recipient by the channels they chose, and one for each channel of the organisation, whoever the recipients are; tells
 * open browsers, once the surrounding transaction commits.
 * @returns how many it was for.
 */
export const notify = async (db: Db, notice: Notice): Promise<number> => {
  const isForNobody = 'userIds' in notice.to && notice.to.userIds.length === 0;
  const people = isForNobody ? [] : await recipients(db, notice);
  const reached = people.filter(({ in_app, email }) => in_app || isDigest(email));
  const said = readSaid(notice);
  const [title, message] = [ENGLISH.say(said.title), said.message === undefined ? '' : ENGLISH.say(said.message)];
  const { clientId, type, severity = null, link, channelTitle } = notice;
  if (channelTitle !== null) {
    const told =
      channelTitle === undefined ? said.title : shownSentence(channelTitle(people.map(({ username }) => username)));
    await queueChannelMessages(db, { clientId, type, title: ENGLISH.say(told), message, severity, link });
  }
  if (reached.length > 0) {
    await db
      .insertInto('notifications')
      .values(
        reached.map(({ id, in_app, email }) => ({
          client_id: notice.clientId,
          user_id: id,
          notification_type: notice.type,
          title,
          message,
          said: typeof notice.title === 'string' ? null : JSON.stringify(said),
          link: notice.link ?? null,
          is_shown: in_app,
          is_digest_due: isDigest(email),
          is_weekly: email === 'weekly',
        })),
      )
      .execute();
  }
  for (const { address, ...reader } of people.filter(({ email }) => email === 'immediate')) {
    await queueMail(db, {
      clientId: notice.clientId,
      to: address,
      reader,
      subject: said.title,
      paragraphs: [message === '' ? said.title : (said.message ?? said.title)],
      link: {
        label: say('Open it'),
        path: isInnerLink(notice.link ?? '') ? (notice.link ?? '/notifications') : '/notifications',
      },
    });
  }
  const userIds = people.filter(({ in_app }) => in_app).map(({ id }) => id);
  if (userIds.length > 0) {
    const data = { notification_type: notice.type, title };
    await publish(db, { clientId: notice.clientId, type: 'notification.created', data, audience: { userIds } });
  }
  return people.length;
};
