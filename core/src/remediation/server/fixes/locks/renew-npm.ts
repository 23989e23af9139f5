import semver from 'semver';
import { say, sayLabel } from '../../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../../platform/model/translator.ts';
import type { FixRequest, RepositoryFile } from '../../../model/fix.ts';
import type { ManifestChange, ManifestFiles, Upgrade } from '../manifests/manifest.ts';
import { affectedRange, overrideChange, raisedBy } from '../manifests/package-json.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { editJson, readJson } from '../text/edit-json.ts';
import { checkRenewed } from './check-renewed.ts';
import { withOriginalAddresses, withoutAddresses } from './npm-addresses.ts';
import { copiesOf, type NpmLock, readNpmLock, withoutEntries, workspaceFolders, writeNpmLock } from './npm-lock.ts';
import { checkLock, checkManifest } from './npm-safety.ts';
import { type RaisedParent, raisedParents } from './raise-parents.ts';

const MAX_WORKSPACES = 200;

/** A project of npm: paths from the folder of its lock file. */
interface Project {
  readonly folder: string;
  readonly lockName: string;
  readonly lockText: string;
  readonly lock: NpmLock;
  readonly manifests: ReadonlyMap<string, string>;
}

const readProject = async (request: FixRequest, lockPath: string, changed: ManifestFiles): Promise<Project> => {
  const folder = lockPath.slice(0, lockPath.lastIndexOf('/') + 1);
  const lockText = request.files.find(({ path }) => path === lockPath)?.content ?? '';
  const lock = readNpmLock(lockText, lockPath);
  checkLock(lockPath, lock);
  const workspaces = workspaceFolders(lock);
  if (workspaces.length > MAX_WORKSPACES)
    throw new CannotFix(
      'manifest_unreadable',
      say('{path} has more than {most} workspaces.', { path: lockPath, most: MAX_WORKSPACES }),
    );
  const names = ['', ...workspaces.map((workspace) => `${workspace}/`)].map((inner) => `${inner}package.json`);
  const known = new Map(request.files.map(({ path, content }) => [path, content]));
  const unread = names.map((name) => `${folder}${name}`).filter((path) => !known.has(path));
  const more: readonly RepositoryFile[] = unread.length === 0 ? [] : ((await request.readFiles?.(unread)) ?? []);
  for (const { path, content } of more) known.set(path, content);
  const manifests = names.flatMap((name): [string, string][] => {
    const content = changed.get(`${folder}${name}`) ?? known.get(`${folder}${name}`);
    return content === undefined ? [] : [[name, content]];
  });
  for (const [name, content] of manifests) checkManifest(`${folder}${name}`, readJson(content, `${folder}${name}`));
  return { folder, lockName: lockPath.slice(folder.length), lockText, lock, manifests: new Map(manifests) };
};

/** Copies that the upgrade is about and that the lock file still holds. */
const affectedCopies = (lock: NpmLock, upgrade: Upgrade) =>
  copiesOf(lock, upgrade.name).filter(
    ({ version }) =>
      semver.valid(version, { loose: true }) !== null &&
      semver.satisfies(version, affectedRange(upgrade), { loose: true, includePrerelease: true }),
  );

type Renew = NonNullable<FixRequest['renewLock']>;

/** Runs npm on the project and judges what comes back. `isFree`: the copies in question are chosen anew. @throws CannotFix */
const renew = async (
  run: Renew,
  project: Project,
  upgrade: Upgrade,
  {
    manifests,
    isFree,
    parents = [],
  }: { manifests: ReadonlyMap<string, string>; isFree: boolean; parents?: readonly RaisedParent[] },
): Promise<NpmLock> => {
  const { lock, lockName, lockText } = project;
  const copies = isFree ? affectedCopies(lock, upgrade).filter(({ inBundle }) => !inBundle) : [];
  const given = withoutAddresses(
    withoutEntries(
      lock,
      copies.map(({ location }) => location),
    ),
  );
  const files = new Map([...manifests, [lockName, writeNpmLock(given, lockText)]]);
  const answer = await run({ files, lock: lockName });
  if ('refused' in answer) throw new CannotFix('manifest_unreadable', sayLabel(answer.refused));
  const renewed = readNpmLock(answer.content, lockName);
  checkLock(lockName, renewed);
  checkRenewed(lock, renewed, [upgrade.name, ...parents.map(({ name }) => name)]);
  return withOriginalAddresses(lock, renewed);
};

interface Outcome {
  readonly lock: NpmLock;
  readonly manifests: ReadonlyMap<string, string>;
  readonly way: ManifestChange['way'];
  readonly parents?: readonly RaisedParent[];
}

