import type { FindingType, Severity } from '@breakwater/sdk';
import { cvssShares } from './cvss-shares.ts';
import type { EpssEntry, KevEntry, ReferenceData } from './reference.ts';
import { hardestClassOf } from './weakness-classes.ts';

/** Work of an upgrade, 0-100. Source: semantic versioning 2.0, items 4, 6-8. */
export const UPGRADE_EFFORT = { patch: 10, minor: 15, unclear: 30, breaking: 55, none: 80 } as const;

/** Packages of an operating system are rebuilt with the image and keep their interfaces within a release. */
const SYSTEM_ECOSYSTEMS: readonly string[] = ['deb', 'rpm', 'apk', 'alpm', 'ebuild'];
const SYSTEM_EFFORT = 15;

type Version = readonly [major: number, minor: number, patch: number];

const versionOf = (text: string): Version | undefined => {
  const [, major, minor = '0', patch = '0'] =
    /^[v=<>~^\s]*(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?/i.exec(text.trim()) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
};

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

const stepTo = (from: Version, to: Version): number => {
  // before 1.0 a minor version may break
  const isSameLine = from[0] === to[0] && (from[0] > 0 || from[1] === to[1]);
  if (!isSameLine) return UPGRADE_EFFORT.breaking;
  return from[1] === to[1] ? UPGRADE_EFFORT.patch : UPGRADE_EFFORT.minor;
};

/** Effort of bringing a package to the nearest version without the error. Pure. */
export const upgradeEffort = (component: {
  version?: string | null | undefined;
  fixedVersion?: string | null | undefined;
  ecosystem?: string | null | undefined;
}): number => {
  const { version, fixedVersion, ecosystem } = component;
  if (fixedVersion === undefined || fixedVersion === null || fixedVersion.trim() === '') return UPGRADE_EFFORT.none;
  if (ecosystem !== undefined && ecosystem !== null && SYSTEM_ECOSYSTEMS.includes(ecosystem)) return SYSTEM_EFFORT;
  const from = versionOf(version ?? '');
  const to = fixedVersion.split(/[,|\s]+/).flatMap((text) => {
    const fixed = versionOf(text);
    return fixed === undefined ? [] : [fixed];
  });
  if (from === undefined || to.length === 0) return UPGRADE_EFFORT.unclear;
  const newer = to.filter((fixed) => compare(fixed, from) >= 0);
  return newer.length === 0 ? UPGRADE_EFFORT.unclear : Math.min(...newer.map((fixed) => stepTo(from, fixed)));
};

/** All that the estimates rest on. What is absent is not known. */
export interface EstimateFacts {
  type: FindingType;
  severity: Severity;
  cvssScore?: number | undefined;
  cvssVector?: string | undefined;
  cwe: readonly number[];
  /** Set where the finding speaks of a published flaw of a package. */
  component?:
    | {
        version?: string | null | undefined;
        fixedVersion?: string | null | undefined;
        ecosystem?: string | null | undefined;
      }
    | undefined;
  kev?: KevEntry | undefined;
  epss?: EpssEntry | undefined;
  likelihood?: 'High' | 'Medium' | 'Low' | undefined;
}

/** Whole numbers, 0-100. Higher is more work, easier to exploit, worse. */
export interface Estimates {
  effort: number;
  exploitability: number;
  impact: number;
}

const SEVERITY_SHARE = { critical: 0.95, high: 0.75, medium: 0.5, low: 0.25, informational: 0.05 } as const;
const LIKELIHOOD_SHARE = { High: 0.8, Medium: 0.5, Low: 0.25 } as const;
/** A credential serves whoever reads it. */
const SECRET_SHARE = 0.9;
/** What is exploited in the wild is exploited easily enough. */
const KEV_LEAST = 0.95;

/** Where neither a weakness nor a package says more. */
const EFFORT_BY_TYPE: Readonly<Record<FindingType, number>> = {
  SAST: 40,
  DAST: 45,
  SCA: 80,
  Container: 10,
  IaC: 10,
  Cloud: 20,
  Secrets: 30,
  'CI/CD': 15,
  License: 60,
  'Supply chain': 30,
  SBOM: 40,
  Malware: 50,
  Configuration: 10,
};
/** Families whose results are mended where they stand, whatever weakness they name. */
const ONE_PLACE: readonly FindingType[] = [
  'IaC',
  'Cloud',
  'CI/CD',
  'Configuration',
  'Secrets',
  'License',
  'Malware',
  'Supply chain',
  'Container',
];

const percent = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 100);

const effortOf = (facts: EstimateFacts, reference: Pick<ReferenceData, 'cwe'>): number => {
  if (facts.component !== undefined) return upgradeEffort(facts.component);
  if (ONE_PLACE.includes(facts.type)) return EFFORT_BY_TYPE[facts.type];
  return hardestClassOf(facts.cwe, reference)?.effort ?? EFFORT_BY_TYPE[facts.type];
};

const easeWithoutVector = ({ type, severity, likelihood }: EstimateFacts): number => {
  if (type === 'Secrets') return SECRET_SHARE;
  const bySeverity = SEVERITY_SHARE[severity];
  return likelihood === undefined ? bySeverity : (bySeverity + LIKELIHOOD_SHARE[likelihood]) / 2;
};

/** The prediction takes its share of what is left up to certainty. */
const exploitabilityOf = (facts: EstimateFacts): number => {
  const ease = cvssShares(facts.cvssVector)?.exploitability ?? easeWithoutVector(facts);
  const probability = Math.min(1, Math.max(0, facts.epss?.probability ?? 0));
  const predicted = ease + (1 - ease) * probability;
  return facts.kev === undefined ? predicted : Math.max(predicted, KEV_LEAST);
};

const impactOf = ({ cvssVector, cvssScore, severity }: EstimateFacts): number =>
  cvssShares(cvssVector)?.impact ?? (cvssScore === undefined ? SEVERITY_SHARE[severity] : cvssScore / 10);

/**
 * Effort of the repair, ease of exploitation and impact by written rules: CVSS parts, else severity and the weakness's
 * likelihood, raised by EPSS and KEV; effort by upgrade, weakness class or family. Pure. Source: decisions.md "Scores".
 */
export const estimate = (facts: EstimateFacts, reference: Pick<ReferenceData, 'cwe'>): Estimates => ({
  effort: effortOf(facts, reference),
  exploitability: percent(exploitabilityOf(facts)),
  impact: percent(impactOf(facts)),
});
