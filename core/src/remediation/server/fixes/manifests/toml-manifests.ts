import { type Sentence, say } from '../../../../platform/model/sentence.ts';
import type { StaleLock } from '../../../model/fix.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { addTomlString, type TomlPlace } from '../text/toml-additions.ts';
import { editToml, type TomlString } from '../text/toml-strings.ts';
import { changedFiles, type ManifestEditor, type ManifestFiles, type Upgrade } from './manifest.ts';
import { pythonName, raisedSpecifiers, readRequirement } from './python-requirement.ts';

/** The number of a requirement with one operator before it, such as `^1.2` of Poetry and Cargo. */
const SIMPLE = /^(\^|~|=)?\s*(\d[\w.+-]*)$/;

/** Fixed version in the manner of the old requirement; `otherwise` where that was neither exact, `^` nor `~`. */
const raisedSimple = (requirement: string, { to, scheme }: Upgrade, otherwise: () => string): string => {
  const match = SIMPLE.exec(requirement.trim());
  if (match === null) return otherwise();
  const [, operator = '', version = ''] = match;
  return scheme.release(version) !== undefined && scheme.compare(version, to) >= 0 ? requirement : `${operator}${to}`;
};

const isAny = (requirement: string): boolean => requirement.trim() === '*' || requirement.trim() === '';

/** A table of names and requirements: `name = "…"` or `name = { version = "…" }`. */
const namedRequirement = ({ path }: TomlString, table: readonly string[]): string | undefined => {
  const isInside = table.every((part, index) => part === '*' || part === path[index]);
  const rest = path.slice(table.length);
  const isVersion = rest.length === 1 || (rest.length === 2 && rest[1] === 'version');
  return isInside && isVersion ? rest[0] : undefined;
};

const POETRY_TABLES = [
  ['tool', 'poetry', 'dependencies'],
  ['tool', 'poetry', 'dev-dependencies'],
  ['tool', 'poetry', 'group', '*', 'dependencies'],
  ['packages'],
  ['dev-packages'],
];

/** Lists of requirements as PEP 508 writes them. */
const REQUIREMENT_LISTS = [
  ['project', 'dependencies', '*'],
  ['project', 'optional-dependencies', '*', '*'],
  ['dependency-groups', '*', '*'],
  ['tool', 'uv', 'dev-dependencies', '*'],
  ['tool', 'uv', 'constraint-dependencies', '*'],
  ['tool', 'uv', 'override-dependencies', '*'],
];

const isIn = (path: readonly string[], list: readonly string[]): boolean =>
  path.length === list.length && list.every((part, index) => part === '*' || part === path[index]);

const raisedPython = (found: TomlString, upgrade: Upgrade, file: string): string | undefined => {
  const wanted = pythonName(upgrade.name);
  if (REQUIREMENT_LISTS.some((list) => isIn(found.path, list))) {
    const requirement = readRequirement(found.value);
    if (requirement === undefined || pythonName(requirement.name) !== wanted) return undefined;
    if (requirement.isAddress) {
      throw new CannotFix(
        'not_declared',
        say('{file} takes {name} from an address, not from an index.', { file, name: upgrade.name }),
      );
    }
    const raised = raisedSpecifiers(requirement.specifiers, upgrade);
    return found.value.slice(0, requirement.start) + raised + found.value.slice(requirement.end);
  }
  const name = POETRY_TABLES.map((table) => namedRequirement(found, table)).find((entry) => entry !== undefined);
  if (name === undefined || pythonName(name) !== wanted) return undefined;
  const isPipenv = found.path[0] !== 'tool';
  if (isAny(found.value)) return `${isPipenv ? '>=' : '^'}${upgrade.to}`;
  return raisedSimple(found.value, upgrade, () => raisedSpecifiers(found.value, upgrade));
};

const CARGO_TABLES = ['dependencies', 'dev-dependencies', 'build-dependencies'].flatMap((table) => [
  [table],
  ['workspace', table],
  ['target', '*', table],
]);

const raisedCargo = (found: TomlString, upgrade: Upgrade, all: readonly TomlString[]): string | undefined => {
  const names = CARGO_TABLES.flatMap((table) => {
    const name = namedRequirement(found, table);
    return name === undefined ? [] : [{ name, entry: [...found.path.slice(0, table.length), name] }];
  });
  const [own] = names;
  if (own === undefined) return undefined;
  // `jwt = { package = "jsonwebtoken", version = "1" }` names the package beside the version
  const renamed = all.find(({ path }) => path.at(-1) === 'package' && isIn(path.slice(0, -1), own.entry));
  if ((renamed?.value ?? own.name) !== upgrade.name) return undefined;
  return isAny(found.value) ? upgrade.to : raisedSimple(found.value, upgrade, () => upgrade.to);
};

