import type { TicketDraft, TicketValues } from '@breakwater/sdk';
import type { FixFacts, Viewer } from '../../../findings/server/index.ts';
import { severityOfRank } from '../../../platform/model/severity.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Remediation, requireRemediation } from '../remediation-store.ts';
import type { RemediationDeps } from '../source-files.ts';
import { chooseTarget, type TicketTarget } from './ticket-targets.ts';

const text = (value: string | number | null): string => (value === null ? '' : String(value));

/** Page of a finding in the browser; empty where the server does not know its own address. */
export const findingUrl = ({ publicOrigin }: Pick<RemediationDeps, 'publicOrigin'>, id: string): string =>
  publicOrigin === undefined ? '' : new URL(`/findings/all/finding-details/${id}`, publicOrigin).href;

/** What a ticket may say of a remediation, its finding and its repository. */
const ticketValues = (remediation: Remediation, facts: FixFacts, url: string): TicketValues => ({
  'finding.id': facts.id,
  'finding.url': url,
  'finding.title': facts.title,
  'finding.description': text(facts.description),
  'finding.severity': severityOfRank(facts.severity),
  'finding.status': facts.status,
  'finding.type': facts.type,
  'finding.tool': facts.tool,
  'finding.rule': facts.ruleId,
  'finding.cve': text(facts.cve),
  'finding.cwe': facts.cwe.map((cwe) => `CWE-${cwe}`).join(', '),
  'finding.file': text(facts.file),
  'finding.line': text(facts.startLine),
  'finding.component': text(facts.component),
  'finding.component_version': text(facts.componentVersion),
  'finding.fixed_version': text(facts.fixedVersion),
  'remediation.id': remediation.id,
  'remediation.title': remediation.title,
  'remediation.description': remediation.description,
  'remediation.date': remediation.date.toISOString(),
  'remediation.processing_status': remediation.processing_status,
  'remediation.remediation_type': remediation.remediation_type,
  'remediation.reference_url': text(remediation.reference_url),
  'remediation.branch': remediation.branch,
  'remediation.file_path': text(remediation.file_path),
  'remediation.line': text(remediation.line),
  'remediation.code_diff': text(remediation.code_diff),
  'remediation.code_snippet': text(remediation.code_snippet),
  'repository.id': facts.repositoryId,
  'repository.name': facts.repository,
  'repository.url': facts.repositoryUrl,
  'repository.branch': facts.branch,
});

/** Which remediation, for which ticket system. */
export interface TicketRequest {
  viewer: Viewer;
  /** Of the remediation. */
  id: string;
  /** Left out: the webhook, else the only one that is configured. */
  connectorId?: string | undefined;
}

/** What a ticket of a remediation says now, and where it goes. @throws remediation_not_found, integration_not_configured */
export const draftTicket = async (
  db: Db,
  deps: RemediationDeps,
  { viewer, id, connectorId }: TicketRequest,
): Promise<{ remediation: Remediation; target: TicketTarget; draft: TicketDraft }> => {
  const { remediation, facts } = await requireRemediation(db, viewer, id);
  const target = await chooseTarget(db, deps, { clientId: viewer.clientId, connectorId });
  const values = ticketValues(remediation, facts, findingUrl(deps, facts.id));
  return { remediation, target, draft: await target.tickets.draft(target.config, values) };
};
