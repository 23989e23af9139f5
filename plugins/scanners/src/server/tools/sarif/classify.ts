import type { FindingType } from '@breakwater/sdk';

const BY_TOOL: readonly (readonly [RegExp, FindingType])[] = [
  [/gitleaks|trufflehog|detect-secrets|secret/i, 'Secrets'],
  [
    /checkov|bridgecrew|prisma|kics|tfsec|terrascan|tflint|hadolint|kube-?linter|kubescape|cfn[-_]?(?:lint|nag)|regula/i,
    'IaC',
  ],
  [/dockle|clair|docker scout/i, 'Container'],
  [/dependency-?check|osv-scanner|npm.audit|black ?duck|snyk open source|retire/i, 'SCA'],
  [/\bzap\b|nuclei|burp|dastardly/i, 'DAST'],
  [/clamav|yara/i, 'Malware'],
  [/scorecard|chain-?bench/i, 'Supply chain'],
  [/zizmor|poutine|actionlint/i, 'CI/CD'],
];

export interface Evidence {
  toolName: string;
  ruleId: string;
  tags: readonly string[];
  /** True when the result names a package. */
  hasComponent: boolean;
}

/** Family of a result. The rule says more than the tool: Trivy writes vulnerabilities, secrets and checks in one run. */
export function typeOf({ toolName, ruleId, tags, hasComponent }: Evidence): FindingType {
  const marks = tags.map((tag) => tag.toLowerCase());
  if (marks.includes('secret') || marks.includes('secrets')) return 'Secrets';
  if (marks.includes('misconfiguration')) return 'IaC';
  if (marks.includes('license')) return 'License';
  const known = BY_TOOL.find(([pattern]) => pattern.test(toolName))?.[1];
  if (known !== undefined) return known;
  return hasComponent || /^(?:CVE-\d{4}-\d+|GHSA-|BDSA-|RHSA-|DSA-|ALAS|GO-\d{4}-|PYSEC-|RUSTSEC-|SNYK-)/i.test(ruleId)
    ? 'SCA'
    : 'SAST';
}
