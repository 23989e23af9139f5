import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { notify } from '../../notifications/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { ROLE_IN_SENTENCE } from '../../platform/model/permissions.ts';
import { say, sayLabel } from '../../platform/model/sentence.ts';
import { type RequestOrigin, recordAudit } from '../../platform/server/audit.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { type Caller, type Endpoint, publicEndpoint } from '../../platform/server/endpoint.ts';
import { queueMail } from '../../platform/server/mail/outbox.ts';
import { hashPassword, newAccountIssues, readReader, refuseTakenName } from '../../session/server/index.ts';
import * as routes from '../api/routes.ts';
import { INVITATION_DAYS, type InvitedRole } from '../model/roles.ts';
import { teamItem } from './list-people.ts';
import './tables.ts';

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

interface NewInvitation {
  clientId: string;
  email: string;
  role: InvitedRole;
  invitedBy: string;
}

/**
 * Writes an invitation down; one of the same e-mail is replaced, so that its link opens nothing any more.
 * @returns the row and the token, which is stored nowhere. @throws conflict where the person is a member already
 */
export const addInvitation = async (db: Db, { clientId, email, role, invitedBy }: NewInvitation) => {
  const member = await db
    .selectFrom('users')
    .select('id')
    .where('client_id', '=', clientId)
    .where('status', '=', 'active')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();
  if (member !== undefined)
    throw new AppError('conflict', say('{email} belongs to the organisation already.', { email }));
  const token = randomBytes(32).toString('base64url');
  const { rows } = await sql<{ id: string; email: string; role: InvitedRole; expires_at: Date }>`
    insert into invitations (client_id, email, role, token_hash, invited_by, expires_at)
    values (${clientId}, ${email}, ${role}, ${hashToken(token)}, ${invitedBy}, now() + make_interval(days => ${INVITATION_DAYS}))
    on conflict (client_id, lower(email)) do update set email = excluded.email, role = excluded.role,
      token_hash = excluded.token_hash, invited_by = excluded.invited_by, expires_at = excluded.expires_at, created_at = now()
    returning id, email, role, expires_at`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The invitation was not written.');
  return { item: teamItem({ ...row, username: '', status: 'invited', enable_2fa: false }), token };
};

/** Sends the link, which nobody else sees. */
export const mailInvitation = async (
  db: Db,
  { caller, email, role, link }: { caller: Caller; email: string; role: InvitedRole; link: string },
): Promise<void> => {
  const { clientId, username } = caller;
  const { organization_name: organization } = await db
    .selectFrom('clients')
    .select('organization_name')
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
  await queueMail(db, {
    clientId,
    to: email,
    // nobody knows yet how they read: most likely as their colleague does
    reader: await readReader(db, caller.email),
    subject: say('{username} invites you to {organization}', { username, organization }),
    paragraphs: [
      say('{username} invites you to {organization} in Breakwater, as {role}.', {
        username,
        organization,
        role: sayLabel(ROLE_IN_SENTENCE[role]),
      }),
      say('The link works once, for {days} days. If you expect no invitation, ignore this mail.', {
        days: INVITATION_DAYS,
      }),
    ],
    link: { label: say('Accept the invitation'), path: link },
    isSecret: true,
    lifeSeconds: INVITATION_DAYS * 86_400,
  });
};

const NOT_FOUND = msg('This invitation has expired, was withdrawn or has been used. Ask an admin for a new one.');

/** Whose invitation a link is, before anybody is signed in. Index: invitations_token. @throws invitation_not_found */
const findInvitation = async (database: DatabaseHandle, token: string) => {
  const found = await database.forIdentity((db) =>
    db
      .selectFrom('invitations')
      .innerJoin('clients', 'clients.id', 'invitations.client_id')
      .select(['invitations.client_id', 'invitations.email', 'invitations.role', 'clients.organization_name'])
      .where('invitations.token_hash', '=', hashToken(token))
      .where('invitations.expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst(),
  );
  if (found === undefined) throw new AppError('invitation_not_found', NOT_FOUND);
  return found;
};

interface Acceptance {
  token: string;
  username: string;
  passwordHash: string;
  origin: RequestOrigin;
}

/** The row goes first: of several who open the same link at once one finds it. @throws invitation_not_found */
const makeMember = async (db: Db, clientId: string, { token, username, passwordHash, origin }: Acceptance) => {
  const taken = await db
    .deleteFrom('invitations')
    .where('client_id', '=', clientId)
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['email', 'role'])
    .executeTakeFirst();
  if (taken === undefined) throw new AppError('invitation_not_found', NOT_FOUND);
  const { email, role } = taken;
  const { id } = await db
    .insertInto('users')
    .values({ client_id: clientId, email, username, role, password_hash: passwordHash })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordAudit(db, {
    clientId,
    kind: 'team.joined',
    actor: { type: 'person', id, name: username },
    origin,
    subject: email,
    details: { role },
  });
  await notify(db, {
    clientId,
    type: 'invite_accepted',
    title: say('{username} joined the organisation', { username }),
    message: say('{email} accepted the invitation as {role}.', { email, role: sayLabel(ROLE_IN_SENTENCE[role]) }),
    link: '/settings/team',
    to: { permission: 'team.manage' },
  });
  return email;
};

/** What the link of an invitation opens, for who is not signed in. */
export const invitationEndpoints = (database: DatabaseHandle): Endpoint[] => [
  publicEndpoint(routes.getInvitation)(async ({ params }) => {
    const { email, role, organization_name } = await findInvitation(database, params.token);
    return { data: { email, role, organization_name } };
  }),
  publicEndpoint(routes.acceptInvitation)(async ({ params, body, origin }) => {
    const { client_id, email } = await findInvitation(database, params.token);
    const issues = newAccountIssues({ ...body, email });
    if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
    const passwordHash = await hashPassword(body.password);
    const acceptance = { token: params.token, username: body.username.trim(), passwordHash, origin };
    const joined = await database
      .forClient(client_id, (db) => makeMember(db, client_id, acceptance))
      .catch(refuseTakenName);
    return { success: true, data: { email: joined } };
  }),
];
