import semver from 'semver';
import { say } from '../../../../platform/model/sentence.ts';
import type { StaleLock } from '../../../model/fix.ts';
import { membersOf } from '../locks/npm-lock.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { editJson, type JsonChange, memberOf, readJson } from '../text/edit-json.ts';
import { editYaml, plainValue, readYaml } from '../text/edit-yaml.ts';
import { changedFiles, isNoVersion, type ManifestEditor, type ManifestFiles, type Upgrade } from './manifest.ts';
import { holdsWorkspace } from './workspaces.ts';

/** Where a project names what it installs itself. What it only asks of its users (peerDependencies) is installed by them. */
const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

const LOCK_FILES: Readonly<Record<string, Omit<StaleLock, 'path'>>> = {
  'package-lock.json': { tool: 'npm', command: 'npm install --package-lock-only --ignore-scripts' },
  'npm-shrinkwrap.json': { tool: 'npm', command: 'npm install --package-lock-only --ignore-scripts' },
  'yarn.lock': { tool: 'yarn', command: 'yarn install --ignore-scripts' },
  'pnpm-lock.yaml': { tool: 'pnpm', command: 'pnpm install --lockfile-only --ignore-scripts' },
};

/** `npm:name@range` of an alias; the name may begin with a scope. */
const ALIAS = /^(npm:(?:@[^/@]+\/)?[^@]+@)(.+)$/;

/**
 * The requirement with the fixed version as its lower end, in the manner in which it was written: `^1.2.0` → `^1.3.1`, `~1.2.0` → `~1.3.1`,
 * `1.2.0` → `1.3.1`. A range that admits the version keeps its upper end. The same text where nothing below the version is admitted.
 */
export const raisedRequirement = (requirement: string, to: string): string => {
  const alias = ALIAS.exec(requirement);
  if (alias !== null) return `${alias[1]}${raisedRequirement(alias[2] ?? '', to)}`;
  const text = requirement.trim();
  const lowest = semver.validRange(text, { loose: true }) === null ? null : semver.minVersion(text, { loose: true });
  if (lowest !== null && text !== '' && semver.gte(lowest, to, { loose: true })) return requirement;
  const simple = /^(\^|~|>=|=|v|=v)?\s*\d+(?:\.\d+){2}(?:[-+][\w.+-]+)?$/.exec(text);
  if (simple !== null) return `${simple[1] ?? ''}${to}`;
  const bounded = /^>=\s*[\w.+-]+(\s+<=?\s*[\w.+-]+)$/.exec(text);
  if (bounded !== null && semver.satisfies(to, text, { loose: true })) return `>=${to}${bounded[1]}`;
  return `^${to}`;
};

const requirementsOf = (document: unknown, name: string): { path: readonly string[]; requirement: string }[] =>
  SECTIONS.flatMap((section) => {
    const requirement = memberOf(document, section, name);
    return typeof requirement === 'string' ? [{ path: [section, name], requirement }] : [];
  });

/** What the project itself asks for of a package of a registry; undefined where it does not name it so. */
export const ownRequirement = (document: unknown, name: string): string | undefined =>
  requirementsOf(document, name).find(({ requirement }) => !isNoVersion(requirement))?.requirement;

/** The changes that raise what the project asks for of a package. @throws CannotFix where it comes from elsewhere than a registry */
export const raisedBy = (document: unknown, upgrade: Pick<Upgrade, 'name' | 'to'>, file: string): JsonChange[] =>
  directChanges(requirementsOf(document, upgrade.name), upgrade, file);

/** Whether the version that was found is the one that a requirement brings: else it is a copy that another package brings along. */
const isOwnCopy = (requirement: string, { from, to }: Upgrade): boolean => {
  const range = ALIAS.exec(requirement)?.[2] ?? requirement;
  if (from === undefined || semver.validRange(range, { loose: true }) === null) return true;
  if (semver.valid(from, { loose: true }) === null) return true;
  const lowest = semver.minVersion(range, { loose: true });
  return (
    semver.satisfies(from, range, { loose: true, includePrerelease: true }) || lowest === null || semver.lt(lowest, to)
  );
};

const directChanges = (
  found: readonly { path: readonly string[]; requirement: string }[],
  upgrade: Pick<Upgrade, 'name' | 'to'>,
  file: string,
) =>
  found.map(({ path, requirement }): JsonChange => {
    if (isNoVersion(requirement)) {
      throw new CannotFix(
        'not_declared',
        say('{file} takes {name} from {source}, not from a registry.', {
          file,
          name: upgrade.name,
          source: requirement.slice(0, 100),
        }),
      );
    }
    return { path, value: raisedRequirement(requirement, upgrade.to) };
  });

/** Versions of one line below the fixed one: what asks for an older or a newer line is left alone. */
export const affectedRange = ({ from, to }: Upgrade): string => {
  const present = from === undefined ? null : semver.parse(from, { loose: true });
  return present === null || present.major === 0 ? `<${to}` : `>=${present.major}.0.0 <${to}`;
};

