import { can } from '../../platform/model/permissions.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import { type Endpoint, type TenantInput, tenantEndpoint } from '../../platform/server/endpoint.ts';
import type { PlanLimits } from '../../platform/server/limits.ts';
import { type PagingQuery, pageMeta, readPaging } from '../../platform/server/paging.ts';
import * as routes from '../api/routes.ts';
import type { InvitedRole } from '../model/roles.ts';
import { addInvitation, invitationEndpoints, mailInvitation } from './invitations.ts';
import { listTeamPage, listUsers } from './list-people.ts';
import { changeRole, type Handover, removeMember } from './members.ts';

export type { Handover } from './members.ts';

export interface TeamDeps {
  database: DatabaseHandle;
  limits: PlanLimits;
  /** Whether a mail server is configured; without one whoever invites hands on the link. */
  sendsMail: boolean;
  handovers: readonly Handover[];
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
  async ({ db, caller, body }: InviteInput) => {
    const { clientId, userId } = caller;
    await deps.limits.check(db, { clientId, kind: 'members', adding: 1 });
    const email = body.email.trim();
    const { item, token } = await addInvitation(db, { clientId, email, role: body.role, invitedBy: userId });
    const link = `/accept-invite?token=${token}`;
    if (deps.sendsMail) await mailInvitation(db, { caller, email, role: body.role, link });
    return { success: true, data: { ...item, link: deps.sendsMail ? null : link } } as const;
  };

/** People of the organisation. */
export const createTeamEndpoints = (deps: TeamDeps): Endpoint[] => [
  tenantEndpoint(routes.listDevelopers)((input) => people(input, 'developer')),
  tenantEndpoint(routes.listMembers)((input) => people(input)),
  tenantEndpoint(routes.listTeam)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const request = { clientId: caller.clientId, search: query.search ?? '', paging };
    const { data, total } = await listTeamPage(db, request);
    return { data, meta: pageMeta(total, paging) };
  }),
  tenantEndpoint(routes.invite)(invite(deps)),
  tenantEndpoint(routes.inviteUser)(invite(deps)),
  tenantEndpoint(routes.changeMember)(async ({ db, caller, params, body }) => {
    await changeRole(db, { caller, id: params.id, role: body.role });
    return { success: true };
  }),
  tenantEndpoint(routes.removeMember)(async ({ db, caller, params, query }) => {
    const handOverTo = query.hand_over_to ?? null;
    await removeMember(db, { caller, id: params.id, handOverTo, handovers: deps.handovers });
    return { success: true };
  }),
  ...invitationEndpoints(deps.database),
];
