import type { FindingType, NormalizedFinding } from '@breakwater/sdk';
import { isPostureCheck, POSTURE_TOOL, POSTURE_TOPICS } from '../../platform/model/posture-checks.ts';

/** Where in the supply chain a finding bites. SLSA v1.0 threats A-H; OWASP CI/CD risks by number, 1-10. */
export interface SupplyChainTopic {
  readonly slsa?: readonly string[];
  readonly cicd?: readonly number[];
}

/** What a whole family says, whatever its rule. A weakness of the product's own code is no threat to its supply chain. */
export const BY_TYPE: Readonly<Partial<Record<FindingType, SupplyChainTopic>>> = {
  SCA: { slsa: ['D'], cicd: [3] },
  SBOM: { slsa: ['D'], cicd: [3] },
  'Supply chain': { slsa: ['D'], cicd: [3] },
  // whoever has a key of the pipeline or the repository submits what they like
  Secrets: { slsa: ['B'], cicd: [6] },
  Malware: { slsa: ['H'] },
  'CI/CD': { slsa: ['E'], cicd: [7] },
};

/** Weaknesses that speak of the chain even in the product's own code. Source: CWE 4.15 descriptions. */
export const BY_CWE: ReadonlyMap<number, SupplyChainTopic> = new Map([
  // embedded malicious code and its kinds
  ...[506, 507, 508, 509, 510, 511, 512, 912].map((id): [number, SupplyChainTopic] => [id, { slsa: ['A'], cicd: [1] }]),
  // credentials in code or files
  ...[259, 321, 522, 798, 312, 540].map((id): [number, SupplyChainTopic] => [id, { slsa: ['B'], cicd: [6] }]),
  // code or data taken in without checking where it comes from
  ...[345, 347, 353, 494, 565].map((id): [number, SupplyChainTopic] => [id, { slsa: ['D'], cicd: [9] }]),
  ...[426, 427, 829, 830].map((id): [number, SupplyChainTopic] => [id, { slsa: ['D'], cicd: [3, 8] }]),
  // components that are known to be weak or not maintained
  ...[937, 1035, 1104, 1329, 1357, 1395].map((id): [number, SupplyChainTopic] => [id, { slsa: ['D'], cicd: [3] }]),
]);

interface RuleEntry extends SupplyChainTopic {
  /** Against `<tool> <rule id> <title>`. */
  readonly rule: RegExp;
}

/**
 * What single rules say. The first that matches wins over family and weakness.
 * Source: rule indexes of Checkov, KICS (CICD) and CIS Software Supply Chain Security Guide 1.0 for chain-bench; OWASP CI/CD 2022.
 */
