import { can } from '../../platform/model/permissions.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import { type Endpoint, type TenantInput, tenantEndpoint } from '../../platform/server/endpoint.ts';
import type { AttemptLimiter, PlanLimits } from '../../platform/server/limits.ts';
import { type PagingQuery, pageMeta, readPaging } from '../../platform/server/paging.ts';
import type { Vault } from '../../platform/server/vault.ts';
import { listDevelopers, listMembers } from '../api/people-routes.ts';
import * as routes from '../api/routes.ts';
import type { InvitedRole } from '../model/roles.ts';
import { addInvitation, invitationEndpoints, mailInvitation } from './invitations.ts';
import { listTeamPage, listUsers } from './list-people.ts';
import { changeRole, endSessions, type Handover, removeMember, resetMemberTwoFactor } from './members.ts';

export { leaveByOneself } from './leave-by-oneself.ts';
export type { Handover } from './members.ts';
export { teamPersonalData } from './personal-data.ts';
export { addMember, changeEmail, deactivateMember, giveRole, restoreMember } from './provision-members.ts';

/**
 * Invitations that are mailed before 429: anybody may register an organisation, and none shall fill the mailboxes of strangers. Those whose
 * link is shown to the admin do not count.
 */
export const INVITATION_LIMITS = {
  /** To one e-mail address, whichever organisation invites. */
  recipient: { name: 'invitation-recipient', attempts: 5, perSeconds: 3600 },
  /** By one organisation. */
  organization: { name: 'invitation-organization', attempts: 100, perSeconds: 3600 },
} as const;

export interface TeamDeps {
  database: DatabaseHandle;
  limits: PlanLimits;
  invitations: Record<keyof typeof INVITATION_LIMITS, AttemptLimiter>;
  /** Whether a mail server is configured; without one whoever invites hands on the link. */
  sendsMail: boolean;
  handovers: readonly Handover[];
  vault: Vault;
}

type PeopleInput = TenantInput<unknown, PagingQuery & { search?: string }, unknown>;

const people = async ({ db, caller, query }: PeopleInput, role?: 'developer') => {
  const paging = readPaging(query);
  const { data, total } = await listUsers(db, {
    clientId: caller.clientId,
    ...(role === undefined ? {} : { role }),
    search: query.search ?? '',
    paging,
    hasEmails: can(caller.role, 'findings.assign'),
  });
  return { data, meta: pageMeta(total, paging) };
};

type InviteInput = TenantInput<unknown, unknown, { email: string; role: InvitedRole }>;

const invite =
  (deps: TeamDeps) =>
  async ({ db, caller, body, audit }: InviteInput) => {
    const { clientId, userId } = caller;
    await deps.limits.check(db, { clientId, kind: 'members', adding: 1 });
    const email = body.email.trim();
    if (deps.sendsMail) {
      await deps.invitations.organization.take(clientId);
      await deps.invitations.recipient.take(email.toLowerCase());
    }
    const { item, token } = await addInvitation(db, { clientId, email, role: body.role, invitedBy: userId });
    audit({ subject: email, details: { role: body.role } });
    const link = `/accept-invite?token=${token}`;
    if (deps.sendsMail) await mailInvitation(db, { caller, email, role: body.role, link });
    return { success: true, data: { ...item, link: deps.sendsMail ? null : link } } as const;
  };

/** People of the organisation. */
export const createTeamEndpoints = (deps: TeamDeps): Endpoint[] => [
  tenantEndpoint(listDevelopers)((input) => people(input, 'developer')),
  tenantEndpoint(listMembers)((input) => people(input)),
  tenantEndpoint(routes.listTeam)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const request = { clientId: caller.clientId, search: query.search ?? '', paging };
    const { data, total } = await listTeamPage(db, request);
    return { data, meta: pageMeta(total, paging) };
  }),
  tenantEndpoint(routes.invite)(invite(deps)),
  tenantEndpoint(routes.inviteUser)(invite(deps)),
  tenantEndpoint(routes.changeMember)(async ({ db, caller, params, body, audit }) => {
    const { name, from } = await changeRole(db, { caller, id: params.id, role: body.role });
    audit({ subject: name, details: { from, to: body.role }, isUnchanged: from === body.role });
    return { success: true };
  }),
  tenantEndpoint(routes.removeMember)(async ({ db, caller, params, query, audit }) => {
    const handOverTo = query.hand_over_to ?? null;
    const target = { caller, id: params.id };
    const name = await removeMember(db, { ...target, handOverTo, handovers: deps.handovers, vault: deps.vault });
    audit({ subject: name, details: { handed_over_to: handOverTo } });
    return { success: true };
  }),
  tenantEndpoint(routes.endSessions)(async ({ db, caller, params, audit }) => {
    audit({ subject: await endSessions(db, { caller, id: params.id }) });
    return { success: true };
  }),
  tenantEndpoint(routes.resetMemberTwoFactor)(async ({ db, caller, params, audit }) => {
    audit({ subject: await resetMemberTwoFactor(db, deps.vault, { caller, id: params.id }) });
    return { success: true };
  }),
  ...invitationEndpoints(deps.database),
];