/** Packages that the lock file of yarn holds more than once cannot be told apart by its resolutions. */
const yarnCopies = (lock: string, name: string): number =>
  lock.split(/\r?\n(?=\S)/).filter((entry) => {
    const head = /^[^\r\n]*/.exec(entry)?.[0] ?? '';
    return head.split(/,\s*/).some((part) => part.replace(/^"/, '').startsWith(`${name}@`));
  }).length;

/** What fixes the version of a package that others bring along, in the manner of the package manager. @throws CannotFix */
export const overrideChange = (upgrade: Upgrade, folder: string, files: ManifestFiles): JsonChange => {
  const { name, to } = upgrade;
  const yarnLock = files.get(`${folder}yarn.lock`);
  if (yarnLock !== undefined) {
    const copies = yarnCopies(yarnLock, name);
    if (copies === 1) return { path: ['resolutions', name], value: `^${to}` };
    throw copies === 0
      ? new CannotFix('not_declared', say('{folder}yarn.lock does not hold {name}.', { folder, name }))
      : new CannotFix(
          'place_not_found',
          say('{folder}yarn.lock holds {copies} versions of {name}; a resolution would replace all of them.', {
            folder,
            copies: String(copies),
            name,
          }),
        );
  }
  const key = `${name}@${affectedRange(upgrade)}`;
  const isPnpm = files.has(`${folder}pnpm-lock.yaml`);
  return { path: isPnpm ? ['pnpm', 'overrides', key] : ['overrides', key], value: `^${to}` };
};

const PNPM_SETTINGS = 'pnpm-workspace.yaml';
/** From this version on pnpm reads its settings from pnpm-workspace.yaml alone. Source: pnpm.io/settings, 2026. */
const PNPM_WITHOUT_FIELD = 11;

/** Members of pnpm-workspace.yaml that every pnpm reads there; any other says that settings are kept in this file. */
const WORKSPACE_MEMBERS = new Set(['packages', 'catalog', 'catalogs']);

const pnpmMajor = (document: unknown): number | undefined => {
  const named = memberOf(document, 'packageManager');
  const major = typeof named === 'string' ? /^pnpm@(\d{1,4})\./.exec(named)?.[1] : undefined;
  return major === undefined ? undefined : Number(major);
};

/** Where pnpm keeps overrides in pnpm-workspace.yaml: that file with the new one; undefined where package.json holds them. @throws CannotFix */
const workspaceOverride = (
  { path, value }: JsonChange,
  document: unknown,
  at: { folder: string; files: ManifestFiles },
): [string, string] | undefined => {
  const { folder, files } = at;
  if (!files.has(`${folder}pnpm-lock.yaml`) || memberOf(document, 'pnpm', 'overrides') !== undefined) return undefined;
  const settings = `${folder}${PNPM_SETTINGS}`;
  const text = files.get(settings);
  const isNewer = (pnpmMajor(document) ?? 0) >= PNPM_WITHOUT_FIELD;
  if (text === undefined) {
    if (!isNewer) return undefined;
    throw new CannotFix(
      'manifest_not_found',
      say('There is no file {settings}, where this pnpm keeps overrides.', { settings }),
    );
  }
  const [first] = readYaml(text, settings);
  const members = first === undefined ? [] : membersOf(plainValue(first, settings));
  if (!isNewer && members.every(([name]) => WORKSPACE_MEMBERS.has(name))) return undefined;
  return [settings, editYaml(text, settings, 0, ['overrides', path.at(-1) ?? ''], value)];
};

/** The files with an override, in the manner of the package manager. @throws CannotFix */
const overridden = (
  upgrade: Upgrade,
  { folder, files, document, content }: { folder: string; files: ManifestFiles; document: unknown; content: string },
): ReadonlyMap<string, string> => {
  const change = overrideChange(upgrade, folder, files);
  const settings = workspaceOverride(change, document, { folder, files });
  if (settings !== undefined) return new Map([settings]);
  const path = `${folder}package.json`;
  return new Map([[path, editJson(content, path, [change])]]);
};

const locksIn = (folder: string, files: ManifestFiles): StaleLock[] =>
  Object.entries(LOCK_FILES).flatMap(([name, lock]) =>
    files.has(`${folder}${name}`) ? [{ path: `${folder}${name}`, ...lock }] : [],
  );

/** Lock files of the folder; of a workspace, that of the project around it. */
const staleLocks = (folder: string, files: ManifestFiles): StaleLock[] => {
  const own = locksIn(folder, files);
  if (own.length > 0) return own;
  for (const outer of foldersAround(folder)) {
    const workspace = folder.slice(outer.length, -1);
    const named = locksIn(outer, files).filter((lock) => holdsWorkspace(lock, files, { outer, workspace }));
    if (named.length > 0) return named;
  }
  return [];
};

/** Folders around a folder, nearest first, up to the root. */
const foldersAround = (folder: string): string[] => {
  const parts = folder.split('/').slice(0, -1);
  return parts.map((_, index) =>
    parts
      .slice(0, parts.length - 1 - index)
      .map((part) => `${part}/`)
      .join(''),
  );
};

/** package.json of npm, yarn and pnpm. A package that another one brings along is set by an override beside its lock file. */
export const packageJson: ManifestEditor = {
  names: ['package.json', ...Object.keys(LOCK_FILES), PNPM_SETTINGS],
  edit: (upgrade, folder, files) => {
    const path = `${folder}package.json`;
    const content = files.get(path);
    if (content === undefined) throw new CannotFix('manifest_not_found', say('There is no file {path}.', { path }));
    const document = readJson(content, path);
    const locks = staleLocks(folder, files);
    const named = requirementsOf(document, upgrade.name);
    const own = named.filter(({ requirement }) => isOwnCopy(requirement, upgrade));
    const isLocked = locks.some((lock) => lock.path.startsWith(folder));
    const direct = own.length > 0 || isLocked ? own : named;
    if (direct.length === 0 && !isLocked) {
      throw new CannotFix(
        'not_declared',
        say('{path} does not name {name}, and there is no lock file that holds it.', { path, name: upgrade.name }),
      );
    }
    const after =
      direct.length > 0
        ? new Map([[path, editJson(content, path, directChanges(direct, upgrade, path))]])
        : overridden(upgrade, { folder, files, document, content });
    return {
      files: changedFiles(upgrade, files, after),
      way: direct.length > 0 ? 'direct' : 'override',
      staleLocks: locks,
      remaining: [],
    };
  },
};
