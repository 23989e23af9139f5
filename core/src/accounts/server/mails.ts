import { say } from '../../platform/model/sentence.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Reader } from '../../platform/server/languages.ts';
import { queueMail } from '../../platform/server/mail/outbox.ts';
import { readReader } from '../../session/server/index.ts';
import { issueLink, REGISTER_SECONDS, RESET_SECONDS } from './links.ts';

const IGNORE = say('If you did not ask for this, do nothing: without the link nothing changes.');

/** The link that verifies a registration. */
export const mailRegistration = async (
  db: Db,
  to: { email: string; organizationName: string; reader: Reader },
): Promise<void> => {
  const token = await issueLink(db, {
    purpose: 'register',
    user: null,
    lifeSeconds: REGISTER_SECONDS,
    email: to.email,
    organizationName: to.organizationName,
  });
  await queueMail(db, {
    clientId: null,
    to: to.email,
    reader: to.reader,
    subject: say('Verify your registration at Breakwater'),
    paragraphs: [
      say('You asked for an account for {organization}. Open the link to choose a username and a password.', {
        organization: to.organizationName,
      }),
      say('The link works once, within 72 hours.'),
      IGNORE,
    ],
    link: { label: say('Verify and finish'), path: `/verify-register/${token}` },
    isSecret: true,
    lifeSeconds: REGISTER_SECONDS,
  });
};

/** The owner of the address hears that somebody wanted to register with it; who asked sees no difference. */
export const mailAlreadyRegistered = async (db: Db, user: { clientId: string; email: string }): Promise<void> => {
  await issueLink(db, { purpose: 'unknown', user: null, email: user.email, lifeSeconds: 0 });
  await queueMail(db, {
    clientId: user.clientId,
    to: user.email,
    reader: await readReader(db, user.email),
    subject: say('You have an account at Breakwater'),
    paragraphs: [
      say(
        'Somebody asked for a new account with this address, but it has one already. Sign in, or choose a new password if you have forgotten yours.',
      ),
      say('If that was not you, do nothing.'),
    ],
    link: { label: say('Sign in'), path: '/login' },
  });
};

/**
 * The link that sets a new password. For an address that nobody has, as much is written and nothing is sent, so that the answer takes as
 * long.
 */
export const mailPasswordReset = async (
  db: Db,
  email: string,
  user: { clientId: string; userId: string; email: string } | undefined,
): Promise<void> => {
  const isKnown = user !== undefined;
  const lifeSeconds = isKnown ? RESET_SECONDS : 0;
  const to = user?.email ?? email;
  const token = await issueLink(db, {
    purpose: isKnown ? 'reset' : 'unknown',
    user: user ?? null,
    email: to,
    lifeSeconds,
  });
  await queueMail(db, {
    clientId: user?.clientId ?? null,
    to,
    reader: await readReader(db, to),
    subject: say('Choose a new password for Breakwater'),
    paragraphs: [
      say('Somebody asked for a new password for this address.'),
      say('The link works once, within an hour.'),
      IGNORE,
    ],
    link: { label: say('Choose a new password'), path: `/reset-password?token=${token}` },
    isSecret: true,
    lifeSeconds,
  });
};

/** Tells the owner of an account that its password is another one now. */
export const mailPasswordChanged = async (db: Db, user: { clientId: string; email: string }): Promise<void> => {
  await queueMail(db, {
    clientId: user.clientId,
    to: user.email,
    reader: await readReader(db, user.email),
    subject: say('Your password was changed'),
    paragraphs: [
      say('The password of your Breakwater account was changed, and every session has ended.'),
      say('If that was not you, choose a new password at once and tell an admin of your organisation.'),
    ],
    link: { label: say('Sign in'), path: '/login' },
  });
};
