import { createHmac } from 'node:crypto';
import { fillTicketTemplate, type Json, type TicketValue } from '@breakwater/sdk';
import type { FixFacts } from '../../../findings/server/index.ts';
import { severityOfRank } from '../../../platform/model/severity.ts';
import type { Remediation } from '../remediation-store.ts';

const text = (value: string | number | null): string => (value === null ? '' : String(value));

/** What a ticket may say of a remediation, its finding and its repository. */
const ticketValues = (remediation: Remediation, facts: FixFacts): Record<TicketValue, string> => ({
  'finding.id': facts.id,
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

/** The ticket that the organisation's mapping makes of a remediation: its keys, with their templates filled in. */
export const ticketOf = (
  mapping: Json | undefined,
  remediation: Remediation,
  facts: FixFacts,
): Record<string, string> => {
  const values = ticketValues(remediation, facts);
  const pairs =
    typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping) ? Object.entries(mapping) : [];
  return Object.fromEntries(
    pairs.map(([key, template]) => [key, typeof template === 'string' ? fillTicketTemplate(template, values) : '']),
  );
};

const hmac = (secret: string, content: string) => createHmac('sha256', secret).update(content);

/**
 * Headers of one attempt. With a secret they prove where it comes from: `webhook-signature` as Standard Webhooks has it, over id, time
 * and body; `x-breakwater-signature` over the body alone, for receivers that check as they do for GitHub.
 */
export const ticketHeaders = (
  { id, body, at }: { id: string; body: string; at: Date },
  secret: string | null,
): Record<string, string> => {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const named = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'x-breakwater-event': 'remediation.ticket',
  };
  if (secret === null) return named;
  return {
    ...named,
    'webhook-signature': `v1,${hmac(secret, `${id}.${seconds}.${body}`).digest('base64')}`,
    'x-breakwater-signature': `sha256=${hmac(secret, body).digest('hex')}`,
  };
};
