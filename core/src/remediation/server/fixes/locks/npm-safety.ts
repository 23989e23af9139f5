import semver from 'semver';
import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { memberOf } from '../text/edit-json.ts';
import { isInstalled, membersOf, type NpmLock } from './npm-lock.ts';

const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** A range, a tag, or an alias of them: what npm asks a registry for. Everything else names a folder, a repository or an address. */
const isOfRegistry = (requirement: string): boolean => {
  const text = requirement.trim().replace(/^npm:(?:@[\w.-]+\/)?[\w.-]+(?:@|$)/, '');
  return semver.validRange(text, { loose: true }) !== null || /^[\w][\w.-]*$/.test(text);
};

/** Requirements of overrides, which may be nested. `$name` repeats one of the manifest. */
const overridesOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value.startsWith('$') ? '*' : value]
    : membersOf(value).flatMap(([, inner]) => overridesOf(inner));

const foreign = (path: string, what: string): CannotFix =>
  new CannotFix(
    'manifest_unreadable',
    say('{path} takes {package} from elsewhere than a registry, which is not fetched here.', {
      path,
      package: what.slice(0, 100),
    }),
  );

/**
 * Refuses a manifest with which npm would read folders of this machine, start git or ask other hosts than the registry.
 * @throws CannotFix
 */
export const checkManifest = (path: string, manifest: unknown): void => {
  for (const section of SECTIONS) {
    for (const [name, requirement] of membersOf(memberOf(manifest, section))) {
      if (typeof requirement !== 'string' || !isOfRegistry(requirement)) throw foreign(path, name);
    }
  }
  const wrong = overridesOf(memberOf(manifest, 'overrides')).find((requirement) => !isOfRegistry(requirement));
  if (wrong !== undefined) throw foreign(path, wrong);
  const listed = memberOf(manifest, 'workspaces');
  const patterns: unknown = Array.isArray(listed) ? listed : memberOf(listed, 'packages');
  for (const pattern of Array.isArray(patterns) ? patterns : []) {
    if (typeof pattern !== 'string' || /^[/\\~]|^!?[a-z]:|\.\./i.test(pattern)) {
      throw new CannotFix('manifest_unreadable', say('{path} names workspaces outside of its folder.', { path }));
    }
  }
};

const isPlainFolder = (location: string): boolean =>
  /^[\w@.+ -]+(?:\/[\w@.+ -]+)*$/.test(location) && !location.split('/').some((part) => part === '..' || part === '.');

/** Refuses a lock file that names packages outside of its folder or from elsewhere than a registry. @throws CannotFix */
export const checkLock = (path: string, lock: NpmLock): void => {
  for (const [location, entry] of Object.entries(lock.packages)) {
    if (location === '') continue;
    if (!isPlainFolder(location)) throw foreign(path, location);
    if (!isInstalled(location)) continue;
    const { resolved } = entry;
    const isWorkspace = typeof resolved === 'string' && Object.hasOwn(lock.packages, resolved);
    if (entry.link === true ? !isWorkspace : typeof resolved === 'string' && !/^https?:\/\//.test(resolved)) {
      throw foreign(path, location);
    }
  }
};
