import { JAVA_PACKAGES, PYTHON_MODULES } from './import-names.ts';

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

/** PEP 503: case and the kind of separator do not tell distributions apart. */
export const normalPythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** `@scope/name/file` and `name/file` belong to `@scope/name` and `name`. */
export const npmPackageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

const isBelow = (name: string, root: string, separator: string): boolean =>
  name === root || name.startsWith(`${root}${separator}`);

const usesPython = (name: string, distribution: string): boolean => {
  const modules = PYTHON_MODULES[distribution];
  if (modules !== undefined) return modules.some((module) => isBelow(name, module, '.'));
  // `azure.storage.blob` belongs to azure-storage-blob: the name of a distribution is often its modules' path
  const segments = name.split('.');
  return segments.some((_, last) => normalPythonName(segments.slice(0, last + 1).join('-')) === distribution);
};

/** `org.springframework:spring-core`, in tools also with a slash. */
const mavenParts = (name: string): [group: string, artifact: string] => {
  const [group = '', artifact = ''] = name.split(/[:/]/);
  return [group, artifact];
};

const usesJava = (name: string, component: string): boolean => {
  const [group, artifact] = mavenParts(component);
  const packages = JAVA_PACKAGES[`${group}:${artifact}`] ?? JAVA_PACKAGES[group] ?? [group];
  return packages.some((root) => isBelow(name, root, '.'));
};

const uses: Readonly<Record<CoveredEcosystem, (name: string, component: string) => boolean>> = {
  npm: (name, component) => npmPackageOf(name) === component,
  pypi: usesPython,
  maven: usesJava,
  golang: (name, component) => isBelow(name, component, '/'),
};

const normalName: Readonly<Record<CoveredEcosystem, (name: string) => string>> = {
  npm: (name) => name,
  pypi: normalPythonName,
  maven: (name) => mavenParts(name).join(':'),
  golang: (name) => name,
};

export interface UseOfPackage {
  use: PackageUse;
  /** What imports it; undefined unless it is imported. */
  by?: ImportedName;
}

/**
 * How the code uses a component. "Nothing imports it" is only said where every source file was read and nothing is imported under a computed
 * name, "only with another package" only where the manifests were read.
 */
export const useOfPackage = (known: EcosystemImports, component: string): UseOfPackage => {
  const { ecosystem, imports, declared, aliases } = known;
  const wanted = normalName[ecosystem](component);
  const by = imports.find(({ name }) => {
    const own = ecosystem === 'npm' ? (aliases[npmPackageOf(name)] ?? name) : name;
    return uses[ecosystem](own, wanted);
  });
  if (by !== undefined) return { use: 'imported', by };
  if (!known.isComplete || known.isDynamic || declared === undefined) return { use: 'unknown' };
  if (!declared.some((name) => normalName[ecosystem](name) === wanted)) return { use: 'transitive' };
  // programs of Java reach much of what they use by configuration alone: drivers, implementations of interfaces, whole frameworks
  return { use: ecosystem === 'maven' ? 'unknown' : 'not_imported' };
};
