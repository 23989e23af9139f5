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
  webhook: 'Tickets and messages',
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

/** Everything a connector can do beyond having a card, with the versions of each contract that this package speaks, newest last. */
export const CAPABILITY_VERSIONS = {
  check: [1],
  scm: [1],
  parser: [1],
  scanner: [1],
  cloud: [1],
  remediator: [1],
  tickets: [1],
  notify: [1],
  findings: [1],
  routes: [1],
  webhook: [1],
  migrate: [1],
} as const satisfies Record<string, readonly number[]>;

export type CapabilityName = keyof typeof CAPABILITY_VERSIONS;

export const CAPABILITY_NAMES = Object.keys(CAPABILITY_VERSIONS).filter(isCapabilityName);

export function isCapabilityName(name: string): name is CapabilityName {
  return Object.hasOwn(CAPABILITY_VERSIONS, name);
}

/** Versions of capabilities that a connector was written for: `{ findings: [1, 2] }` or `{ check: 1 }`. Left out: 1. */
export type DeclaredCapabilities = { readonly [Name in CapabilityName]?: number | readonly number[] };

/** The version that both sides speak, or why there is none. */
export type Negotiated = { readonly version: number } | { readonly refusal: string };

/** The highest common version of one capability. The refusal says which side is too old. */
export function negotiate(
  name: CapabilityName,
  declared: DeclaredCapabilities[CapabilityName],
  spoken: readonly number[] = CAPABILITY_VERSIONS[name],
): Negotiated {
  const wanted = declared === undefined ? [1] : [declared].flat();
  const version = Math.max(...wanted.filter((candidate) => spoken.includes(candidate)), 0);
  if (version > 0) return { version };
  const newest = Math.max(...spoken);
  const who = Math.min(...wanted) > newest ? 'this Breakwater is too old' : 'the connector is too old';
  return { refusal: `${name}: the connector speaks ${wanted.join(', ')}, the host ${spoken.join(', ')}; ${who}` };
}
