import { type Sentence, say } from '../../platform/model/sentence.ts';
import { ENGLISH } from '../../platform/model/translator.ts';
import { editsBetween } from './line-edits.ts';

/** A file as it was and as it is to be; null: there is none. */
export interface TextChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** One change of a file with its surroundings. */
export interface Hunk {
  /** 0-based line of the old file at which it begins. */
  readonly start: number;
  readonly lines: readonly { readonly kind: ' ' | '-' | '+'; readonly text: string }[];
}

/** What a diff does to one file. */
export interface FilePatch {
  readonly path: string;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly hunks: readonly Hunk[];
}

/** A diff that cannot be read, as a sentence that names the line. */
export class DiffError extends Error {
  constructor(why: Sentence) {
    super(ENGLISH.say(why));
  }
}

/** Lines around a change. */
const CONTEXT = 3;
/** What no diff writes without quoting, which we do not read. */
const UNQUOTABLE = /[\p{Cc}"\\]/u;

/** Lines with their ends; the last one may have none. */
export const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/));

/** A line of a diff. */
export const written = (kind: string, line: string): string =>
  line.endsWith('\n') ? `${kind}${line}` : `${kind}${line}\n\\ No newline at end of file\n`;

/** What stands above the hunks of a file. @throws DiffError for a path that needs quoting */
export const headOf = ({ path, before, after }: TextChange): string => {
  if (UNQUOTABLE.test(path)) throw new DiffError(say('“{path}” is no path that a diff can name.', { path }));
  // a name with blanks ends with a tab, as git writes it
  const end = path.includes(' ') ? '\t' : '';
  const mode = before === null ? 'new file mode 100644\n' : after === null ? 'deleted file mode 100644\n' : '';
  const names =
    (before ?? '') === '' && (after ?? '') === ''
      ? ''
      : `--- ${before === null ? '/dev/null' : `a/${path}${end}`}\n+++ ${after === null ? '/dev/null' : `b/${path}${end}`}\n`;
  return `diff --git a/${path} b/${path}\n${mode}${names}`;
};

const fileDiff = (change: TextChange): string => {
  const before = linesOf(change.before ?? '');
  const after = linesOf(change.after ?? '');
  const edits = editsBetween(before, after);
  let text = headOf(change);
  for (let first = 0; first < edits.length; ) {
    let last = first;
    while (last + 1 < edits.length && (edits[last + 1]?.from ?? 0) - (edits[last]?.to ?? 0) <= 2 * CONTEXT) last += 1;
    text += hunkText(before, after, edits.slice(first, last + 1));
    first = last + 1;
  }
  return text;
};

