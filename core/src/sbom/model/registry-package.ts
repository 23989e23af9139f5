/** Systems of deps.dev whose packages can be looked up. Source: docs.deps.dev/api/v3, "GetPackage" (November 2026). */
export const REGISTRY_SYSTEMS = ['npm', 'pypi', 'go', 'maven', 'cargo', 'nuget', 'rubygems'] as const;
export type RegistrySystem = (typeof REGISTRY_SYSTEMS)[number];

/** A package as a public registry knows it: all that is ever sent. */
export interface RegistryPackage {
  system: RegistrySystem;
  /** As deps.dev writes names: `@scope/name`, `group:artifact`, a module path. */
  name: string;
}

/** What an inventory says of a component. */
export interface NamedComponent {
  purl: string | null;
  name: string;
  group_name: string | null;
}

interface Registry {
  system: RegistrySystem;
  /** Names that the registry can have; all else would be somebody's path or address, and is not sent. */
  pattern: RegExp;
  /** Between namespace and name. */
  separator: string;
  isCaseSensitive: boolean;
}

const SEGMENT = '[\\w~!-][\\w.~!+-]*';

/** By type of package URL. */
const REGISTRIES: Readonly<Record<string, Registry>> = {
  npm: { system: 'npm', pattern: /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/, separator: '/', isCaseSensitive: true },
  pypi: { system: 'pypi', pattern: /^[a-z\d](?:[\w.-]*[a-z\d])?$/i, separator: '/', isCaseSensitive: false },
  golang: {
    system: 'go',
    pattern: new RegExp(`^[a-z\\d][\\w-]*(?:\\.[\\w-]+)+(?:/${SEGMENT})*$`, 'i'),
    separator: '/',
    isCaseSensitive: true,
  },
  maven: { system: 'maven', pattern: /^[\w-][\w.-]*:[\w-][\w.-]*$/, separator: ':', isCaseSensitive: true },
  cargo: { system: 'cargo', pattern: /^[a-z][\w-]*$/i, separator: '/', isCaseSensitive: true },
  nuget: { system: 'nuget', pattern: /^[\w-][\w.-]*$/, separator: '/', isCaseSensitive: false },
  gem: { system: 'rubygems', pattern: /^[\w-][\w.-]*$/, separator: '/', isCaseSensitive: true },
};

const MAX_NAME = 214;

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** `pkg:type/namespace/name@version?qualifiers#subpath` without its version and what follows. Source: purl-spec, "Rules for each component". */
const readPurl = (purl: string): { type: string; path: string[] } | undefined => {
  const [, type = '', rest = ''] = /^pkg:\/*([a-z0-9.+-]{1,50})\/([^?#]{1,1000})/i.exec(purl) ?? [];
  // the "@" of a scope begins the namespace, that of a version comes after the last slash
  const at = rest.indexOf('@', Math.max(rest.lastIndexOf('/'), 0) + 1);
  const path = (at === -1 ? rest : rest.slice(0, at)).split('/').map(decode);
  const known = path.flatMap((part) => part ?? []).filter((part) => part !== '');
  return known.length !== path.filter((part) => part !== '').length || known.length === 0
    ? undefined
    : { type: type.toLowerCase(), path: known };
};

/** The package of a component in its public registry; undefined where its type is not supported or its name can be none there. */
export const registryPackageOf = ({ purl, name, group_name }: NamedComponent): RegistryPackage | undefined => {
  const read = purl === null ? undefined : readPurl(purl);
  const registry = read !== undefined && Object.hasOwn(REGISTRIES, read.type) ? REGISTRIES[read.type] : undefined;
  if (read === undefined || registry === undefined) return undefined;
  const { system, pattern, separator, isCaseSensitive } = registry;
  const last = read.path.at(-1) ?? '';
  const before = read.path.slice(0, -1).join('/');
  const written = before === '' ? last : `${before}${separator}${last}`;
  // package URLs of Go modules are often in lower case, though their paths are not
  const stated = group_name === null || group_name === '' ? name : `${group_name}/${name}`;
  const spelled = system === 'go' && stated.toLowerCase() === written.toLowerCase() ? stated : written;
  const known = isCaseSensitive ? spelled : spelled.toLowerCase();
  const sent = system === 'pypi' ? known.replaceAll(/[-_.]+/g, '-') : known;
  const isSafe =
    sent.length <= MAX_NAME && pattern.test(sent) && !sent.split(/[/:]/).some((part) => /^\.+$/.test(part));
  return isSafe ? { system, name: sent } : undefined;
};