interface TomlManifest {
  readonly file: string;
  readonly locks: readonly (Omit<StaleLock, 'path'> & { readonly name: string })[];
  readonly transitive: (name: string, to: string) => Sentence;
  /** Where the version of a package is held that another one brings along, by the lock file; left out where its manifest cannot say so. */
  readonly holdAt?: (lock: string, name: string, version: string) => readonly TomlPlace[];
  raise(found: TomlString, upgrade: Upgrade, all: readonly TomlString[], file: string): string | undefined;
}

/** Whether a lock file names the package as one of its own. */
const isLocked = (lock: string, name: string): boolean =>
  [...lock.matchAll(/^name = "([^"\n]+)"|^ *"([^"\n]+)": \{/gm)].some(
    ([, toml, json]) => pythonName(toml ?? json ?? '') === pythonName(name),
  );

const NAME = /^[a-z\d](?:[\w.-]*[a-z\d])?$/i;

/** The manifest with the version of a package that another one brings along; undefined where it cannot hold it. */
const heldIn = (
  { locks, holdAt }: TomlManifest,
  { name, to }: Upgrade,
  { path, content, lockOf }: { path: string; content: string; lockOf: (name: string) => string | undefined },
): string | undefined => {
  const lock = locks.find((one) => isLocked(lockOf(one.name) ?? '', name));
  if (holdAt === undefined || lock === undefined || !NAME.test(name)) return undefined;
  for (const place of holdAt(lock.name, name, to)) {
    const after = addTomlString(content, path, place);
    if (after !== undefined) return after;
  }
  return undefined;
};

const tomlEditor = (manifest: TomlManifest): ManifestEditor => {
  const { file, locks, transitive, raise } = manifest;
  return {
    names: [file, ...locks.map(({ name }) => name)],
    edit: (upgrade, folder, files: ManifestFiles) => {
      const path = `${folder}${file}`;
      const content = files.get(path);
      if (content === undefined) throw new CannotFix('manifest_not_found', say('There is no file {path}.', { path }));
      const { text, matches } = editToml(content, path, (found, all) => raise(found, upgrade, all, path));
      const held =
        matches === 0
          ? heldIn(manifest, upgrade, { path, content, lockOf: (name) => files.get(`${folder}${name}`) })
          : undefined;
      if (matches === 0 && held === undefined) {
        throw new CannotFix(
          'not_declared',
          say('{path} does not name {name}. {advice}', {
            path,
            name: upgrade.name,
            advice: transitive(upgrade.name, upgrade.to),
          }),
        );
      }
      const staleLocks = locks.flatMap(({ name, tool, command }) =>
        files.has(`${folder}${name}`) ? [{ path: `${folder}${name}`, tool, command }] : [],
      );
      return {
        files: changedFiles(upgrade, files, new Map([[path, held ?? text]])),
        way: held === undefined ? 'direct' : 'override',
        staleLocks,
        remaining: [],
      };
    },
  };
};

/** pyproject.toml: PEP 621 lists, groups (PEP 735), Poetry's tables and those of uv. */
export const pyproject = tomlEditor({
  file: 'pyproject.toml',
  locks: [
    { name: 'poetry.lock', tool: 'poetry', command: 'poetry lock' },
    { name: 'uv.lock', tool: 'uv', command: 'uv lock' },
  ],
  transitive: (name) =>
    say(
      'Upgrade the package that brings it along, or run `poetry update {name}` or `uv lock --upgrade-package {name}`.',
      { name },
    ),
  holdAt: (lock, name, version) => {
    const value = `${name}>=${version}`;
    if (lock === 'uv.lock') return [{ list: ['tool', 'uv', 'constraint-dependencies'], isNew: true, value }];
    return [
      { table: ['tool', 'poetry', 'dependencies'], key: name, value: `>=${version}` },
      { list: ['project', 'dependencies'], value },
    ];
  },
  raise: (found, upgrade, _, file) => raisedPython(found, upgrade, file),
});

export const pipfile = tomlEditor({
  file: 'Pipfile',
  locks: [{ name: 'Pipfile.lock', tool: 'pipenv', command: 'pipenv lock' }],
  transitive: (name) => say('Run `pipenv upgrade {name}`.', { name }),
  holdAt: (_, name, version) => [{ table: ['packages'], key: name, value: `>=${version}` }],
  raise: (found, upgrade, _, file) => raisedPython(found, upgrade, file),
});

export const cargoToml = tomlEditor({
  file: 'Cargo.toml',
  locks: [{ name: 'Cargo.lock', tool: 'cargo', command: 'cargo update --workspace' }],
  transitive: (name, to) => say('Run `cargo update --package {name} --precise {to}`.', { name, to }),
  raise: (found, upgrade, all) => raisedCargo(found, upgrade, all),
});
