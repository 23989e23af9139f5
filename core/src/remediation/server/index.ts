import { readFixFacts, viewerOf } from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { type Caller, callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import * as routes from '../api/routes.ts';
import { listTicketTargets, previewTicketRoute, sendTicketRoute } from '../api/ticket-routes.ts';
import { aiUsageEndpoint } from './ai/usage-endpoint.ts';
import { bulkRemediation, startBulk } from './apply/bulk-job.ts';
import { openIssue, openPullRequest } from './apply/open.ts';
import { planBulk } from './apply/plan-bulk.ts';
import { takeUp } from './apply/take-up.ts';
import { assessmentEndpoints } from './assessment/assessment-endpoints.ts';
import { type Edit, editRemediation, fillTemplate, previewTemplate } from './edit.ts';
import { fixGroupEndpoints } from './fix-groups.ts';
import { pollOpen } from './follow/poll-open.ts';
import { cancelGeneration, type GenerateRequest, generate } from './generate.ts';
import { remediationItem } from './remediation-item.ts';
import { type Remediation, readRemediationOf, requireRemediation } from './remediation-store.ts';
import { applySettings, settingLine } from './setting-fixes.ts';
import type { RemediationDeps } from './source-files.ts';
import { sendTicket } from './tickets/send-ticket.ts';
import { draftTicket } from './tickets/ticket-draft.ts';
import { deliverTickets, followTickets } from './tickets/ticket-job.ts';
import { listTargets } from './tickets/ticket-targets.ts';
import './tables.ts';

export { fixEngine } from './fix-engine.ts';
export { fixGroupEndpoints } from './fix-groups.ts';
export { createFollowDeliveries } from './follow/follow-deliveries.ts';
export { createLockTools } from './lock-files/run-tools.ts';
export type { RemediationDeps } from './source-files.ts';
export { createFollowTickets } from './tickets/ticket-state.ts';

/** The remediation as it is now, for the answer. */
const answerOf = (deps: RemediationDeps, caller: Caller, { id }: Pick<Remediation, 'id'>) =>
  deps.database.forClient(caller.clientId, async (db) => {
    const { remediation, facts } = await requireRemediation(db, viewerOf(caller), id);
    return { data: await remediationItem(db, deps, { remediation, facts }) };
  });

const readEndpoints = (deps: RemediationDeps): Endpoint[] => [
  tenantEndpoint(routes.getRemediation)(async ({ db, caller, params }) => {
    const { remediation, facts } = await requireRemediation(db, viewerOf(caller), params.id);
    return { data: await remediationItem(db, deps, { remediation, facts }) };
  }),
  tenantEndpoint(routes.getFindingRemediation)(async ({ db, caller, params }) => {
    const facts = await readFixFacts(db, { viewer: viewerOf(caller), id: params.id });
    if (facts === undefined) throw new AppError('finding_not_found');
    const remediation = await readRemediationOf(db, caller.clientId, params.id);
    return { data: remediation === undefined ? null : await remediationItem(db, deps, { remediation, facts }) };
  }),
];

const writeEndpoints = (deps: RemediationDeps): Endpoint[] => {
  const generateOf = async (caller: Caller, findingId: string, what: Pick<GenerateRequest, 'type' | 'isByAi'>) =>
    answerOf(deps, caller, await generate(deps, { viewer: viewerOf(caller), findingId, ...what }));
  const editOf = async (caller: Caller, id: string, edit: Edit) =>
    answerOf(deps, caller, await editRemediation(deps, { viewer: viewerOf(caller), id, edit }));
  return [
    // each asks a provider between two transactions of its own
    callerEndpoint(routes.generateRemediation)(({ caller, params, query }) =>
      generateOf(caller, params.id, { type: 'pull_request', isByAi: query.engine === 'ai' }),
    ),
    callerEndpoint(routes.generateIssue)(({ caller, params }) => generateOf(caller, params.id, { type: 'issue' })),
    callerEndpoint(routes.cancelGeneration)(async ({ caller, params }) =>
      answerOf(deps, caller, await cancelGeneration(deps, { viewer: viewerOf(caller), id: params.id })),
    ),
    callerEndpoint(routes.editRemediation)(({ caller, params, body }) => editOf(caller, params.id, body)),
    callerEndpoint(routes.editIssue)(({ caller, params, body }) => editOf(caller, params.id, body)),
    callerEndpoint(routes.fillTemplate)(async ({ caller, params, body }) => {
      const request = { viewer: viewerOf(caller), id: params.id, values: body.template_values };
      return answerOf(deps, caller, await fillTemplate(deps, request));
    }),
    callerEndpoint(routes.previewTemplate)(async ({ caller, params, body }) => {
      const request = { viewer: viewerOf(caller), id: params.id, values: body.template_values };
      return { data: await previewTemplate(deps, request) };
    }),
    callerEndpoint(routes.applySettings)(async ({ caller, params, audit }) => {
      const done = await applySettings(deps, { viewer: viewerOf(caller), id: params.id });
      audit({ subject: done.title, details: { settings: (done.settings ?? []).map(settingLine) } });
      return answerOf(deps, caller, done);
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
  tenantEndpoint(routes.planPatches)(async ({ db, caller, body }) => ({
    data: await planBulk(db, deps.connections, { viewer: viewerOf(caller), ids: body.findings }),
  })),
  tenantEndpoint(routes.generatePatches)(async ({ db, caller, body, reply }) => {
    reply.status(202);
    const job_id = await startBulk(db, deps, {
      viewer: viewerOf(caller),
      kind: 'remediation.generate',
      ids: body.findings,
      applyPullRequests: body.apply_pr ?? false,
      applyIssues: body.apply_issues ?? false,
      group: body.group ?? 'finding',
      isAiAllowed: body.ask_ai ?? true,
    });
    return { success: true as const, data: { job_id } };
  }),
  tenantEndpoint(routes.applyPatches)(async ({ db, caller, body, reply }) => {
    reply.status(202);
    const group = body.group ?? 'finding';
    const what = { applyPullRequests: true, applyIssues: true, isAiAllowed: false, group };
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
  callerEndpoint(sendTicketRoute)(({ caller, body }) =>
    sendTicket(deps, { viewer: viewerOf(caller), id: body.remediation_id, connectorId: body.connector_id }),
  ),
  tenantEndpoint(previewTicketRoute)(async ({ db, caller, body }) => {
    const request = { viewer: viewerOf(caller), id: body.remediation_id, connectorId: body.connector_id };
    return { data: { ticket: { ...(await draftTicket(db, deps, request)).draft } } };
  }),
  tenantEndpoint(listTicketTargets)(async ({ db, caller }) => ({ data: await listTargets(db, deps, caller.clientId) })),
];

/** Fixes of findings: generated, edited, opened as pull requests and issues. */
export const createRemediationEndpoints = (deps: RemediationDeps): Endpoint[] => [
  ...readEndpoints(deps),
  ...fixGroupEndpoints(),
  ...writeEndpoints(deps),
  ...bulkEndpoints(deps),
  ...ticketEndpoints(deps),
  aiUsageEndpoint(deps),
  ...assessmentEndpoints(deps),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const remediationJobs = [bulkRemediation, deliverTickets, followTickets, pollOpen, takeUp] as const;
