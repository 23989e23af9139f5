import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { applyEdits, type Line, lineEndOf, linesOf, type TextEdit } from '../text/edits.ts';
import { changedFiles, type ManifestEditor, type Upgrade } from './manifest.ts';

/** `gem 'name'` with the requirements behind it: `gem("rails", "~> 6.1", '>= 6.1.4', require: false)`. */
const GEM = /^(\s*gem[\s(]\s*(["'])([\w.-]+)\2)((?:\s*,\s*(?:"[^"]*"|'[^']*'))*)(.*)$/;
const REQUIREMENT = /^(~>|>=|<=|!=|=|<|>)?\s*(\d[\w.-]*)$/;

const raisedRequirement = (requirement: string, { to, scheme }: Upgrade): string => {
  const match = REQUIREMENT.exec(requirement.trim());
  const [, operator = '', version = ''] = match ?? [];
  if (match !== null && operator !== '<' && operator !== '<=' && scheme.compare(version, to) >= 0) return requirement;
  if (operator === '~>') {
    // as many numbers as before say how far it reaches: `~> 6.1` up to 7
    const isReached =
      to
        .split('.')
        .slice(0, version.split('.').length - 1)
        .join('.') === version.split('.').slice(0, -1).join('.');
    return to.split('.').length === version.split('.').length
      ? `~> ${to}`
      : isReached
        ? `~> ${version}', '>= ${to}`
        : `>= ${to}`;
  }
  if (operator === '' || operator === '=') return requirement.includes('=') ? `= ${to}` : to;
  return `>= ${to}`;
};

const gemEdit = (line: Line, upgrade: Upgrade, path: string): TextEdit[] | undefined => {
  const match = GEM.exec(line.text);
  if (match === null || match[3] !== upgrade.name) return undefined;
  const [, head = '', quote = "'", , list = '', rest = ''] = match;
  if (/\b(?:git|github|path|gist|bitbucket)\s*(?::|=>)/.test(rest)) {
    throw new CannotFix(
      'not_declared',
      say('{path} takes {name} from a repository or folder, not from a registry.', { path, name: upgrade.name }),
    );
  }
  const start = line.start + head.length;
  const requirements = [...list.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '');
  const [only] = requirements;
  const raised =
    requirements.length === 1 && only !== undefined ? raisedRequirement(only, upgrade) : `>= ${upgrade.to}`;
  if (raised === only) return [];
  if (requirements.length > 1 && requirements.includes(raised)) return [];
  const texts = raised.split("', '").map((text) => `, ${quote}${text}${quote}`);
  return [{ start, end: start + list.length, text: texts.join('') }];
};

/** Gemfile of Bundler. What another gem brings along becomes a line of its own. */
export const gemfile: ManifestEditor = {
  names: ['Gemfile', 'Gemfile.lock'],
  edit: (upgrade, folder, files) => {
    const path = `${folder}Gemfile`;
    const content = files.get(path);
    if (content === undefined) throw new CannotFix('manifest_not_found', say('There is no file {path}.', { path }));
    const found = linesOf(content).flatMap((line) => {
      const edits = gemEdit(line, upgrade, path);
      return edits === undefined ? [] : [edits];
    });
    const hasLock = files.has(`${folder}Gemfile.lock`);
    if (found.length === 0 && !hasLock) {
      throw new CannotFix(
        'not_declared',
        say('{path} does not name {name}, and there is no lock file that holds it.', { path, name: upgrade.name }),
      );
    }
    const lineEnd = lineEndOf(content);
    const added = `${content === '' || /[\r\n]$/.test(content) ? '' : lineEnd}gem '${upgrade.name}', '>= ${upgrade.to}'${lineEnd}`;
    if (found.length === 0 && !/^[\w.-]+$/.test(upgrade.name)) {
      throw new CannotFix('not_declared', say('{name} is no name of a gem.', { name: upgrade.name.slice(0, 100) }));
    }
    const after = found.length > 0 ? applyEdits(content, found.flat()) : content + added;
    return {
      files: changedFiles(upgrade, files, new Map([[path, after]])),
      way: found.length > 0 ? 'direct' : 'override',
      staleLocks: hasLock
        ? [
            {
              path: `${folder}Gemfile.lock`,
              tool: 'bundler',
              command: `bundle lock --update ${upgrade.name} --conservative`,
            },
          ]
        : [],
      remaining: [],
    };
  },
};
