import { say } from '../../../platform/model/sentence.ts';
import { ecosystemOf, isBreakingStep, versionScheme } from '../../../platform/model/versions/schemes.ts';
import { presentVersion, type Target, targetVersion } from '../../../platform/model/versions/target-version.ts';
import type { ChangeFix, FixComponent, FixFinding, FixPlan, FixRequest } from '../../model/fix.ts';
import { isBuilt, isOwnFile, planCarrier } from './carried-files.ts';
import { withRaisedParents } from './locks/raise-for-others.ts';
import { withGoSum } from './locks/renew-go.ts';
import { withPipHashes } from './locks/renew-hashes.ts';
import { withNpmLock } from './locks/renew-npm.ts';
import { composerJson } from './manifests/composer-json.ts';
import { gemfile } from './manifests/gemfile.ts';
import { goMod } from './manifests/go-mod.ts';
import type { ManifestChange, ManifestEditor, Upgrade } from './manifests/manifest.ts';
import { packageJson } from './manifests/package-json.ts';
import { pomXml } from './manifests/pom.ts';
import { requirementsTxt } from './manifests/requirements.ts';
import { cargoToml, pipfile, pyproject } from './manifests/toml-manifests.ts';
import { CannotFix } from './text/cannot-fix.ts';

/** Manifests by ecosystem (type of package URL), those that are preferred first. */
const EDITORS: Readonly<Record<string, readonly ManifestEditor[]>> = {
  npm: [packageJson],
  // requirements last: there what no file names can be added
  pypi: [pyproject, pipfile, requirementsTxt],
  maven: [pomXml],
  golang: [goMod],
  gem: [gemfile],
  cargo: [cargoToml],
  composer: [composerJson],
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Type, name and version of a package URL. Source: github.com/package-url/purl-spec. */
const readPurl = (purl: string | null): { type: string; path: string[] } | undefined => {
  const match = /^pkg:\/{0,2}([a-z0-9.+-]{1,50})\/([^?#]{1,1000})/i.exec(purl ?? '');
  if (match === null) return undefined;
  const [, type = '', rest = ''] = match;
  const version = rest.lastIndexOf('@');
  const path = version > 0 ? rest.slice(0, version) : rest;
  return {
    type: type.toLowerCase(),
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
  };
};

/** Ecosystem and name as its manifests write it. */
export const packageOf = (component: FixComponent): { ecosystem: string; name: string } => {
  const purl = readPurl(component.purl);
  const ecosystem = ecosystemOf(purl?.type ?? component.ecosystem ?? '');
  const separator = ecosystem === 'maven' ? ':' : '/';
  return { ecosystem, name: purl === undefined || purl.path.length === 0 ? component.name : purl.path.join(separator) };
};

/** Folders from that of the file up to the root; what lies in installed packages belongs to the project around them. */
const foldersOf = (file: string | null): string[] => {
  const parts = (file ?? '').split('/').filter((part) => part !== '' && part !== '.');
  const installed = parts.findIndex((part) => part === 'node_modules' || part === 'vendor' || part === 'site-packages');
  const folders = installed === -1 ? parts.slice(0, -1) : parts.slice(0, installed);
  return Array.from({ length: folders.length + 1 }, (_, index) =>
    folders
      .slice(0, folders.length - index)
      .map((part) => `${part}/`)
      .join(''),
  );
};

/** Paths of manifests and lock files that may name the component of a finding, nearest folder first. */
export const manifestPaths = ({ component, file }: FixFinding): string[] => {
  if (component === null) return [];
  const editors = EDITORS[packageOf(component).ecosystem] ?? [];
  const named = file === null || file === '' ? [] : [file];
  const paths = foldersOf(file).flatMap((folder) =>
    editors.flatMap(({ names }) => names.map((name) => `${folder}${name}`)),
  );
  return [...new Set([...named.filter((path) => !/(?:^|\/)node_modules\//.test(path)), ...paths])];
};

/** Tries the nearest folder first: the first manifest that names or brings along the package is changed. */
const editNearest = (
  editors: readonly ManifestEditor[],
  upgrade: Upgrade,
  { finding, files }: FixRequest,
): ManifestChange => {
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  let refusal: CannotFix | undefined;
  for (const folder of foldersOf(finding.file)) {
    for (const editor of editors) {
      try {
        return editor.edit(upgrade, folder, contents);
      } catch (error) {
        if (!(error instanceof CannotFix)) throw error;
        // what a manifest that exists says is more than that another one does not
        if (refusal === undefined || refusal.reason === 'manifest_not_found') refusal = error;
        if (error.reason !== 'manifest_not_found' && error.reason !== 'not_declared') throw error;
      }
    }
  }
  throw refusal ?? new CannotFix('manifest_not_found', say('No manifest was found.'));
};

const listed = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** Texts of reports stand in Markdown as code, so that nothing in them is a link or markup. */
const code = (text: string): string => `\`${text.replaceAll(/[`\r\n]/g, ' ').slice(0, 200)}\``;

const WAYS: Readonly<Record<ManifestChange['way'], readonly string[]>> = {
  direct: [],
  // no text: part of the pull request, which is English
  override: ['Another package brings it along: its version is set from outside.'],
  // no text: part of the pull request, which is English
  lock: ['Another package brings it along and allows the fixed version: the lock file alone changes.'],
  parent: [],
};

const parentLines = ({ parents = [] }: ManifestChange): string[] =>
  parents.map(
    ({ name, from, to }) =>
      // no text: part of the pull request, which is English
      `${code(name)}, which brings it along, goes from ${code(from)} to ${code(to)}: its lowest version that allows the fixed one.`,
  );

/** Whether the package, or one that is raised with it, takes a step that may break callers. */
const isBreaking = ({ scheme }: Upgrade, target: Target, { parents = [] }: ManifestChange): boolean =>
  target.isBreaking || parents.some(({ from, to }) => isBreakingStep(scheme, from, to));

const describe = (
  upgrade: Upgrade,
  target: Target,
  change: ManifestChange,
  advisories: readonly FixFinding[],
): string => {
  const ids = [...new Set(advisories.map(({ cve, ruleId }) => cve ?? ruleId))];
  const remaining = [
    ...change.remaining,
    // no text: part of the pull request, which is English
    ...change.staleLocks.map(({ path, command }) => `Run \`${command}\` beside \`${path}\`.`),
  ];
  return [
    `Upgrades ${code(upgrade.name)}${upgrade.from === undefined ? '' : ` from ${code(upgrade.from)}`} to ${code(upgrade.to)}, the lowest version that clears:`,
    listed(ids.slice(0, 50).map(code)),
    ...WAYS[change.way],
    ...parentLines(change),
    ...(isBreaking(upgrade, target, change)
      ? ['**A step that may break callers**: read the release notes and run the tests.']
      : []),
    ...(remaining.length > 0 ? [`What is left to do:\n\n${listed(remaining)}`] : []),
  ].join('\n\n');
};

/** Names of packages stand in manifests and in commands that people run: they hold no blank, quote or sign of a shell. */
const NAME = /^[\w@./:~+-]{1,500}$/;

/** Whether manifests of its ecosystem can be edited, and its name may stand in one. */
export const isUpgradable = (component: FixComponent): boolean => {
  const { ecosystem, name } = packageOf(component);
  return Object.hasOwn(EDITORS, ecosystem) && NAME.test(name);
};

const upgradeTo = (
  request: FixRequest,
  component: FixComponent,
): { target: Target; upgrade: Upgrade; editors: readonly ManifestEditor[] } => {
  const { ecosystem, name } = packageOf(component);
  const scheme = versionScheme(ecosystem);
  const editors = Object.hasOwn(EDITORS, ecosystem) ? EDITORS[ecosystem] : undefined;
  if (scheme === undefined || editors === undefined) {
    throw new CannotFix(
      'unsupported_ecosystem',
      ecosystem === ''
        ? say('Packages of an unknown ecosystem cannot be upgraded here.')
        : say('Packages of {ecosystem} cannot be upgraded here.', { ecosystem }),
    );
  }
  if (!NAME.test(name))
    throw new CannotFix(
      'not_declared',
      say('{name} is no name of a package of {ecosystem}.', { name: code(name), ecosystem }),
    );
  if (isBuilt(request.finding.file) && !isOwnFile(request.finding.file, { ecosystem, name })) {
    throw new CannotFix(
      'in_built_artefact',
      say('{name} is part of the built file {file}: upgrade what that file comes from.', {
        name,
        file: request.finding.file ?? '',
      }),
    );
  }
  const others = request.related.flatMap((finding) => {
    const own = finding.component === null ? undefined : packageOf(finding.component);
    return finding.component !== null && own?.ecosystem === ecosystem && own.name === name
      ? [{ id: finding.id, component: finding.component }]
      : [];
  });
  const target = targetVersion(scheme, { id: request.finding.id, component }, others);
  if (target === 'no_fixed_version')
    throw new CannotFix(target, say('No fixed version of {name} above the present one is known.', { name }));
  if (target === 'incomparable_versions') {
    throw new CannotFix(
      target,
      say('The fixed version of {name}, {version}, cannot be compared.', {
        name,
        version: component.fixedVersion ?? '',
      }),
    );
  }
  const from = presentVersion(scheme, component.version);
  const to = ecosystem === 'golang' ? target.version : target.version.replace(/^v/, '');
  return { target, editors, upgrade: { name, from, to, scheme } };
};

/** Brings along what only a package manager writes: each step is about files of its own. */
const renewLocks = async (request: FixRequest, upgrade: Upgrade, edited: ManifestChange): Promise<ManifestChange> => {
  const withNpm = await withNpmLock(request, upgrade, await withRaisedParents(request, upgrade, edited));
  return withPipHashes(request, upgrade, await withGoSum(request, upgrade, withNpm));
};

/** Plans the upgrade of a finding's component. @throws CannotFix */
export const planUpgrade = async (request: FixRequest, component: FixComponent): Promise<FixPlan> => {
  const named = packageOf(component);
  const { file } = request.finding;
  const carried = isBuilt(file) && !isOwnFile(file, named) ? planCarrier(request, component, named) : undefined;
  if (carried !== undefined) return carried;
  const { target, upgrade, editors } = upgradeTo(request, component);
  const edited = editNearest(editors, upgrade, request);
  const change = await renewLocks(request, upgrade, edited);
  const before = new Map(request.files.map(({ path, content }) => [path, content]));
  const cleared = [request.finding, ...request.related].filter(({ id }) => target.clears.includes(id));
  const { ecosystem } = named;
  const fix: ChangeFix = {
    kind: 'change',
    title: `Upgrade ${upgrade.name}${upgrade.from === undefined ? '' : ` ${upgrade.from}`} → ${upgrade.to}`,
    description: describe(upgrade, target, change, cleared),
    group: { key: `${ecosystem}:${upgrade.name}@${upgrade.to}`, label: `Upgrade ${upgrade.name} to ${upgrade.to}` },
    closes: [...new Set(cleared.map(({ id }) => id))],
    changes: [...change.files].map(([path, after]) => ({ path, before: before.get(path) ?? '', after })),
    isBreaking: isBreaking(upgrade, target, change),
    staleLocks: change.staleLocks,
    remaining: change.remaining,
  };
  return fix;
};
