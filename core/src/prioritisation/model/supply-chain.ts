import type { NormalizedFinding } from '@breakwater/sdk';
import { BY_CWE, BY_RULE, BY_TYPE, type SupplyChainTopic } from './supply-chain-rules.ts';

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
