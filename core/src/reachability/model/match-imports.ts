import { JAVA_PACKAGES, PYTHON_MODULES } from './import-names.ts';
import type { CoveredEcosystem, EcosystemImports, ImportedName, UseOfPackage } from './package-use.ts';

/** PEP 503: case and the kind of separator do not tell distributions apart. */
export const normalPythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** `@scope/name/file` and `name/file` belong to `@scope/name` and `name`. */
export const npmPackageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

/** An own entry: names come from strangers, and `constructor` is one. */
const entryOf = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Deeper names than this have the package among their first parts too. */
const MAX_PARTS = 24;

/** `a`, `a.b` and `a.b.c` of `a.b.c`. */
const prefixes = (name: string, separator: string): string[] => {
  const parts = name.split(separator, MAX_PARTS);
  return parts.map((_, last) => parts.slice(0, last + 1).join(separator));
};

const mavenParts = (name: string): [group: string, artifact: string] => {
  const [group = '', artifact = ''] = name.split(/[:/]/);
  return [group, artifact];
};

interface Matching {
  /** Keys under which what is imported by a name is found. */
  keysOf(name: string, aliases: EcosystemImports['aliases']): string[];
  /** Keys that say that a package is imported. */
  keysOfPackage(component: string): readonly string[];
  normal(component: string): string;
}

/** Names of distributions and of modules are looked up beside each other. */
const distribution = (name: string): string => `distribution ${name}`;

const MATCHING: Readonly<Record<CoveredEcosystem, Matching>> = {
  npm: {
    keysOf: (name, aliases) => {
      const own = npmPackageOf(name);
      return [entryOf(aliases, own) ?? own];
    },
    keysOfPackage: (component) => [component],
    normal: (name) => name,
  },
  pypi: {
    // `azure.storage.blob` belongs to azure-storage-blob: the name of a distribution is often its modules' path
    keysOf: (name) => prefixes(name, '.').flatMap((module) => [module, distribution(normalPythonName(module))]),
    keysOfPackage: (component) => entryOf(PYTHON_MODULES, component) ?? [distribution(component)],
    normal: normalPythonName,
  },
  maven: {
    keysOf: (name) => prefixes(name, '.'),
    keysOfPackage: (component) => {
      const [group] = mavenParts(component);
      return entryOf(JAVA_PACKAGES, component) ?? entryOf(JAVA_PACKAGES, group) ?? [group];
    },
    normal: (name) => mavenParts(name).join(':'),
  },
  golang: {
    // package URLs are in lower case, imports are not
    keysOf: (name) => prefixes(name.toLowerCase(), '/'),
    keysOfPackage: (component) => [component],
    normal: (name) => name.toLowerCase(),
  },
};

/** Says of each package how the code uses it. */
export type UseReader = (component: string) => UseOfPackage;

/**
 * Reads what is known once, so that thousands of packages are looked up quickly. "Nothing imports it" is only said where every source file
 * was read and nothing is imported under a computed name, "only with another package" only where the manifests were read.
 */
export const createUseReader = (known: EcosystemImports): UseReader => {
  const { ecosystem, imports, declared, aliases } = known;
  const { keysOf, keysOfPackage, normal } = MATCHING[ecosystem];
  const importing = new Map<string, { by: ImportedName; at: number }>();
  for (const [at, by] of imports.entries()) {
    for (const key of keysOf(by.name, aliases)) if (!importing.has(key)) importing.set(key, { by, at });
  }
  const own = declared === undefined ? undefined : new Set(declared.map(normal));
  return (component) => {
    const wanted = normal(component);
    const found = keysOfPackage(wanted).flatMap((key) => importing.get(key) ?? []);
    const [first] = found.sort((a, b) => a.at - b.at);
    if (first !== undefined) return { use: 'imported', by: first.by };
    if (!known.isComplete || known.isDynamic || own === undefined) return { use: 'unknown' };
    if (!own.has(wanted)) return { use: 'transitive' };
    // programs of Java reach much of what they use by configuration alone: drivers, implementations of interfaces, whole frameworks
    return { use: ecosystem === 'maven' ? 'unknown' : 'not_imported' };
  };
};
