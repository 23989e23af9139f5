import type { Static } from 'typebox';
import {
  cvssShares,
  estimatedMitigation,
  estimatedPolicy,
  type Policy,
  type ReferenceData,
} from '../../prioritisation/server/index.ts';
import type { FindingDetail } from '../api/routes.ts';
import type { FindingItem } from './queries/read-finding-rows.ts';
import type { FindingText } from './queries/read-finding-text.ts';

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
