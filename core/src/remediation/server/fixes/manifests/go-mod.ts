import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { applyEdits, type Line, lineEndOf, linesOf, type TextEdit } from '../text/edits.ts';
import { changedFiles, type ManifestEditor, type Upgrade } from './manifest.ts';

interface Requirement {
  readonly module: string;
  readonly version: string;
  /** Offsets of the version. */
  readonly start: number;
  readonly end: number;
}

interface GoMod {
  readonly requirements: readonly Requirement[];
  readonly replaced: ReadonlySet<string>;
}

const unquoted = (text: string): string => text.replace(/^["`]|["`]$/g, '');

/** One line of a block, or what follows a verb: `golang.org/x/net v0.1.0 // indirect`. Source: go.dev/ref/mod#go-mod-file. */
const ENTRY = /^(\s*)("[^"\s]+"|`[^`\s]+`|[^\s"`(),/]\S*)(\s+)("[^"\s]+"|v[^\s"`]+)/;

const requirementOf = (line: Line, from: number): Requirement | undefined => {
  const match = ENTRY.exec(line.text.slice(from));
  if (match === null) return undefined;
  const [, space = '', module = '', gap = '', version = ''] = match;
  const start = line.start + from + space.length + module.length + gap.length;
  return { module: unquoted(module), version: unquoted(version), start, end: start + version.length };
};

/** What a go.mod requires and replaces. */
export const readGoMod = (text: string): GoMod => {
  const requirements: Requirement[] = [];
  const replaced = new Set<string>();
  let block: string | undefined;
  for (const line of linesOf(text)) {
    const verb = /^\s*(require|replace|exclude|retract|godebug|tool|ignore)(\s*\(|\s+)/.exec(line.text);
    if (block === undefined && verb?.[2]?.endsWith('(')) {
      block = verb[1];
      continue;
    }
    if (block !== undefined && /^\s*\)/.test(line.text)) {
      block = undefined;
      continue;
    }
    const kind = block ?? verb?.[1];
    const from = block === undefined ? (verb?.[0].length ?? 0) : 0;
    const requirement = kind === 'require' ? requirementOf(line, from) : undefined;
    if (requirement !== undefined) requirements.push(requirement);
    const module = kind === 'replace' ? /^\s*(\S+)/.exec(line.text.slice(from))?.[1] : undefined;
    if (module !== undefined) replaced.add(unquoted(module));
  }
  return { requirements, replaced };
};

/** The path of a module carries its major version from 2 on: another major is another module. Source: go.dev/ref/mod#major-version-suffixes. */
const majorOfPath = (module: string): number => Number(/(?:\/v|\.v)(\d+)$/.exec(module)?.[1] ?? 1);

/** The version as Go writes it. @throws CannotFix where it is one of another module */
export const versionOf = ({ name, to, scheme }: Upgrade): string => {
  const version = to.startsWith('v') ? to : `v${to}`;
  const [major = 0] = scheme.release(version) ?? [];
  if (major <= 1 || major === majorOfPath(name) || version.endsWith('+incompatible')) return version;
  throw new CannotFix(
    'needs_code_change',
    say('{name} {version} is another module, {module}/v{major}: its imports have to change.', {
      name,
      version,
      module: name.replace(/\/v\d+$/, ''),
      major: String(major),
    }),
  );
};

/** go.mod. A module that others bring along is required here too, which lifts it for all of them. */
export const goMod: ManifestEditor = {
  names: ['go.mod', 'go.sum'],
  edit: (upgrade, folder, files) => {
    const path = `${folder}go.mod`;
    const content = files.get(path);
    if (content === undefined) throw new CannotFix('manifest_not_found', say('There is no file {path}.', { path }));
    const first = linesOf(content).find(({ text }) => !/^[\s\uFEFF]*(?:$|\/\/)/.test(text));
    if (!/^[\s\uFEFF]*module\s/.test(first?.text ?? '')) {
      throw new CannotFix('manifest_unreadable', say('{path} does not begin with the name of its module.', { path }));
    }
    if (upgrade.name === 'stdlib') {
      throw new CannotFix(
        'unsupported_ecosystem',
        say('The standard library comes with Go itself: build with go {to}.', { to: upgrade.to }),
      );
    }
    const version = versionOf(upgrade);
    const { requirements, replaced } = readGoMod(content);
    if (replaced.has(upgrade.name))
      throw new CannotFix(
        'not_declared',
        say('{path} replaces {name} by another module.', { path, name: upgrade.name }),
      );
    const own = requirements.filter(({ module }) => module === upgrade.name);
    const edits = own.flatMap((found): TextEdit[] =>
      upgrade.scheme.compare(found.version, version) < 0 ? [{ start: found.start, end: found.end, text: version }] : [],
    );
    const lineEnd = lineEndOf(content);
    const added = `${/[\r\n]$/.test(content) ? '' : lineEnd}${lineEnd}require ${upgrade.name} ${version} // indirect${lineEnd}`;
    const after = own.length > 0 ? applyEdits(content, edits) : content + added;
    return {
      files: changedFiles(upgrade, files, new Map([[path, after]])),
      way: own.length > 0 ? 'direct' : 'override',
      staleLocks: [{ path: `${folder}go.sum`, tool: 'go', command: 'go mod tidy' }],
      remaining: [],
    };
  },
};
