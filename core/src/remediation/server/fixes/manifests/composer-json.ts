import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { editJson, type JsonChange, memberOf, readJson } from '../text/edit-json.ts';
import { changedFiles, type ManifestEditor, type Upgrade } from './manifest.ts';

/** Source: getcomposer.org/doc/articles/versions.md. */
const SIMPLE = /^(\^|~|>=|==|=|v)?\s*v?(\d[\w.+-]*)(?:@\w+)?$/;

const raisedConstraint = (constraint: string, { to, scheme }: Upgrade): string => {
  const match = SIMPLE.exec(constraint.trim());
  const version = to.replace(/^v/, '');
  if (match === null) return `^${version}`;
  const [, operator = '', present = ''] = match;
  if (scheme.release(present) !== undefined && scheme.compare(present, to) >= 0) return constraint;
  // `~1.2` reaches up to 2.0, `~1.2.0` only up to 1.3: `^` says the first in any length
  return `${operator === '~' ? '^' : operator}${version}`;
};

/** composer.json. A vulnerable package that another one brings along is made a conflict, so that a fixed one is taken. */
export const composerJson: ManifestEditor = {
  names: ['composer.json', 'composer.lock'],
  edit: (upgrade, folder, files) => {
    const path = `${folder}composer.json`;
    const content = files.get(path);
    if (content === undefined) throw new CannotFix('manifest_not_found', say('There is no file {path}.', { path }));
    const document = readJson(content, path);
    const name = upgrade.name.toLowerCase();
    const direct = ['require', 'require-dev'].flatMap((section): JsonChange[] => {
      const list = memberOf(document, section);
      const written =
        typeof list === 'object' && list !== null
          ? Object.keys(list).find((key) => key.toLowerCase() === name)
          : undefined;
      const constraint = written === undefined ? undefined : memberOf(list, written);
      return written === undefined || typeof constraint !== 'string'
        ? []
        : [{ path: [section, written], value: raisedConstraint(constraint, upgrade) }];
    });
    const lock = `${folder}composer.lock`;
    if (direct.length === 0 && !files.has(lock)) {
      throw new CannotFix(
        'not_declared',
        say('{path} does not name {name}, and there is no {lock} that holds it.', { path, name, lock }),
      );
    }
    if (direct.length === 0 && memberOf(document, 'conflict', name) !== undefined) {
      throw new CannotFix('place_not_found', say('{path} has a conflict of its own with {name}.', { path, name }));
    }
    const changes =
      direct.length > 0 ? direct : [{ path: ['conflict', name], value: `<${upgrade.to.replace(/^v/, '')}` }];
    return {
      files: changedFiles(upgrade, files, new Map([[path, editJson(content, path, changes)]])),
      way: direct.length > 0 ? 'direct' : 'override',
      staleLocks: files.has(lock)
        ? [{ path: lock, tool: 'composer', command: `composer update ${name} --with-dependencies --no-scripts` }]
        : [],
      remaining: [],
    };
  },
};
