import type { IncomingMessage } from 'node:http';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { organizationNameIssues } from '../../platform/model/plain-name.ts';
import { recordAudit } from '../../platform/server/audit.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, publicEndpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { languageOfHeader, type Reader } from '../../platform/server/languages.ts';
import type { AttemptLimiter } from '../../platform/server/limits.ts';
import { listMails } from '../../platform/server/mail/list-mails.ts';
import { isMailAddress } from '../../platform/server/mail/outbox.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import {
  createAccount,
  findByIdentifier,
  hashPassword,
  newAccountIssues,
  passwordFieldIssues,
  setPassword,
  verifyPassword,
} from '../../session/server/index.ts';
import {
  changePassword,
  confirmPasswordReset,
  listMail,
  readRegistration,
  register,
  requestPasswordReset,
  resendVerification,
  verifyRegistration,
} from '../api/routes.ts';
import { endLinks, issueLink, REGISTER_SECONDS, readLink, redeemLink, removeEndedLinks } from './links.ts';
import { mailAlreadyRegistered, mailPasswordChanged, mailPasswordReset, mailRegistration } from './mails.ts';
import { type OwnAccountDeps, ownAccountEndpoints } from './own-account.ts';

export { accountPersonalData } from './personal-data.ts';
export { requireProof } from './require-proof.ts';

/** Requests that are taken before 429. Known and unknown addresses count alike, so that the limit tells nobody who exists. */
export const ACCOUNT_LIMITS = {
  /** Mails that one e-mail address is sent, whoever asks. */
  recipient: { name: 'account-mail-recipient', attempts: 5, perSeconds: 3600 },
  /** Mails that are asked for from one address of the network. */
  address: { name: 'account-mail-address', attempts: 20, perSeconds: 3600 },
  /** Wrong old passwords of one user. */
  oldPassword: { name: 'account-old-password', attempts: 10, perSeconds: 900 },
} as const;

export interface AccountsDeps extends Omit<OwnAccountDeps, 'oldPassword'> {
  limiters: Record<keyof typeof ACCOUNT_LIMITS, AttemptLimiter>;
  sendsMail: boolean;
}

const refuse = (issues: FieldIssue[]): void => {
  if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
};

/** What the mail server takes is narrower than what a form may hold; said before anything is looked up. */
const readEmail = (text: string): string => {
  const email = text.trim();
  if (!isMailAddress(email)) refuse([{ loc: ['body', 'email'], msg: msg('Give one e-mail address.'), type: 'format' }]);
  return email;
};

/** @throws too_many_requests */
const countMail = async ({ limiters }: AccountsDeps, remoteAddress: string, email: string): Promise<void> => {
  await limiters.address.take(remoteAddress);
  await limiters.recipient.take(email.toLowerCase());
};

/** Who has no account yet reads as their browser prefers. */
const readerOf = ({ headers }: IncomingMessage): Reader => ({
  language: languageOfHeader(headers['accept-language']),
  time_zone: null,
  number_format: null,
});

const CLOSED = msg(
  'Self-registration is closed on this installation, because it sends no mail. Ask an admin for an account.',
);

const registrationEndpoints = (deps: AccountsDeps): Endpoint[] => [
  publicEndpoint(register)(async ({ body, remoteAddress, request }) => {
    if (!deps.sendsMail) throw new AppError('forbidden', CLOSED);
    const email = readEmail(body.email);
    const organizationName = body.organization_name.trim();
    refuse(organizationNameIssues(organizationName));
    await countMail(deps, remoteAddress, email);
    await deps.database.forIdentity(async (db) => {
      const user = await findByIdentifier(db, email);
      if (user === undefined) await mailRegistration(db, { email, organizationName, reader: readerOf(request) });
      else await mailAlreadyRegistered(db, { clientId: user.clientId, email: user.email });
    });
    return { success: true };
  }),
  publicEndpoint(readRegistration)(async ({ params }) => {
    const link = await deps.database.forIdentity((db) => readLink(db, params.token, 'register'));
    return { success: true, data: { email: link.email, organization_name: link.organization_name } };
  }),
  publicEndpoint(verifyRegistration)(async ({ params, body, log, origin }) => {
    const { email } = await deps.database.forIdentity((db) => readLink(db, params.token, 'register'));
    const { username, password } = body;
    const trimmed = username.trim();
    refuse(newAccountIssues({ ...body, email }));
    const passwordHash = await hashPassword(password);
    const account = await deps.database.forIdentity(async (db) => {
      const { organization_name: organizationName } = await redeemLink(db, params.token, 'register');
      const made = await createAccount(db, { organizationName, email, username: trimmed, password }, passwordHash);
      await recordAudit(db, {
        clientId: made.clientId,
        kind: 'account.created',
        actor: { type: 'person', id: made.userId, name: trimmed },
        origin,
        subject: organizationName,
      });
      return made;
    });
    log.info({ user_id: account.userId, client_id: account.clientId }, 'a registration was verified');
    return { success: true };
  }),
  publicEndpoint(resendVerification)(async ({ params, remoteAddress, request }) => {
    await deps.limiters.address.take(remoteAddress);
    await deps.database.forIdentity(async (db) => {
      const { email, organization_name: organizationName } = await redeemLink(db, params.token, 'register', {
        alsoEnded: true,
      });
      await deps.limiters.recipient.take(email.toLowerCase());
      await mailRegistration(db, { email, organizationName, reader: readerOf(request) });
    });
    return { success: true };
  }),
];

