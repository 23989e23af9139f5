import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import {
  cvssShares,
  estimatedMitigation,
  estimatedPolicy,
  type Policy,
  type PriorityPart,
  type ReferenceData,
} from '../../../prioritisation/server/index.ts';
import type { FindingDetail } from '../../api/routes.ts';
import type { Verdict } from '../../model/states.ts';
import { maySee, type Viewer } from '../filter/viewer.ts';
import type { FindingItem } from '../list/read-finding-rows.ts';

/** A code location as stored with a finding. */
export interface CodeLocation {
  path: string;
  startLine?: number | null;
  endLine?: number | null;
  snippet?: string | null;
  message?: string | null;
}

/** What the detail page shows beyond the list row. */
export interface FindingText {
  description: string | null;
  mitigation: string | null;
  is_language_estimated: boolean;
  policy: { name?: string; category?: string; control?: string } | null;
  native_severity: string | null;
  resource: string | null;
  http_request: string | null;
  http_response: string | null;
  curl_command: string | null;
  cvss_vector: string | null;
  code: string | null;
  code_start_line: number | null;
  aliases: string[];
  reference_urls: string[] | null;
  locations: CodeLocation[] | null;
  code_flows: CodeLocation[][] | null;
  owasp_2021: string | null;
  owasp_2025: string | null;
  slsa_threats: string[];
  owasp_cicd: string[];
  epss_date: string | null;
  kev_added: string | null;
  package_imported_by: { name: string; path: string; line: number; files: number } | null;
  priority_parts: PriorityPart[] | null;
  verdict_reason: string | null;
  verdict_expires_at: Date | null;
  notes: string | null;
  proposed_verdict: Verdict | null;
  proposed_reason: string | null;
  /** Rank, as stored. */
  reported_severity: number | null;
  first_scan_id: string;
  first_seen: Date;
}

/** The long text of one finding, if the viewer may see it. Reads findings and finding_details by primary key. */
export const readFindingText = async (
  db: Db,
  request: { viewer: Viewer; id: string },
): Promise<FindingText | undefined> => {
  const { viewer, id } = request;
  const { clientId } = viewer;
  const found = await sql<FindingText>`
    select d.description, d.mitigation, f.is_language_estimated, d.policy, d.native_severity, d.resource, d.http_request, d.http_response, d.curl_command, d.cvss_vector, d.code, case when d.code is not null then l.start_line end as code_start_line, x.aliases,
      d.reference_urls, d.locations, d.code_flows, x.owasp_2021, x.owasp_2025, x.slsa_threats, x.owasp_cicd, x.epss_date, x.kev_added, d.priority_parts,
      d.verdict_reason, f.verdict_expires_at, d.notes, d.proposed_verdict, d.proposed_reason, f.reported_severity,
      f.first_scan_id, f.first_seen,
      case when u.path is not null then json_build_object('name', u.name, 'path', u.path, 'line', u.line, 'files', u.files) end as package_imported_by
    from findings f
    join finding_definitions x on x.client_id = ${clientId} and x.id = f.definition_id
    left join finding_details d on d.client_id = ${clientId} and d.finding_id = f.id
    left join finding_locations l on l.client_id = ${clientId} and l.finding_id = f.id
    left join repository_branches b on b.client_id = ${clientId} and b.id = f.repository_id
    left join package_uses u on u.client_id = ${clientId} and u.definition_id = f.definition_id
      and u.repository_id = coalesce(b.repository_id, f.repository_id)
    where f.client_id = ${clientId} and f.id = ${id} and ${maySee(viewer)}
    limit 1`.execute(db);
  return found.rows[0];
};

type Detail = Static<typeof FindingDetail>;
type Facts = Pick<Detail, 'mitigation' | 'policy_name' | 'policy_category' | 'policy_control' | 'estimated'>;

const PACKAGE_TYPES: readonly string[] = ['SCA', 'Container', 'SBOM'];

const reportedPolicy = ({ policy }: FindingText): Policy | undefined =>
  policy === null
    ? undefined
    : { name: policy.name ?? null, category: policy.category ?? null, control: policy.control ?? null };

const estimatedScores = ({ attributes }: FindingItem, text: FindingText): Facts['estimated'] => {
  if (attributes.effort_for_fixing === null) return [];
  // the impact of a CVSS v2 or v3 vector is the standard's own figure
  const isImpactGiven = cvssShares(text.cvss_vector)?.isStandard === true;
  return ['effort_for_fixing', 'exploitability', ...(isImpactGiven ? [] : ['impact' as const])];
};

/** Advice and policy, by our rules where the tool gives none, and which of a finding's values are estimates. */
export const estimatedFacts = (row: FindingItem, text: FindingText, reference: ReferenceData): Facts => {
  const { attributes } = row;
  const advice = {
    type: attributes.type,
    cwe: attributes.cwe,
    component: attributes.component,
    componentVersion: attributes.component_version,
    fixedVersion: attributes.fixed_version,
    isVulnerableComponent: attributes.component !== null && PACKAGE_TYPES.includes(attributes.type),
    owasp2025: text.owasp_2025,
    owaspCicd: text.owasp_cicd,
  };
  const hasAdvice = text.mitigation !== null && text.mitigation.trim() !== '';
  const reported = reportedPolicy(text);
  const policy = reported ?? estimatedPolicy(advice, reference);
  const isPolicyEstimated = reported === undefined && policy !== undefined;
  return {
    mitigation: hasAdvice ? text.mitigation : estimatedMitigation(advice, reference),
    policy_name: policy?.name ?? null,
    policy_category: policy?.category ?? null,
    policy_control: policy?.control ?? null,
    estimated: [
      ...estimatedScores(row, text),
      ...(hasAdvice ? [] : ['mitigation' as const]),
      ...(text.is_language_estimated ? ['language' as const] : []),
      ...(isPolicyEstimated ? (['policy_name', 'policy_category', 'policy_control'] as const) : []),
    ],
  };
};
