import { defined, label } from '../../lib/read.ts';

type Row = Record<string, unknown>;

/** Black Duck's names of package registries, by the type of their package URLs. */
const ECOSYSTEMS: ReadonlyMap<string, string> = new Map([
  ['maven', 'maven'],
  ['npmjs', 'npm'],
  ['npm', 'npm'],
  ['pypi', 'pypi'],
  ['rubygems', 'gem'],
  ['nuget', 'nuget'],
  ['golang', 'golang'],
  ['crates', 'cargo'],
  ['cocoapods', 'cocoapods'],
  ['packagist', 'composer'],
  ['conan', 'conan'],
  ['hex', 'hex'],
  ['debian', 'deb'],
  ['ubuntu', 'deb'],
  ['alpine', 'apk'],
  ['centos', 'rpm'],
  ['redhat', 'rpm'],
  ['fedora', 'rpm'],
  ['opensuse', 'rpm'],
  ['github', 'github'],
]);

/** The first column that is there and not empty: older reports name them otherwise. */
export function cell(row: Row, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = label(row[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

export interface Package {
  name: string;
  version?: string;
  ecosystem?: string;
}

/**
 * The package of a row: as its registry names it (`org.apache.velocity:velocity`) where the origin says so, else as
 * Black Duck names the project behind it (`Apache Velocity`).
 */
export function packageOf(row: Row): Package | undefined {
  const project = cell(row, 'component name', 'project name');
  const version = cell(
    row,
    'component origin version name',
    'channel version origin name',
    'component version name',
    'version',
  );
  const origin = cell(row, 'component origin name', 'channel version origin', 'origin name')?.toLowerCase();
  const id = cell(row, 'component origin id', 'channel version origin id', 'origin name id', 'origin id');
  const name = id === undefined ? undefined : nameIn(id, version);
  const found = name ?? project;
  if (found === undefined) return undefined;
  const ecosystem = name === undefined ? undefined : ECOSYSTEMS.get(origin ?? '');
  return defined({ name: found, version, ecosystem });
}

/** `group:artifact:1.7`, `@scope/name/1.0`, `openssl/1.1.0-1/amd64`. Ids without the version are only keys. */
function nameIn(id: string, version: string | undefined): string | undefined {
  if (version === undefined) return undefined;
  const at = Math.max(id.lastIndexOf(`:${version}`), id.lastIndexOf(`/${version}`));
  const rest = at > 0 ? id.slice(at + 1 + version.length) : '-';
  return at > 0 && (rest === '' || rest.startsWith('/')) ? id.slice(0, at) : undefined;
}