/** Raises the packages of the project that keep the fixed version away; undefined where that is not known or does not do it. */
const byParents = async (
  { renewLock: run, versionsOf }: Pick<FixRequest, 'renewLock' | 'versionsOf'>,
  project: Project,
  upgrade: Upgrade,
  left: NpmLock,
): Promise<Outcome | undefined> => {
  if (run === undefined || versionsOf === undefined) return undefined;
  const root = project.manifests.get('package.json') ?? '';
  const path = `${project.folder}package.json`;
  const manifest = readJson(root, path);
  const affected = affectedCopies(left, upgrade).map(({ version }) => version);
  const parents = await raisedParents(versionsOf, { lock: left, manifest }, upgrade, affected);
  if (parents === undefined) return undefined;
  try {
    const changes = parents.flatMap((parent) => raisedBy(manifest, parent, path));
    const manifests = new Map([...project.manifests, ['package.json', editJson(root, path, changes)]]);
    const lock = await renew(run, project, upgrade, { manifests, isFree: true, parents });
    const isLeft = affectedCopies(lock, upgrade).some(({ inBundle }) => !inBundle);
    return isLeft ? undefined : { lock, manifests, way: 'parent', parents };
  } catch (error) {
    // such as a peer that refuses the parent: an override is left
    if (error instanceof CannotFix) return undefined;
    throw error;
  }
};

/** The least change that leaves no affected copy: the range alone, the lock file alone, a parent of the project, an override at last. */
const findOutcome = async (
  request: FixRequest,
  run: Renew,
  project: Project,
  { upgrade, way }: { upgrade: Upgrade; way: 'direct' | 'override' },
): Promise<Outcome> => {
  const { folder, manifests } = project;
  const isLeft = (lock: NpmLock): boolean => affectedCopies(lock, upgrade).some(({ inBundle }) => !inBundle);
  const first = await renew(run, project, upgrade, { manifests, isFree: way === 'override' });
  if (!isLeft(first)) return { lock: first, manifests, way: way === 'override' ? 'lock' : way };
  const raised = await byParents(request, project, upgrade, first);
  if (raised !== undefined) return raised;
  const root = manifests.get('package.json') ?? '';
  const path = `${folder}package.json`;
  const overridden = editJson(root, path, [overrideChange(upgrade, folder, new Map())]);
  const further = new Map([...manifests, ['package.json', overridden]]);
  const second = await renew(run, project, upgrade, { manifests: further, isFree: true });
  if (!isLeft(second)) return { lock: second, manifests: further, way };
  throw new CannotFix('manifest_unreadable', say('npm keeps an affected copy of {name}.', { name: upgrade.name }));
};

/** What is left where a package carries a copy inside of itself. */
const bundledNotes = (lock: NpmLock, upgrade: Upgrade): string[] =>
  affectedCopies(lock, upgrade)
    .filter(({ inBundle }) => inBundle)
    .slice(0, 20)
    .map(({ location, version }) =>
      sayEnglish('{package} is bundled by the package around it: upgrade that one.', {
        package: `${location} ${version}`,
      }),
    );

const attempt = async (
  request: FixRequest,
  run: Renew,
  { upgrade, change, lockPath }: { upgrade: Upgrade; change: ManifestChange; lockPath: string },
): Promise<ManifestChange> => {
  // an override is only tried where the lock file alone does not do
  const changed: ManifestFiles = change.way === 'override' ? new Map() : change.files;
  const project = await readProject(request, lockPath, changed);
  const way = change.way === 'override' ? 'override' : 'direct';
  const outcome = await findOutcome(request, run, project, { upgrade, way });
  const before = new Map(request.files.map(({ path, content }) => [path, content]));
  const manifests = [...outcome.manifests]
    .map(([name, content]): [string, string] => [`${project.folder}${name}`, content])
    .filter(([path, content]) => before.has(path) && before.get(path) !== content);
  return {
    files: new Map([...changed, ...manifests, [lockPath, writeNpmLock(outcome.lock, project.lockText)]]),
    way: outcome.way,
    ...(outcome.parents === undefined ? {} : { parents: outcome.parents }),
    staleLocks: change.staleLocks.filter(({ path }) => path !== lockPath),
    remaining: [...change.remaining, ...bundledNotes(outcome.lock, upgrade)],
  };
};

/**
 * Brings the lock file of npm along, where npm is there to do it. Where it cannot be done the change stays as it was, with the reason and
 * the command for a person.
 */
export const withNpmLock = async (
  request: FixRequest,
  upgrade: Upgrade,
  change: ManifestChange,
): Promise<ManifestChange> => {
  const [stale, ...others] = change.staleLocks.filter(({ tool }) => tool === 'npm');
  const { renewLock } = request;
  if (stale === undefined || others.length > 0 || renewLock === undefined) return change;
  try {
    return await attempt(request, renewLock, { upgrade, change, lockPath: stale.path });
  } catch (error) {
    if (!(error instanceof CannotFix)) throw error;
    return {
      ...change,
      remaining: [
        ...change.remaining,
        sayEnglish('{path} is still as it was: {why}', { path: stale.path, why: error.message }),
      ],
    };
  }
};
