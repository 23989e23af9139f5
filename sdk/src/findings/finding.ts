/** Severity of a finding, worst first. Source: decisions.md "States". */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'informational'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Family of a finding. Source: decisions.md "States". */
export const FINDING_TYPES = [
  'SAST',
  'DAST',
  'SCA',
  'Container',
  'IaC',
  'Cloud',
  'Secrets',
  'CI/CD',
  'License',
  'Supply chain',
  'SBOM',
  'Malware',
  'Configuration',
] as const;
export type FindingType = (typeof FINDING_TYPES)[number];

/** A place in a file. Lines and columns are 1-based; absent means the tool did not say. */
export interface Location {
  /** Path as the tool wrote it, `\` turned into `/`, without a leading `./`. */
  path: string;
  startLine?: number;
  endLine?: number;
  startColumn?: number;
  endColumn?: number;
  /** Source text at the place, as reported. */
  snippet?: string;
  /** What happens here, for steps of a code flow. */
  message?: string;
}

/** The software package a finding is about. */
export interface AffectedComponent {
  name: string;
  version?: string;
  /** Package URL, when the tool gives one. */
  purl?: string;
  /** Lowest version without the vulnerability; several are joined by ", ". */
  fixedVersion?: string;
  /** Ecosystem as in purl types: npm, maven, pypi, golang, deb ... */
  ecosystem?: string;
}

/** Exploit Prediction Scoring System value as the tool reported it. Probability and percentile are 0-1. */
export interface Epss {
  probability: number;
  percentile?: number;
  date?: string;
}

/**
 * Request and answer by which a scanner of a running application shows what it found, as they went over the wire: first line, headers, blank
 * line, body. Hand them over as the report has them: the host masks the secrets in them before it stores them.
 */
export interface HttpExchange {
  request?: string;
  response?: string;
  /** A command that sends the request again: `curl -X POST …`. */
  curl?: string;
}

/**
 * One result of a report in Breakwater's words. Parsers yield one per result, nothing merged.
 * Only `ruleId`, `title`, `type` and `severity` are required; an absent field means the tool did not say.
 */
export interface NormalizedFinding {
  kind: 'finding';
  /** Stable name of the rule, check or vulnerability: `CVE-2023-44487`, `B101`, `aws-access-token`. */
  ruleId: string;
  /** One line for people, at most 500 characters. */
  title: string;
  type: FindingType;
  severity: Severity;
  /**
   * Name of the tool that made the result, where many tools write the format (SARIF). It is what people read, filter and export; what makes a
   * finding the same, and what a report may close, goes by the importer.
   */
  tool?: string;
  /** The tool's own word for the severity, unchanged. */
  nativeSeverity?: string;
  /** 0-100, where the tool gives a finer scale than a word. */
  severityNumerical?: number;
  /** Plain text or Markdown. */
  description?: string;
  /** What to do, plain text or Markdown. */
  mitigation?: string;
  /** Numbers only: CWE-79 is 79. */
  cwe?: number[];
  /** CVE id, when there is one. */
  cve?: string;
  /** Every identifier of the vulnerability, CVE included: CVE, GHSA, DSA ... */
  aliases?: string[];
  cvssScore?: number;
  cvssVector?: string;
  epss?: Epss;
  /** http(s) links only. */
  references?: string[];
  component?: AffectedComponent;
  /** Most important place first. */
  locations?: Location[];
  /** Steps from source to sink, each flow in order. */
  codeFlows?: Location[][];
  /** Digest of the secret (never the secret itself), to recognise it again. */
  secretHash?: string;
  /** The tool's own fingerprint, stable across runs of that tool. */
  fingerprint?: string;
  /** Cloud resource, container image or Kubernetes object the finding is about. */
  resource?: string;
  /** Takes no part in what makes a finding the same: dates and session ids in it differ from scan to scan. */
  http?: HttpExchange;
  /** Policy, benchmark or ruleset the check belongs to. */
  policy?: { name?: string; category?: string; control?: string };
  /** Marked in the report itself as not to be acted on. */
  /** `mitigated_externally`: the report itself says that it is fixed. */
  suppressed?: { verdict: 'false_positive' | 'accepted_risk' | 'mitigated_externally'; reason?: string };
  /** ISO 8601 time at which the tool saw it; absent means the scan's time. */
  date?: string;
  /** ISO 8601 time at which the vulnerability was made public, which says nothing of when it was found. */
  published?: string;
  tags?: string[];
  /** Programming language in lower case. */
  language?: string;
}

/** One package of an inventory. */
export interface Component {
  kind: 'component';
  /** Identifier inside the report, target of `dependsOn`. */
  ref: string;
  name: string;
  version?: string;
  group?: string;
  purl?: string;
  /** library, application, framework, container, operating-system, file ... */
  type?: string;
  /** SPDX ids, expressions or names as written. */
  licenses?: string[];
  description?: string;
  /** Refs of the components this one needs. */
  dependsOn?: string[];
  /** True when the root depends on it directly; absent when the report does not say. */
  direct?: boolean;
  scope?: 'required' | 'optional' | 'excluded';
}
