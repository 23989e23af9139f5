import type { FindingType, NormalizedFinding } from '@breakwater/sdk';
import type { CweEntry, EpssEntry, KevEntry, ReferenceData } from './reference.ts';
import { supplyChainOf } from './supply-chain.ts';

/** What public data adds to a finding. */
export interface Enrichment {
  owasp2021: string | undefined;
  owasp2025: string | undefined;
  /** For people: OWASP category of code, else the kind of error. */
  category: string;
  kev: KevEntry | undefined;
  epss: EpssEntry | undefined;
  likelihood: CweEntry['likelihood'];
  /** SLSA v1.0 threats, A-H. */
  slsaThreats: string[];
  /** OWASP CI/CD risks, `CICD-SEC-4`. */
  owaspCicd: string[];
}

/** Known-vulnerable components have a category of their own in both editions. */
const COMPONENT_OWASP_2021 = 'A06:2021';
const COMPONENT_OWASP_2025 = 'A03:2025';

const FIXED_CATEGORIES: Partial<Record<FindingType, string>> = {
  SCA: 'Vulnerable dependency',
  Secrets: 'Exposed secret',
  IaC: 'Misconfiguration',
  Cloud: 'Misconfiguration',
  Configuration: 'Misconfiguration',
  'CI/CD': 'CI/CD posture',
  License: 'License',
  'Supply chain': 'Supply chain',
  SBOM: 'Inventory',
  Malware: 'Malware',
};

const LIKELIHOOD_ORDER = ['High', 'Medium', 'Low'] as const;

/** The finding speaks of a published flaw in somebody else's package. */
export const isVulnerableComponent = (finding: NormalizedFinding): boolean =>
  finding.component !== undefined &&
  (finding.type === 'SCA' || finding.type === 'Container' || finding.type === 'SBOM');

const categoryOf = (finding: NormalizedFinding, owasp2025: string | undefined, reference: ReferenceData): string => {
  if (isVulnerableComponent(finding)) return 'Vulnerable dependency';
  const fixed = FIXED_CATEGORIES[finding.type];
  if (fixed !== undefined) return fixed;
  const title = owasp2025 === undefined ? undefined : reference.owaspTitle(owasp2025);
  if (title !== undefined) return title;
  if (finding.type === 'Container') return 'Misconfiguration';
  return finding.type === 'DAST' ? 'Web weakness' : 'Code weakness';
};

const isShare = (value: number): boolean => value >= 0 && value <= 1;

/** The report's own value wins only where it is dated and newer than ours. */
const newestEpss = (reported: EpssEntry | undefined, ours: EpssEntry | undefined): EpssEntry | undefined => {
  const own = reported !== undefined && isShare(reported.probability) ? reported : undefined;
  if (own === undefined || ours === undefined) return own ?? ours;
  return own.date !== undefined && own.date > (ours.date ?? '') ? own : ours;
};

/** What is known of the exploitation of a vulnerability under any of its names. `epss` is the report's own prediction. Pure. */
export const exploitFacts = (
  { cve, aliases, epss }: { cve: string | undefined; aliases: readonly string[]; epss: EpssEntry | undefined },
  reference: Pick<ReferenceData, 'kev' | 'epss'>,
): Pick<Enrichment, 'kev' | 'epss'> => {
  const names = cve === undefined ? aliases : [cve, ...aliases];
  const first = <T>(find: (name: string) => T | undefined): T | undefined => {
    for (const name of names) {
      const found = find(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return { kev: first(reference.kev), epss: newestEpss(epss, first(reference.epss)) };
};

/** The highest likelihood among weaknesses. */
export const likelihoodOf = (cwe: readonly number[], reference: Pick<ReferenceData, 'cwe'>): Enrichment['likelihood'] =>
  LIKELIHOOD_ORDER.find((word) => cwe.some((id) => reference.cwe(id)?.likelihood === word));

/** The report's own prediction, where it is one. */
export const reportedEpss = ({ epss }: NormalizedFinding): EpssEntry | undefined =>
  epss !== undefined && isShare(epss.probability) ? epss : undefined;

/** Adds OWASP, KEV, EPSS, likelihood, category and supply chain. Pure: the same finding and data give the same answer. */
export const enrich = (
  finding: NormalizedFinding,
  { tool, reference }: { tool: string; reference: ReferenceData },
): Enrichment => {
  const weaknesses = (finding.cwe ?? []).flatMap((id) => reference.cwe(id) ?? []);
  const isComponent = isVulnerableComponent(finding);
  const owasp2021 = isComponent ? COMPONENT_OWASP_2021 : weaknesses.find((entry) => entry.owasp2021)?.owasp2021;
  const owasp2025 = isComponent ? COMPONENT_OWASP_2025 : weaknesses.find((entry) => entry.owasp2025)?.owasp2025;
  return {
    owasp2021,
    owasp2025,
    category: categoryOf(finding, owasp2025, reference),
    ...exploitFacts({ cve: finding.cve, aliases: finding.aliases ?? [], epss: finding.epss }, reference),
    ...supplyChainOf(tool, finding),
    likelihood: likelihoodOf(finding.cwe ?? [], reference),
  };
};
