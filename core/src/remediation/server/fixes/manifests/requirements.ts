import { say } from '../../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../../platform/model/translator.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { applyEdits, BYTE_ORDER_MARK, type Line, lineEndOf, linesOf, type TextEdit } from '../text/edits.ts';
import { changedFiles, type ManifestEditor, type Upgrade } from './manifest.ts';
import { pythonName, raisedSpecifiers, readRequirement } from './python-requirement.ts';

/** Lines that belong together by `\` at their end. A comment does not go on. */
const logicalLines = (lines: readonly Line[]): Line[][] => {
  const groups: Line[][] = [];
  let isContinued = false;
  for (const line of lines) {
    const last = groups.at(-1);
    if (isContinued && last !== undefined) last.push(line);
    else groups.push([line]);
    isContinued = line.text.endsWith('\\') && !/^\s*#/.test(line.text);
  }
  return groups;
};

const HASH = /--hash[=\s]\s*\S+/g;

const withoutContinuation = (text: string): string => (text.endsWith('\\') ? text.slice(0, -1) : text).trimEnd();

/** The hashes of the old version would refuse the new one: they are taken out, with the lines that held nothing else. */
const hashEdits = (group: readonly Line[]): TextEdit[] => {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return [];
  const kept = group.map(({ text }) => withoutContinuation(withoutContinuation(text).replaceAll(HASH, '')));
  const texts = kept.filter((text, index) => index === 0 || text.trim() !== '');
  return [{ start: first.start, end: last.end, text: texts.join(' \\\n') }];
};

interface Found {
  readonly group: readonly Line[];
  readonly edits: readonly TextEdit[];
  readonly hasHashes: boolean;
}

const raise = (group: readonly Line[], upgrade: Upgrade, path: string): Found | undefined => {
  const [first] = group;
  const requirement = first === undefined ? undefined : readRequirement(first.text);
  if (first === undefined || requirement === undefined) return undefined;
  if (pythonName(requirement.name) !== pythonName(upgrade.name)) return undefined;
  if (requirement.isAddress) {
    throw new CannotFix(
      'not_declared',
      say('{path} takes {name} from an address, not from an index.', { path, name: requirement.name }),
    );
  }
  if (requirement.specifiers === '' && /^\s*[<>=!~(]/.test(group[1]?.text ?? '')) {
    throw new CannotFix(
      'manifest_unreadable',
      say('{path} writes the version of {name} on a line of its own.', { path, name: requirement.name }),
    );
  }
  const raised = raisedSpecifiers(requirement.specifiers, upgrade);
  if (raised === requirement.specifiers) return { group, edits: [], hasHashes: false };
  const edit = { start: first.start + requirement.start, end: first.start + requirement.end, text: raised };
  const hasHashes = group.some(({ text }) => /\s--hash[=\s]/.test(text));
  return { group, edits: [edit], hasHashes };
};

const withoutHashes = (text: string, { group, edits }: Found): TextEdit => {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a requirement has at least one line');
  const raised = applyEdits(
    text.slice(first.start, last.end),
    edits.map((edit) => ({ ...edit, start: edit.start - first.start, end: edit.end - first.start })),
  );
  const [whole] = hashEdits(linesOf(raised));
  return {
    start: first.start,
    end: last.end,
    text: (whole?.text ?? raised).replaceAll(' \\\n', ` \\${lineEndOf(text)}`),
  };
};

const appendLine = (text: string, line: string): string => {
  const lineEnd = lineEndOf(text);
  return `${text}${text === '' || /[\r\n]$/.test(text) ? '' : lineEnd}${line}${lineEnd}`;
};

/** What is left where the hashes of a requirement were taken out. */
export const hashNote = (path: string, name: string): string =>
  sayEnglish('Compile {path} again: the hashes of the old version of {name} were taken out.', { path, name });

const editRequirements = (
  content: string,
  path: string,
  upgrade: Upgrade,
): { text: string; remaining: string[]; isOwn: boolean } => {
  const offset = content.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const text = content.slice(offset);
  const found = logicalLines(linesOf(text)).flatMap((group) => raise(group, upgrade, path) ?? []);
  const edits = found.flatMap((one) => (one.hasHashes ? [withoutHashes(text, one)] : one.edits));
  const hasHashes = found.some((one) => one.hasHashes);
  return {
    text: content.slice(0, offset) + applyEdits(text, edits),
    isOwn: found.length > 0,
    remaining: hasHashes ? [hashNote(path, upgrade.name)] : [],
  };
};

const FILE =
  /(?:^|\/)(?=[\w-]*(?:requirements|constraints))[\w.-]+\.(?:txt|in)$|(?:^|\/)requirements\/[\w.-]+\.(?:txt|in)$/;

/** Requirements files of pip. A package that another one brings along becomes a line of its own. */
export const requirementsTxt: ManifestEditor = {
  names: ['requirements.txt', 'requirements.in', 'constraints.txt', 'requirements-dev.txt', 'requirements/base.txt'],
  edit: (upgrade, folder, files) => {
    const paths = [...files.keys()].filter((path) => path.startsWith(folder) && FILE.test(path));
    const [main] = paths;
    if (main === undefined)
      throw new CannotFix(
        'manifest_not_found',
        folder === ''
          ? say('There is no requirements file in the root of the repository.')
          : say('There is no requirements file in {folder}.', { folder }),
      );
    const after = new Map<string, string>();
    const remaining: string[] = [];
    for (const path of paths) {
      const edited = editRequirements(files.get(path) ?? '', path, upgrade);
      if (!edited.isOwn) continue;
      after.set(path, edited.text);
      remaining.push(...edited.remaining);
    }
    if (after.size > 0) {
      return { files: changedFiles(upgrade, files, after), way: 'direct', staleLocks: [], remaining };
    }
    const content = files.get(main) ?? '';
    if (content.includes('--hash') || content.includes('--require-hashes')) {
      throw new CannotFix(
        'not_declared',
        say('{main} lists {name} under no line, and its hashes have to be compiled.', { main, name: upgrade.name }),
      );
    }
    const line = `${upgrade.name}>=${upgrade.to}  # not imported by the project: lifts what another package brings along`;
    return { files: new Map([[main, appendLine(content, line)]]), way: 'override', staleLocks: [], remaining };
  },
};
