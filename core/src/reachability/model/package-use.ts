/** Ecosystems whose imports are read, by the type of a package URL. */
export const COVERED_ECOSYSTEMS = ['npm', 'pypi', 'maven', 'golang'] as const;
export type CoveredEcosystem = (typeof COVERED_ECOSYSTEMS)[number];

export const isCovered = (ecosystem: string): ecosystem is CoveredEcosystem =>
  COVERED_ECOSYSTEMS.some((covered) => covered === ecosystem);

/**
 * How the application's own code uses a package: it imports it, it comes only with another package, it is a dependency that nothing
 * imports, or that cannot be said.
 */
export const PACKAGE_USES = ['imported', 'transitive', 'not_imported', 'unknown'] as const;
export type PackageUse = (typeof PACKAGE_USES)[number];

/** Uses that make a flaw of the package harder to exploit: its findings are scored with them. */
export const REDUCING_USES: readonly PackageUse[] = ['transitive', 'not_imported'];

/** What the application's own code imports under one name. */
export interface ImportedName {
  /** As the language writes it. */
  name: string;
  /** Number of files that import it. */
  files: number;
  /** The first of them, by path. */
  path: string;
  line: number;
}

/** What is known of one ecosystem in one commit. */
export interface EcosystemImports {
  ecosystem: CoveredEcosystem;
  imports: ImportedName[];
  /** Packages that the application's manifests name as its own dependencies; undefined where there is no manifest that can be read. */
  declared: string[] | undefined;
  /** Packages under another name than their own (`npm:` aliases): from the name that is imported to the package. */
  aliases: Readonly<Record<string, string>>;
  /** Something is imported under a name that is only known at run time. */
  isDynamic: boolean;
  /** Every source file was read. */
  isComplete: boolean;
}

export interface UseOfPackage {
  use: PackageUse;
  /** What imports it; undefined unless it is imported. */
  by?: ImportedName;
}

/** The package that a finding is about. */
export interface PackageRef {
  ecosystem: CoveredEcosystem;
  /** As people of the ecosystem write it; of Maven `group:artifact`. */
  name: string;
}

/** What tools call the ecosystems where they write no package URL. */
const ECOSYSTEM_OF: Readonly<Record<string, CoveredEcosystem>> = {
  ...{ 'node-pkg': 'npm', nodejs: 'npm', yarn: 'npm', pnpm: 'npm', javascript: 'npm' },
  ...{ 'python-pkg': 'pypi', python: 'pypi', pip: 'pypi', pipenv: 'pypi', poetry: 'pypi', uv: 'pypi' },
  ...{ jar: 'maven', pom: 'maven', gradle: 'maven', 'java-archive': 'maven' },
  ...{ go: 'golang', gomod: 'golang', gobinary: 'golang', 'go-module': 'golang' },
};

const coveredOf = (written: string): CoveredEcosystem | undefined => {
  const name = written.toLowerCase();
  if (isCovered(name)) return name;
  return Object.hasOwn(ECOSYSTEM_OF, name) ? ECOSYSTEM_OF[name] : undefined;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Type and path of a package URL. Tools write some by hand, with an `@scope` that is not encoded. */
const partsOfPurl = (purl: string): { type: string; path: string } | undefined => {
  const [, type, rest] = /^pkg:\/*([a-z0-9.+-]+)\/([^?#]+)/i.exec(purl) ?? [];
  if (type === undefined || rest === undefined) return undefined;
  const version = rest.indexOf('@', rest.lastIndexOf('/') + 2);
  const path = version < 0 ? rest : rest.slice(0, version);
  return { type: type.toLowerCase(), path: path.split('/').filter(Boolean).map(decoded).join('/') };
};

/** Whether a name can be that of a package: others are of no use to say "no manifest names it". */
const isWhole: Readonly<Record<CoveredEcosystem, (name: string) => boolean>> = {
  npm: (name) => name !== 'node',
  pypi: (name) => name.toLowerCase() !== 'python',
  maven: (name) => /^[^:]+:[^:]+$/.test(name),
  // the standard library and the compiler have no dot before their first slash; all programs use them
  golang: (name) => (name.split('/', 1)[0] ?? '').includes('.'),
};

/**
 * The package of a component, by its package URL or else by its ecosystem and name; undefined where its ecosystem is not covered or its
 * name does not say which package it is.
 */
export const packageOf = (component: {
  name: string;
  ecosystem: string | null;
  purl: string | null;
}): PackageRef | undefined => {
  const purl = component.purl === null ? undefined : partsOfPurl(component.purl);
  const ecosystem = coveredOf(purl?.type ?? component.ecosystem ?? '');
  if (ecosystem === undefined) return undefined;
  const written = purl?.path ?? component.name;
  const name = ecosystem === 'maven' ? written.replace(/\/(?=[^/]*$)/, ':') : written;
  return isWhole[ecosystem](name) ? { ecosystem, name } : undefined;
};
