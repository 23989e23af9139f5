/** Categories of the connector catalogue with their titles, in the order of the screens. Source: specification §9. */
export const CATEGORIES = {
  'source-control': 'Source control',
  sast: 'SAST',
  dast: 'DAST',
  'secrets-pii-scan': 'Secrets and personal data',
  sca: 'SCA',
  registry: 'Registry',
  'container-security': 'Container security',
  miscellaneous: 'Miscellaneous',
  'cloud-deployment': 'Cloud deployment',
  cnapp: 'CNAPP',
  webhook: 'Webhook',
  'threat-detection': 'Threat detection',
  'scm-security': 'Source control security',
  'ci-cd-posture': 'CI/CD posture',
  license: 'License',
  iac: 'Infrastructure as code',
  sbom: 'SBOM',
} as const;

export type CategoryKey = keyof typeof CATEGORIES;

/** True when `key` is one of the 17 categories. */
export function isCategoryKey(key: string): key is CategoryKey {
  return Object.hasOwn(CATEGORIES, key);
}

/**
 * Address of a card: category key and title in lower case without spaces, `sast/opengrep`.
 * A title may hold a slash: `ci-cd-posture/kicsci/cd`. Source: specification §3 "Connector catalogue".
 */
export function connectorAddress(category: CategoryKey, title: string): string {
  return `${category}/${title.toLowerCase().replace(/\s+/g, '')}`;
}
