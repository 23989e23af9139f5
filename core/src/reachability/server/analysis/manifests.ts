import { SaxesParser } from 'saxes';
import { parse as parseToml } from 'smol-toml';
import type { CoveredEcosystem } from '../../model/package-use.ts';

/** What a manifest names as dependencies of the application itself. */
export interface Manifest {
  ecosystem: CoveredEcosystem;
  declared: string[];
  /** Names that stand for another package, such as those of `npm:` aliases: from the name to the package. */
  aliases: Record<string, string>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

/** `npm:lodash@4` and `npm:@scope/name@1`. */
const ALIAS = /^npm:((?:@[^/@]+\/)?[^@]+)/;

const readPackageJson = (text: string): Omit<Manifest, 'ecosystem'> => {
  const manifest = recordOf(JSON.parse(text));
  const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  const entries = lists.flatMap((list) => Object.entries(recordOf(manifest[list])));
  const aliases: Record<string, string> = {};
  for (const [name, version] of entries) {
    const real = typeof version === 'string' ? ALIAS.exec(version)?.[1] : undefined;
    if (real !== undefined) aliases[name] = real;
  }
  return { declared: entries.map(([name]) => aliases[name] ?? name), aliases };
};

/** Name at the start of a requirement (PEP 508): `requests[security]>=2; python_version < "3"`. */
const REQUIREMENT = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[|[<>=!~;@(]|$|\s)/;
const requirementName = (line: string): string[] => {
  const name = REQUIREMENT.exec(line.trim())?.[1];
  return name === undefined ? [] : [name];
};

const readRequirements = (text: string): string[] => text.split(/\r\n|\r|\n/).flatMap((line) => requirementName(line));

const readPyproject = (text: string): string[] => {
  const document = recordOf(parseToml(text));
  const project = recordOf(document.project);
  const poetry = recordOf(recordOf(document.tool).poetry);
  const groups = Object.values(recordOf(poetry.group)).map((group) => recordOf(recordOf(group).dependencies));
  const tables = [poetry.dependencies, poetry['dev-dependencies'], ...groups].map(recordOf);
  const optional = Object.values(recordOf(project['optional-dependencies'])).flatMap(stringsOf);
  const developed = Object.values(recordOf(document['dependency-groups'])).flatMap(stringsOf);
  const listed = [...stringsOf(project.dependencies), ...optional, ...developed].flatMap((line) =>
    requirementName(line),
  );
  return [...listed, ...tables.flatMap(Object.keys)].filter((name) => name !== 'python');
};

const readPipfile = (text: string): string[] => {
  const document = recordOf(parseToml(text));
  return [...Object.keys(recordOf(document.packages)), ...Object.keys(recordOf(document['dev-packages']))];
};

/** A version with every `require`; those that only other modules need are marked `// indirect`. Source: go.dev/ref/mod. */
const readGoMod = (text: string): string[] => {
  let isInBlock = false;
  return text.split(/\r\n|\n/).flatMap((line) => {
    if (/^\s*require\s*\(/.test(line)) isInBlock = true;
    else if (isInBlock && /^\s*\)/.test(line)) isInBlock = false;
    const [, alone, inBlock] = /^(?:\s*require\s+([^\s(]+)\s+v|\s+([^\s/]+(?:\/\S+)?)\s+v)/.exec(line) ?? [];
    const name = alone ?? (isInBlock ? inBlock : undefined);
    return name === undefined || /\/\/\s*indirect\b/.test(line) ? [] : [name];
  });
};

/** Dependencies of the project, not those that it only gives a version for its modules (`dependencyManagement`). */
const readPom = (text: string): string[] => {
  const parser = new SaxesParser();
  const path: string[] = [];
  const found: string[] = [];
  let [group, artifact, value] = ['', '', ''];
  const isDependency = (): boolean =>
    path.at(-1) === 'dependency' && path.at(-2) === 'dependencies' && !path.includes('dependencyManagement');
  parser.on('opentag', ({ name }) => {
    path.push(name);
    value = '';
    if (isDependency()) [group, artifact] = ['', ''];
  });
  parser.on('text', (part) => {
    value += part;
  });
  parser.on('closetag', ({ name }) => {
    if (isDependency()) found.push(`${group}:${artifact}`);
    path.pop();
    if (isDependency() && name === 'groupId') group = value.trim();
    if (isDependency() && name === 'artifactId') artifact = value.trim();
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return found;
};

interface ManifestKind {
  ecosystem: CoveredEcosystem;
  name: RegExp;
  read(text: string): Omit<Manifest, 'ecosystem'>;
}

const plain =
  (read: (text: string) => string[]) =>
  (text: string): Omit<Manifest, 'ecosystem'> => ({ declared: read(text), aliases: {} });

const KINDS: readonly ManifestKind[] = [
  { ecosystem: 'npm', name: /^package\.json$/, read: readPackageJson },
  { ecosystem: 'pypi', name: /^(?=[\w-]*requirements)[\w.-]+\.(?:txt|in)$/, read: plain(readRequirements) },
  { ecosystem: 'pypi', name: /^pyproject\.toml$/, read: plain(readPyproject) },
  { ecosystem: 'pypi', name: /^Pipfile$/, read: plain(readPipfile) },
  { ecosystem: 'golang', name: /^go\.mod$/, read: plain(readGoMod) },
  { ecosystem: 'maven', name: /^pom\.xml$/, read: plain(readPom) },
];

/** Manifests that name dependencies in a form that only running them tells: where one stands, "not declared" cannot be said. */
const UNREADABLE: readonly { ecosystem: CoveredEcosystem; name: RegExp }[] = [
  { ecosystem: 'pypi', name: /^setup\.py$/ },
  { ecosystem: 'maven', name: /^build\.gradle(?:\.kts)?$/ },
];

export const manifestEcosystem = (fileName: string): CoveredEcosystem | undefined =>
  [...KINDS, ...UNREADABLE].find(({ name }) => name.test(fileName))?.ecosystem;

/** Reads a manifest by its file name; undefined where it cannot be read, so that nothing may be concluded from it. */
export const readManifest = (fileName: string, text: string): Manifest | undefined => {
  const kind = KINDS.find(({ name }) => name.test(fileName));
  if (kind === undefined) return undefined;
  try {
    return { ecosystem: kind.ecosystem, ...kind.read(text.replace(/^\uFEFF/, '')) };
  } catch {
    return undefined;
  }
};