/** Lines of one side in the head of a hunk; `start` is 0-based. */
export const rangeOf = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`;

type Edits = ReturnType<typeof editsBetween>;

const hunkText = (before: readonly string[], after: readonly string[], edits: Edits): string => {
  const [first] = edits;
  const last = edits.at(-1);
  if (first === undefined || last === undefined) return '';
  const from = Math.max(0, first.from - CONTEXT);
  const to = Math.min(before.length, last.to + CONTEXT);
  const newFrom = first.newFrom - (first.from - from);
  const newTo = last.newTo + (to - last.to);
  let text = `@@ -${rangeOf(from, to - from)} +${rangeOf(newFrom, newTo - newFrom)} @@\n`;
  let at = from;
  for (const edit of edits) {
    for (; at < edit.from; at += 1) text += written(' ', before[at] ?? '');
    for (; at < edit.to; at += 1) text += written('-', before[at] ?? '');
    for (let line = edit.newFrom; line < edit.newTo; line += 1) text += written('+', after[line] ?? '');
  }
  for (; at < to; at += 1) text += written(' ', before[at] ?? '');
  return text;
};

/** The changes as git writes them, unchanged files left out. @throws DiffError for a path that needs quoting */
export const writeDiff = (changes: readonly TextChange[]): string =>
  changes
    .filter(({ before, after }) => before !== after)
    .map(fileDiff)
    .join('');

const FORBIDDEN =
  /^(?:rename (?:from|to)|copy (?:from|to)|old mode|new mode|similarity index|dissimilarity index|GIT binary patch|Binary files )/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads a diff line by line; what it does not understand it refuses. */
class DiffReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = linesOf(text.endsWith('\n') || text === '' ? text : `${text}\n`);
  }

  #fail(why: Sentence): DiffError {
    return new DiffError(say('Line {line} of the diff: {why}', { line: String(this.#at + 1), why }));
  }

  #line(): string {
    return (this.#lines[this.#at] ?? '').replace(/\n$/, '');
  }

  #isEnd(): boolean {
    return this.#at >= this.#lines.length;
  }

  #name(prefix: '---' | '+++'): string | null {
    const side = prefix === '---' ? 'a' : 'b';
    const line = this.#line().replace(/\r$/, '');
    if (!line.startsWith(`${prefix} `)) throw this.#fail(say('it must begin with “{prefix} ”.', { prefix }));
    const name = line.slice(4).split('\t')[0] ?? '';
    this.#at += 1;
    if (name === '/dev/null') return null;
    if (!name.startsWith(`${side}/`) || name.length === 2) {
      this.#at -= 1;
      throw this.#fail(say('the name must begin with “{side}/”.', { side }));
    }
    return name.slice(2);
  }

  #gitHead(): { path: string; isNew: boolean; isDeleted: boolean } | undefined {
    const line = this.#line().replace(/\r$/, '');
    if (!line.startsWith('diff --git ')) return undefined;
    const names = line.slice('diff --git '.length);
    const path = names.slice(2, (names.length - 1) / 2);
    if (names !== `a/${path} b/${path}`)
      throw this.#fail(say('it must name one file twice: “diff --git a/file b/file”.'));
    this.#at += 1;
    let isNew = false;
    let isDeleted = false;
    for (; !this.#isEnd() && !/^(?:---|diff --git) /.test(this.#line()); this.#at += 1) {
      if (FORBIDDEN.test(this.#line()))
        throw this.#fail(say('only changes of text are taken, no renames, modes or binary files.'));
      isNew ||= this.#line().startsWith('new file mode ');
      isDeleted ||= this.#line().startsWith('deleted file mode ');
      if (!/^(?:new file mode 100644|deleted file mode |index )/.test(this.#line()) && this.#line().trim() !== '')
        throw this.#fail(say('it is no part of a diff.'));
    }
    return { path, isNew, isDeleted };
  }

  #hunkLines(old: number, fresh: number): Hunk['lines'] {
    const lines: { kind: ' ' | '-' | '+'; text: string }[] = [];
    let [oldLeft, newLeft] = [old, fresh];
    while (oldLeft > 0 || newLeft > 0) {
      const raw = this.#lines[this.#at];
      if (raw === undefined) throw this.#fail(say('the diff ends in the middle of a hunk.'));
      const kind = raw[0] === '\n' ? ' ' : raw[0];
      if (kind !== ' ' && kind !== '-' && kind !== '+') throw this.#fail(say('it must begin with “ ”, “-” or “+”.'));
      if (kind !== '+') oldLeft -= 1;
      if (kind !== '-') newLeft -= 1;
      if (oldLeft < 0 || newLeft < 0) throw this.#fail(say('the hunk has other lines than its head says.'));
      this.#at += 1;
      const isCut = this.#lines[this.#at]?.startsWith('\\ ') ?? false;
      const text = raw[0] === '\n' ? '\n' : raw.slice(1);
      lines.push({ kind, text: isCut ? text.slice(0, -1) : text });
      if (isCut) this.#at += 1;
    }
    return lines;
  }

  #hunks(): Hunk[] {
    const hunks: Hunk[] = [];
    for (let head = HUNK.exec(this.#line()); head !== null && !this.#isEnd(); head = HUNK.exec(this.#line())) {
      const [, start = '0', old = '1', , fresh = '1'] = head;
      if ([start, old, fresh].some((figure) => figure.length > 8)) throw this.#fail(say('its figures are too large.'));
      this.#at += 1;
      const first = Number(old) === 0 ? Number(start) : Number(start) - 1;
      hunks.push({ start: first, lines: this.#hunkLines(Number(old), Number(fresh)) });
    }
    return hunks;
  }

  #file(): FilePatch {
    const head = this.#gitHead();
    if (head !== undefined && (this.#isEnd() || this.#line().startsWith('diff --git '))) {
      if (!head.isNew && !head.isDeleted) throw this.#fail(say('the file before it has no changes.'));
      return { ...head, hunks: [] };
    }
    const before = this.#name('---');
    const after = this.#name('+++');
    const path = after ?? before;
    if (path === null || (before !== null && after !== null && before !== after) || (head?.path ?? path) !== path)
      throw this.#fail(say('the names before it are of several files; a diff may not rename.'));
    const hunks = this.#hunks();
    if (hunks.length === 0) throw this.#fail(say('a hunk must follow: “@@ -1,3 +1,3 @@”.'));
    return { path, isNew: before === null, isDeleted: after === null, hunks };
  }

  files(): FilePatch[] {
    const files: FilePatch[] = [];
    while (!this.#isEnd()) {
      if (this.#line().trim() === '') this.#at += 1;
      else files.push(this.#file());
    }
    const paths = files.map(({ path }) => path);
    const twice = paths.find((path, index) => paths.indexOf(path) !== index);
    if (twice !== undefined) throw new DiffError(say('The diff names “{path}” twice.', { path: twice }));
    return files;
  }
}

/** The files of a unified diff as git writes it. @throws DiffError with the line that is wrong */
export const readDiff = (text: string): FilePatch[] => new DiffReader(text).files();

const fits = (lines: readonly string[], old: readonly string[], at: number): boolean =>
  at >= 0 && at + old.length <= lines.length && old.every((line, index) => lines[at + index] === line);

/** The one place other than `wanted` where the lines stand; undefined for none or several. */
const elsewhere = (lines: readonly string[], old: readonly string[], from: number): number | undefined => {
  const places: number[] = [];
  for (let at = from; at + old.length <= lines.length && places.length < 2; at += 1)
    if (fits(lines, old, at)) places.push(at);
  return places.length === 1 ? places[0] : undefined;
};

/**
 * The file as the patch makes it: every line that it names must be there, exactly.
 * @param mayMove a hunk may stand further up or down, where its lines are found once @throws DiffError
 */
export const applyPatch = (before: string | null, patch: FilePatch, { mayMove = false } = {}): string | null => {
  const { path, isNew, isDeleted, hunks } = patch;
  if (isNew && before !== null) throw new DiffError(say('“{path}” is there already.', { path }));
  if (!isNew && before === null) throw new DiffError(say('“{path}” is not in the repository.', { path }));
  const lines = linesOf(before ?? '');
  const result: string[] = [];
  let at = 0;
  let offset = 0;
  for (const { start, lines: changed } of hunks) {
    const old = changed.filter(({ kind }) => kind !== '+').map(({ text }) => text);
    const wanted = start + offset;
    const found =
      wanted >= at && fits(lines, old, wanted)
        ? wanted
        : mayMove && old.length > 0
          ? elsewhere(lines, old, at)
          : undefined;
    if (found === undefined)
      throw new DiffError(
        say('The change at line {line} of “{path}” does not fit the file as it is now.', {
          line: String(start + 1),
          path,
        }),
      );
    offset = found - start;
    result.push(...lines.slice(at, found), ...changed.filter(({ kind }) => kind !== '-').map(({ text }) => text));
    at = found + old.length;
  }
  result.push(...lines.slice(at));
  const cut = result.findIndex((line, index) => index < result.length - 1 && !line.endsWith('\n'));
  if (cut !== -1)
    throw new DiffError(
      say('Line {line} of “{path}” would have no end although others follow.', { line: String(cut + 1), path }),
    );
  if (!isDeleted) return result.join('');
  if (result.length > 0) throw new DiffError(say('“{path}” is to be deleted, but lines of it would remain.', { path }));
  return null;
};

/** Removed and added lines without their places: what two diffs have in common that do the same at other lines. */
export const effectOf = (patches: readonly FilePatch[]): string =>
  JSON.stringify(
    patches.map(({ path, isNew, isDeleted, hunks }) => [
      path,
      isNew,
      isDeleted,
      hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== ' ').map(({ kind, text }) => kind + text)),
    ]),
  );

/** The lines of the first change with their surroundings, before and after. */
export const snippetsOf = ([first]: readonly FilePatch[]): { before: string; after: string } => {
  const lines = first?.hunks[0]?.lines ?? [];
  const side = (left: '-' | '+'): string =>
    lines
      .filter(({ kind }) => kind === ' ' || kind === left)
      .map(({ text }) => text)
      .join('');
  return { before: side('-'), after: side('+') };
};
