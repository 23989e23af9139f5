import type { Db } from '../../../platform/server/database.ts';
import { queueMail } from '../../../platform/server/mail/outbox.ts';

const TEXTS = {
  enabled: 'Two-factor was switched on for your Breakwater account. From now on a sign-in asks for a code too.',
  disabled: 'Two-factor was switched off for your Breakwater account. From now on the password alone opens it.',
  reset:
    'An admin of your organisation has switched two-factor off for your Breakwater account. You can set it up again with another device.',
  'reset-by-operator':
    'Who runs this Breakwater installation has switched two-factor off for your account. You can set it up again with another device.',
} as const;

/** Tells the owner of an account what became of their second factor. */
export const mailTwoFactorChanged = (
  db: Db,
  user: { clientId: string; email: string; change: keyof typeof TEXTS },
): Promise<void> =>
  queueMail(db, {
    clientId: user.clientId,
    to: user.email,
    subject: `Two-factor was switched ${user.change === 'enabled' ? 'on' : 'off'}`,
    paragraphs: [
      TEXTS[user.change],
      'If that was not you, choose a new password at once and tell an admin of your organisation.',
    ],
    link: { label: 'Sign in', path: '/login' },
  });