export const BY_RULE: readonly RuleEntry[] = [
  // ── Checkov: GitHub Actions ──
  { rule: /^checkov CKV_GHA_1\b/, slsa: ['E'], cicd: [4] },
  { rule: /^checkov CKV_GHA_2\b/, slsa: ['E'], cicd: [4] },
  { rule: /^checkov CKV_GHA_[34]\b/, slsa: ['E'], cicd: [4, 6] },
  { rule: /^checkov CKV_GHA_[56]\b/, slsa: ['F'], cicd: [9] },
  { rule: /^checkov CKV_GHA_7\b/, slsa: ['E'], cicd: [4] },
  { rule: /^checkov CKV2_GHA_1\b/, slsa: ['E'], cicd: [5] },
  // ── Checkov: what runs in other pipelines ──
  {
    rule: /^checkov CKV_(CIRCLECIPIPELINES|AZUREPIPELINES|BITBUCKETPIPELINES|ARGO|GITLABCI)_/,
    slsa: ['E'],
    cicd: [4, 7],
  },
  // ── Checkov: settings of the source control ──
  { rule: /^checkov CKV_(GITHUB|GITLAB|BITBUCKET)_\d+ .*(two-factor|2fa|mfa|sso|ip allow)/i, slsa: ['B'], cicd: [2] },
  { rule: /^checkov CKV_(GITHUB|GITLAB|BITBUCKET)_\d+ .*webhook/i, slsa: ['B'], cicd: [7] },
  { rule: /^checkov CKV2?_(GITHUB|GITLAB|BITBUCKET|GIT)_/, slsa: ['A'], cicd: [1] },
  // ── registries of images ──
  { rule: /^checkov CKV_(AWS_51|AWS_163|GCP_84|AZURE_16[3-9])\b/, slsa: ['G'], cicd: [9] },
  // ── KICS: CICD queries, by title ──
  { rule: /^kics \S+ .*unpinned (actions|package)/i, slsa: ['D', 'E'], cicd: [3, 8] },
  { rule: /^kics \S+ .*(script|run) block injection/i, slsa: ['E'], cicd: [4] },
  { rule: /^kics \S+ .*unsecured commands/i, slsa: ['E'], cicd: [4] },
  // Tool, rule and title: at most 2,000 characters.
  { rule: /^kics \S+ .*(permission|token)s? .*(workflow|job)/i, slsa: ['E'], cicd: [5] },
  // ── chain-bench: sections of the CIS guide ──
  { rule: /^chainbench 1\.1(\.|\b)/, slsa: ['A'], cicd: [1] },
  { rule: /^chainbench 1\.2(\.|\b)/, slsa: ['B'], cicd: [2] },
  { rule: /^chainbench 1\.3(\.|\b)/, slsa: ['B'], cicd: [2] },
  { rule: /^chainbench 1\.4(\.|\b)/, slsa: ['B'], cicd: [8] },
  { rule: /^chainbench 1\.5(\.|\b)/, slsa: ['A'], cicd: [6] },
  { rule: /^chainbench 2\.1(\.|\b)/, slsa: ['E'], cicd: [7] },
  { rule: /^chainbench 2\.2(\.|\b)/, slsa: ['E'], cicd: [5] },
  { rule: /^chainbench 2\.3(\.|\b)/, slsa: ['C', 'E'], cicd: [4] },
  { rule: /^chainbench 2\.4(\.|\b)/, slsa: ['E', 'F'], cicd: [9] },
  { rule: /^chainbench 3(\.|\b)/, slsa: ['D'], cicd: [3] },
  { rule: /^chainbench 4\.1(\.|\b)/, slsa: ['F'], cicd: [9] },
  { rule: /^chainbench 4\.[234](\.|\b)/, slsa: ['G'], cicd: [9] },
  { rule: /^chainbench 5(\.|\b)/, slsa: ['H'], cicd: [7] },
  // ── names that somebody else may take ──
  { rule: /^dustilock /, slsa: ['D', 'G'], cicd: [3] },
];

/** Supply-chain category of each SLSA v1.0 threat. Source: decisions.md "States". */
export const SLSA_GROUPS = {
  A: 'source',
  B: 'source',
  C: 'source',
  D: 'dependencies',
  E: 'build',
  F: 'build',
  G: 'build',
  H: 'build',
} as const;

/** What a finding means for the supply chain; empty lists where it means nothing. */
export interface SupplyChain {
  /** SLSA v1.0 threats, A-H, in order. */
  slsaThreats: string[];
  /** OWASP CI/CD risks, `CICD-SEC-1` to `CICD-SEC-10`, in order. */
  owaspCicd: string[];
}

type Facts = Pick<NormalizedFinding, 'ruleId' | 'title' | 'type' | 'cwe' | 'component'>;

const placesOf = (tool: string, finding: Facts): SupplyChainTopic[] => {
  if (tool === POSTURE_TOOL && isPostureCheck(finding.ruleId)) return [POSTURE_TOPICS[finding.ruleId]];
  const name = `${tool} ${finding.ruleId} ${finding.title}`;
  const ofRule = BY_RULE.find((entry) => entry.rule.test(name));
  if (ofRule !== undefined) return [ofRule];
  const ofWeaknesses = (finding.cwe ?? []).flatMap((id) => BY_CWE.get(id) ?? []);
  // a package of an image is somebody else's code as well; a weakness of a package is not the product's own
  const isPackage = finding.component !== undefined && (finding.type === 'SCA' || finding.type === 'Container');
  const ofType = isPackage ? BY_TYPE.SCA : BY_TYPE[finding.type];
  if (isPackage) return ofType === undefined ? [] : [ofType];
  return [...(ofType === undefined ? [] : [ofType]), ...ofWeaknesses];
};

/**
 * SLSA threats and OWASP CI/CD risks of a finding, from written tables: the rule first, else family and weaknesses.
 * Pure. Source: specification §3 (slsa_threats, owasp_cicd), decisions.md "States".
 */
export const supplyChainOf = (tool: string, finding: Facts): SupplyChain => {
  const places = placesOf(tool, finding);
  const threats = new Set(places.flatMap(({ slsa }) => slsa ?? []));
  const risks = new Set(places.flatMap(({ cicd }) => cicd ?? []));
  return {
    slsaThreats: [...threats].sort(),
    owaspCicd: [...risks].sort((a, b) => a - b).map((number) => `CICD-SEC-${number}`),
  };
};
