// no text in this file: names of standards
import type { FindingType } from '@breakwater/sdk';

/** What a standard may speak of. */
export type Concern = 'owasp' | 'weakness' | 'component' | 'configuration' | 'secret' | 'malware' | 'pipeline';

interface Standard {
  /** For people, short: it stands in "why this score". */
  label: string;
  covers: readonly Concern[];
}

/**
 * Which findings a standard asks to be dealt with: our reading of its requirements, by kind and not control by control.
 * Keys are group and name of the setting.
 */
export const STANDARDS = {
  // the weakness (CWE) is of a class of the OWASP Top 10
  'industryStandardFrameworks.cwe': { label: 'OWASP Top 10', covers: ['owasp'] },
  // ISO/IEC 27001:2022, annex A: 5.17, 8.7, 8.8, 8.9, 8.28
  'complianceFrameworks.iso': {
    label: 'ISO 27001',
    covers: ['weakness', 'component', 'configuration', 'secret', 'malware'],
  },
  // Cybersecurity Framework 2.0: ID.RA-01, PR.PS-01, PR.PS-02, PR.PS-06
  'complianceFrameworks.nist': { label: 'NIST CSF', covers: ['weakness', 'component', 'configuration'] },
  // IT general controls: access, change management
  'complianceFrameworks.soc': { label: 'SOC 1', covers: ['secret', 'pipeline'] },
  // v4: 2.2, 5, 6.2.4, 6.3.3, 8.6.2
  'complianceStandars.pciDss4': {
    label: 'PCI DSS 4',
    covers: ['weakness', 'component', 'configuration', 'secret', 'malware'],
  },
  // v3.2.1: 2.2, 5, 6.2, 6.5
  'complianceStandars.pciDss3': { label: 'PCI DSS 3', covers: ['weakness', 'component', 'configuration', 'malware'] },
  // Regulation (EU) 2022/2554, and 2024/1774 on vulnerabilities, third-party libraries and source code
  'complianceStandars.dora': { label: 'DORA', covers: ['weakness', 'component', 'pipeline'] },
  'complianceStandars.cisBenchmarks': { label: 'CIS Benchmarks', covers: ['configuration'] },
  // trust services criteria CC6.1, CC6.8, CC7.1
  'complianceStandars.soc2': { label: 'SOC 2', covers: ['component', 'configuration', 'secret', 'malware'] },
  // application security
  'complianceStandars.iso': { label: 'ISO 27034', covers: ['weakness', 'secret'] },
  // SP 800-218: secure software development framework
  'complianceStandars.nist': { label: 'NIST SSDF', covers: ['weakness', 'component', 'pipeline'] },
} as const satisfies Readonly<Record<string, Standard>>;

export type StandardKey = keyof typeof STANDARDS;

const CONCERN_OF_TYPE: Readonly<Record<FindingType, Concern | undefined>> = {
  SAST: 'weakness',
  DAST: 'weakness',
  SCA: 'component',
  SBOM: 'component',
  Container: 'configuration',
  IaC: 'configuration',
  Cloud: 'configuration',
  Configuration: 'configuration',
  Secrets: 'secret',
  Malware: 'malware',
  'CI/CD': 'pipeline',
  'Supply chain': 'pipeline',
  License: undefined,
};

/** Packages of an image are components; how an image is built is configuration. */
const COMPONENT_CATEGORIES: readonly string[] = ['A03:2025', 'A06:2021'];

/** What a finding is about. `owasp` is its category of the OWASP Top 10, where it has one. */
export const concernsOf = ({ type, owasp }: { type: FindingType; owasp?: string | undefined }): Concern[] => {
  const isPackage = type === 'Container' && owasp !== undefined && COMPONENT_CATEGORIES.includes(owasp);
  const own = isPackage ? 'component' : CONCERN_OF_TYPE[type];
  return [...(owasp === undefined ? [] : (['owasp'] as const)), ...(own === undefined ? [] : [own])];
};
