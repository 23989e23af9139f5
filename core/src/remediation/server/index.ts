import { readFixFacts, viewerOf } from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { type Caller, callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import * as routes from '../api/routes.ts';
import { openIssue, openPullRequest } from './apply.ts';
import { bulkRemediation, startBulk } from './bulk-job.ts';
import { type Edit, editRemediation, fillTemplate } from './edit.ts';
import { generate } from './generate.ts';
import { remediationItem } from './remediation-item.ts';
import { type Remediation, readRemediationOf, requireRemediation } from './remediation-store.ts';
import type { RemediationDeps } from './source-files.ts';
import { previewTicket, sendTicket } from './tickets/send-ticket.ts';
import { deliverTickets } from './tickets/ticket-job.ts';
import './tables.ts';

export { fixEngine } from './fix-engine.ts';
export { createFollowPullRequests } from './follow-pull-requests.ts';
export type { RemediationDeps } from './source-files.ts';

/** The remediation as it is now, for the answer. */
const answerOf = (deps: RemediationDeps, caller: Caller, { id }: Pick<Remediation, 'id'>) =>
  deps.database.forClient(caller.clientId, async (db) => {
    const { remediation, facts } = await requireRemediation(db, viewerOf(caller), id);
    return { data: await remediationItem(db, remediation, facts) };
  });

const readEndpoints = (): Endpoint[] => [
  tenantEndpoint(routes.getRemediation)(async ({ db, caller, params }) => {
    const { remediation, facts } = await requireRemediation(db, viewerOf(caller), params.id);
    return { data: await remediationItem(db, remediation, facts) };
  }),
  tenantEndpoint(routes.getFindingRemediation)(async ({ db, caller, params }) => {
    const facts = await readFixFacts(db, { viewer: viewerOf(caller), id: params.id });
    if (facts === undefined) throw new AppError('finding_not_found');
    const remediation = await readRemediationOf(db, caller.clientId, params.id);
    return { data: remediation === undefined ? null : await remediationItem(db, remediation, facts) };
  }),
];

const writeEndpoints = (deps: RemediationDeps): Endpoint[] => {
  const generateOf = async (caller: Caller, findingId: string, type: 'pull_request' | 'issue') =>
    answerOf(deps, caller, await generate(deps, { viewer: viewerOf(caller), findingId, type }));
  const editOf = async (caller: Caller, id: string, edit: Edit) =>
    answerOf(deps, caller, await editRemediation(deps, { viewer: viewerOf(caller), id, edit }));
  return [
    // each asks a provider between two transactions of its own
    callerEndpoint(routes.generateRemediation)(({ caller, params }) => generateOf(caller, params.id, 'pull_request')),
    callerEndpoint(routes.generateIssue)(({ caller, params }) => generateOf(caller, params.id, 'issue')),
    callerEndpoint(routes.editRemediation)(({ caller, params, body }) => editOf(caller, params.id, body)),
    callerEndpoint(routes.editIssue)(({ caller, params, body }) => editOf(caller, params.id, body)),
    callerEndpoint(routes.fillTemplate)(async ({ caller, params, body }) => {
      const request = { viewer: viewerOf(caller), id: params.id, values: body.template_values };
      return answerOf(deps, caller, await fillTemplate(deps, request));
    }),
    callerEndpoint(routes.openPullRequest)(async ({ caller, body }) => ({
      success: true as const,
      data: await openPullRequest(deps, { viewer: viewerOf(caller), id: body.remediation_id }),
    })),
    callerEndpoint(routes.createIssue)(async ({ caller, body }) => ({
      success: true as const,
      data: await openIssue(deps, { viewer: viewerOf(caller), id: body.remediation_id }),
    })),
  ];
};

const bulkEndpoints = (deps: RemediationDeps): Endpoint[] => [
  tenantEndpoint(routes.generatePatches)(async ({ db, caller, body, reply }) => {
    reply.status(202);
    const job_id = await startBulk(db, deps, {
      viewer: viewerOf(caller),
      kind: 'remediation.generate',
      ids: body.findings,
      applyPullRequests: body.apply_pr ?? false,
      applyIssues: body.apply_issues ?? false,
    });
    return { success: true as const, data: { job_id } };
  }),
  tenantEndpoint(routes.applyPatches)(async ({ db, caller, body, reply }) => {
    reply.status(202);
    const what = { applyPullRequests: true, applyIssues: true };
    const job_id = await startBulk(db, deps, {
      viewer: viewerOf(caller),
      kind: 'remediation.apply',
      ids: body.remediations,
      ...what,
    });
    return { success: true as const, data: { job_id } };
  }),
];

const ticketEndpoints = (deps: RemediationDeps): Endpoint[] => [
  callerEndpoint(routes.sendTicketRoute)(({ caller, body }) =>
    sendTicket(deps, { viewer: viewerOf(caller), id: body.remediation_id }),
  ),
  tenantEndpoint(routes.previewTicketRoute)(async ({ db, caller, body }) => {
    const { ticket } = await previewTicket(db, deps, { viewer: viewerOf(caller), id: body.remediation_id });
    return { data: { ticket } };
  }),
];

/** Fixes of findings: generated, edited, opened as pull requests and issues. */
export const createRemediationEndpoints = (deps: RemediationDeps): Endpoint[] => [
  ...readEndpoints(),
  ...writeEndpoints(deps),
  ...bulkEndpoints(deps),
  ...ticketEndpoints(deps),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const remediationJobs = [bulkRemediation, deliverTickets] as const;
