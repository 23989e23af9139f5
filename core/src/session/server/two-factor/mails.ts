import { say } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';
import { queueMail } from '../../../platform/server/mail/outbox.ts';
import { readReader } from '../reader.ts';

const TEXTS = {
  enabled: say('Two-factor was switched on for your Breakwater account. From now on a sign-in asks for a code too.'),
  disabled: say('Two-factor was switched off for your Breakwater account. From now on the password alone opens it.'),
  reset: say(
    'An admin of your organisation has switched two-factor off for your Breakwater account. You can set it up again with another device.',
  ),
  'reset-by-operator': say(
    'Who runs this Breakwater installation has switched two-factor off for your account. You can set it up again with another device.',
  ),
} as const;

/** Tells the owner of an account what became of their second factor. */
export const mailTwoFactorChanged = async (
  db: Db,
  user: { clientId: string; email: string; change: keyof typeof TEXTS },
): Promise<void> => {
  const reader = await readReader(db, user.email);
  await queueMail(db, {
    clientId: user.clientId,
    to: user.email,
    reader,
    subject: user.change === 'enabled' ? say('Two-factor was switched on') : say('Two-factor was switched off'),
    paragraphs: [
      TEXTS[user.change],
      say('If that was not you, choose a new password at once and tell an admin of your organisation.'),
    ],
    link: { label: say('Sign in'), path: '/login' },
  });
};