const passwordEndpoints = (deps: AccountsDeps): Endpoint[] => [
  publicEndpoint(requestPasswordReset)(async ({ body, remoteAddress }) => {
    const email = readEmail(body.email);
    await countMail(deps, remoteAddress, email);
    await deps.database.forIdentity(async (db) => {
      const found = await findByIdentifier(db, email);
      const isOwner = found?.isActive === true && found.email.toLowerCase() === email.toLowerCase();
      await mailPasswordReset(db, email, isOwner ? found : undefined);
    });
    return { success: true };
  }),
  publicEndpoint(confirmPasswordReset)(async ({ body, log, origin }) => {
    await deps.database.forIdentity((db) => readLink(db, body.token, 'reset'));
    refuse(passwordFieldIssues(body.password, body.confirm_password));
    const passwordHash = await hashPassword(body.password);
    const userId = await deps.database.forIdentity(async (db) => {
      const { client_id: clientId, user_id: userId, email } = await redeemLink(db, body.token, 'reset');
      // an address that was theirs when the link was mailed may be somebody else's by now
      const owner = await findByIdentifier(db, email);
      const isStillTheirs = owner?.userId === userId && owner?.email.toLowerCase() === email.toLowerCase();
      if (clientId === null || userId === null || !isStillTheirs) throw new AppError('link_invalid');
      if (!(await setPassword(db, { clientId, userId }, passwordHash))) throw new AppError('link_invalid');
      await mailPasswordChanged(db, { clientId, email });
      await recordAudit(db, {
        clientId,
        kind: 'account.password-reset',
        actor: { type: 'person', id: userId, name: email },
        origin,
        details: { by: 'mailed link' },
      });
      return userId;
    });
    log.info({ user_id: userId }, 'a password was reset by a mailed link');
    return { success: true };
  }),
  callerEndpoint(changePassword)(async ({ caller, body, reply, log }) => {
    refuse(passwordFieldIssues(body.password, body.confirm_password));
    await deps.limiters.oldPassword.take(caller.userId);
    const user = await deps.database.forIdentity((db) => findByIdentifier(db, caller.email));
    if (user === undefined || !(await verifyPassword(body.old_password, user.passwordHash))) {
      refuse([{ loc: ['body', 'old_password'], msg: msg('The old password is wrong.'), type: 'old_password' }]);
    }
    await deps.limiters.oldPassword.reset(caller.userId);
    const passwordHash = await hashPassword(body.password);
    await deps.database.forIdentity(async (db) => {
      await setPassword(db, caller, passwordHash);
      await endLinks(db, { email: caller.email, purpose: 'reset' });
      await mailPasswordChanged(db, caller);
    });
    reply.clearSessionCookie();
    log.info({ user_id: caller.userId }, 'a password was changed');
    return { success: true };
  }),
];

/** Registration, forgotten and changed passwords, and the outbox of mails. Source: decisions.md "Session", "Wire shapes". */
export const createAccountsEndpoints = (deps: AccountsDeps): Endpoint[] => [
  ...registrationEndpoints(deps),
  ...passwordEndpoints(deps),
  ...ownAccountEndpoints({ ...deps, oldPassword: deps.limiters.oldPassword }),
  tenantEndpoint(listMail)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const { rows, total } = await listMails(db, { clientId: caller.clientId, email: caller.email, paging });
    const data = rows.map(({ id, created_at, sent_at, ...row }) => ({
      _id: id,
      attributes: { ...row, created_at: created_at.toISOString(), sent_at: sent_at?.toISOString() ?? null },
    }));
    return { data, meta: pageMeta(total, paging) };
  }),
];

/**
 * For who starts the server: the path with which a user who has no password yet sets one, once; nothing where there is a password.
 * Earlier ones end.
 */
export const issueFirstPasswordLink = (database: DatabaseHandle, email: string): Promise<string | undefined> =>
  database.forIdentity(async (db) => {
    const user = await findByIdentifier(db, email);
    if (user === undefined || user.passwordHash !== '') return undefined;
    const token = await issueLink(db, { purpose: 'reset', user, email, lifeSeconds: REGISTER_SECONDS });
    return `/reset-password?token=${token}`;
  });

/** Jobs of this slice. */
export const accountJobs = [removeEndedLinks] as const;
