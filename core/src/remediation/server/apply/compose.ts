import { createHash } from 'node:crypto';
import { isLockFile } from '../../model/fix.ts';
import { applyPatch, DiffError, readDiff } from '../../model/unified-diff.ts';
import type { Remediation } from '../remediation-store.ts';
import type { SourceFile } from '../source-files.ts';

/** Files as several fixes leave them, one after the other. */
export class ComposedFiles {
  readonly #base: ReadonlyMap<string, SourceFile>;
  readonly #now = new Map<string, string | null>();
  readonly #diffs = new Set<string>();

  /** @param base every file that one of the fixes touches, as it is at the provider */
  constructor(base: readonly SourceFile[]) {
    this.#base = new Map(base.map((file) => [file.path, file]));
  }

  /** Files that differ from the provider's, for a fix that is planned on top of them. */
  get overlay(): ReadonlyMap<string, string | null> {
    return this.#now;
  }

  get changes(): { path: string; content: string | null }[] {
    return [...this.#now]
      .filter(([path, content]) => content !== this.#contentAtProvider(path))
      .map(([path, content]) => ({ path, content }));
  }

  #contentAtProvider(path: string): string | null {
    return this.#base.get(path)?.content ?? null;
  }

  #contentNow(path: string): string | null {
    return this.#now.has(path) ? (this.#now.get(path) ?? null) : this.#contentAtProvider(path);
  }

  /** Takes changes that were made from the files as they are now. */
  put(changes: Iterable<{ path: string; content: string | null }>): void {
    for (const { path, content } of changes) this.#now.set(path, content);
  }

  /**
   * Adds a fix as a whole or not at all. `plan-anew`: it holds a lock file that has changed since it was made; `conflict`: another fix changed its
   * lines; `moved`: somebody else did, at the provider.
   */
  add({ code_diff, files }: Pick<Remediation, 'code_diff' | 'files'>): 'added' | 'plan-anew' | 'conflict' | 'moved' {
    const diff = code_diff ?? '';
    if (this.#diffs.has(diff)) return 'added';
    const patches = readDiff(diff);
    const madeFrom = new Map(files.map(({ path, sha256 }) => [path, sha256]));
    const isMoved = patches.some(({ path }) => digestOf(this.#contentNow(path)) !== (madeFrom.get(path) ?? null));
    if (isMoved && patches.some(({ path }) => isLockFile(path))) return 'plan-anew';
    try {
      const changed = patches.map((patch) => ({
        path: patch.path,
        content: applyPatch(this.#contentNow(patch.path), patch, { mayMove: isMoved }),
      }));
      this.put(changed);
      this.#diffs.add(diff);
      return 'added';
    } catch (error) {
      if (!(error instanceof DiffError)) throw error;
      const isByOthers = patches.some(({ path }) => (this.#base.get(path)?.sha256 ?? null) !== madeFrom.get(path));
      return isByOthers ? 'moved' : 'conflict';
    }
  }
}

const digestOf = (content: string | null): string | null =>
  content === null ? null : createHash('sha256').update(content).digest('hex');
