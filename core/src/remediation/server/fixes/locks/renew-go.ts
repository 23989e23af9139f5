import { say, sayLabel } from '../../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../../platform/model/translator.ts';
import type { FixRequest } from '../../../model/fix.ts';
import { readGoMod, versionOf } from '../manifests/go-mod.ts';
import type { ManifestChange, Upgrade } from '../manifests/manifest.ts';
import { CannotFix } from '../text/cannot-fix.ts';

/** Hashes by module and version, as `go.sum` holds them. Source: go.dev/ref/mod#go-sum-files. @throws CannotFix */
const hashesOf = (text: string, path: string): Map<string, string> => {
  const hashes = new Map<string, string>();
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, key, hash] = /^(\S+ v\S+) (h1:[A-Za-z0-9+/]{43}=)\s*$/.exec(line) ?? [];
    if (key === undefined || hash === undefined)
      throw new CannotFix('manifest_unreadable', say('{path} is no go.sum.', { path }));
    hashes.set(key, hash);
  }
  return hashes;
};

/** Refuses a go.mod with which Go would read folders of this machine. @throws CannotFix */
const checkGoMod = (text: string, path: string): void => {
  if (/=>\s*["`]?(?:\.{0,2}\/|[A-Za-z]:[\\/]|~)/.test(text))
    throw new CannotFix(
      'manifest_unreadable',
      say('{path} replaces a module by a folder, which is not read here.', { path }),
    );
};

/** What Go wrote may add hashes and raise requirements; what was there stays. @throws CannotFix that says what else has changed */
const checkRenewed = (
  before: { mod: string; sum: string },
  after: { mod: string; sum: string },
  upgrade: Upgrade,
  path: string,
): void => {
  const [old, now] = [hashesOf(before.sum, path), hashesOf(after.sum, path)];
  const other = [...old].find(([key, hash]) => now.has(key) && now.get(key) !== hash);
  if (other !== undefined)
    throw new CannotFix(
      'manifest_unreadable',
      say('{module} is something else at the proxy than in {path}.', { module: other[0], path }),
    );
  const wanted = `${upgrade.name} ${versionOf(upgrade)}`;
  if (!now.has(wanted) || !now.has(`${wanted}/go.mod`))
    throw new CannotFix('manifest_unreadable', say('go wrote no hash of {wanted}.', { wanted }));
  const versions = new Map(readGoMod(after.mod).requirements.map(({ module, version }) => [module, version]));
  const lost = readGoMod(before.mod).requirements.find(({ module, version }) => {
    const kept = versions.get(module);
    return kept === undefined || upgrade.scheme.compare(kept, version) < 0;
  });
  if (lost !== undefined)
    throw new CannotFix(
      'manifest_unreadable',
      say('go would take out or lower {module} {version}.', { module: lost.module, version: lost.version }),
    );
};

/**
 * Brings go.sum along, where Go is there to do it. Where it cannot be done the change stays as it was, with the reason and the command for a
 * person.
 */
export const withGoSum = async (
  request: FixRequest,
  upgrade: Upgrade,
  change: ManifestChange,
): Promise<ManifestChange> => {
  const stale = change.staleLocks.find(({ tool }) => tool === 'go');
  const sum = request.files.find(({ path }) => path === stale?.path)?.content;
  const { renewLock } = request;
  if (stale === undefined || sum === undefined || renewLock === undefined) return change;
  const modPath = stale.path.replace(/go\.sum$/, 'go.mod');
  const mod = change.files.get(modPath) ?? '';
  try {
    checkGoMod(mod, modPath);
    const files = new Map([
      ['go.mod', mod],
      ['go.sum', sum],
    ]);
    const answer = await renewLock({
      files,
      lock: 'go.sum',
      change: { name: upgrade.name, version: versionOf(upgrade) },
    });
    if ('refused' in answer) throw new CannotFix('manifest_unreadable', sayLabel(answer.refused));
    const after = { mod: answer.manifests?.get('go.mod') ?? mod, sum: answer.content };
    checkRenewed({ mod, sum }, after, upgrade, stale.path);
    return {
      ...change,
      files: new Map([...change.files, [modPath, after.mod], [stale.path, after.sum]]),
      staleLocks: change.staleLocks.filter((lock) => lock !== stale),
    };
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
