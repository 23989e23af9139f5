import { makeAutoObservable, observableRef } from 'mobx';
import { msg } from '../../../platform/model/message.ts';
import { withoutLineNumbers } from '../../model/diff-lines.ts';
import { type DraftFile, type DraftHunk, isWhitespaceOnly, readDraft, writeDraft } from '../../model/patch-draft.ts';
import { DiffError } from '../../model/unified-diff.ts';
import type { FixStore, Remediation } from '../fix.store.ts';

interface DraftText {
  title: string;
  description: string;
}

const filesOf = (diff: string | null): DraftFile[] | undefined => {
  try {
    return readDraft(withoutLineNumbers(diff ?? ''));
  } catch (error) {
    if (error instanceof DiffError) return undefined;
    throw error;
  }
};

/** What a person makes of a fix before it is saved. Whatever others do meanwhile, it stays until it is saved or dropped. */
export class PatchStore {
  /** Undefined where the diff cannot be taken apart: it is shown as it is. */
  files: readonly DraftFile[] | undefined = undefined;
  text: DraftText = { title: '', description: '' };
  /** The fix that was edited. */
  base: Remediation | undefined = undefined;
  /** The fix as somebody else has changed it meanwhile. */
  theirs: Remediation | undefined = undefined;
  /** Grows when editors have to begin anew with other text. */
  generation = 0;
  readonly #fix: FixStore;

  constructor(fix: FixStore) {
    this.#fix = fix;
    makeAutoObservable<this>(
      this,
      { files: observableRef, base: observableRef, theirs: observableRef },
      { autoBind: true },
    );
  }

  /** The diff as it would be saved. */
  get diff(): string {
    return this.files === undefined ? (this.base?.attributes.code_diff ?? '') : writeDraft(this.files);
  }

  get isDiffChanged(): boolean {
    return this.base !== undefined && this.files !== undefined && this.diff !== this.#savedDiff;
  }

  get isTextChanged(): boolean {
    const saved = this.base?.attributes;
    return saved !== undefined && (this.text.title !== saved.title || this.text.description !== saved.description);
  }

  get isChanged(): boolean {
    return this.isDiffChanged || this.isTextChanged;
  }

  /** Somebody edited it before, or edits it now: it is not what was generated. */
  get canReset(): boolean {
    const generated = this.base?.attributes.code_diff_original ?? null;
    return generated !== null && this.diff !== generated;
  }

  /** Some of its changes are of whitespace alone. */
  get hasWhitespaceHunks(): boolean {
    return this.files?.some(({ hunks }) => hunks.some(isWhitespaceOnly)) ?? false;
  }

  /** Why it cannot be saved. */
  get obstacle(): string | undefined {
    if (this.isDiffChanged && this.diff === '')
      return msg('Nothing is taken any more: leave one change in, or open no pull request.');
    return this.text.title.trim() === '' ? msg('The pull request needs a title.') : undefined;
  }

  /** The server has another state of the fix. */
  offer(remediation: Remediation): void {
    const { base } = this;
    if (base === undefined || this.#fix.step === 'save') {
      if (base === undefined) this.adopt(remediation);
      return;
    }
    const isSame = remediation.attributes.revision === base.attributes.revision;
    if (isSame) this.base = remediation;
    else if (!this.isChanged || this.#isMine(remediation)) this.adopt(remediation);
    else this.theirs = remediation;
  }

  /** Begins anew with what is saved. */
  adopt(remediation: Remediation): void {
    const { code_diff: diff, title, description } = remediation.attributes;
    this.base = remediation;
    this.theirs = undefined;
    this.text = { title, description };
    this.files = filesOf(diff);
    this.generation += 1;
  }

  /** Drops what is not saved. */
  drop(): void {
    const saved = this.theirs ?? this.base;
    if (saved !== undefined) this.adopt(saved);
  }

  write(text: Partial<DraftText>): void {
    this.text = { ...this.text, ...text };
  }

  changeHunk(path: string, index: number, change: (hunk: DraftHunk) => DraftHunk): void {
    this.files = this.files?.map((file) =>
      file.path === path
        ? { ...file, hunks: file.hunks.map((hunk, at) => (at === index ? change(hunk) : hunk)) }
        : file,
    );
  }

  /** Puts the generated change back; it is not saved by that. */
  reset(): void {
    this.files = filesOf(this.base?.attributes.code_diff_original ?? null);
    this.generation += 1;
  }

  /** @returns whether it was saved */
  async save(): Promise<boolean> {
    const { base } = this;
    if (base === undefined || !this.isChanged || this.obstacle !== undefined) return false;
    const isSaved = await this.#fix.save({
      revision: base.attributes.revision,
      ...(this.isDiffChanged ? { code_diff: this.diff } : {}),
      ...(this.isTextChanged ? this.text : {}),
    });
    const now = this.#fix.remediation;
    if (now === undefined || now === null) return isSaved;
    if (isSaved) this.adopt(now);
    else this.offer(now);
    return isSaved;
  }

  /** Saves over what somebody else has written, knowing it. */
  saveOverTheirs(): Promise<boolean> {
    if (this.theirs !== undefined) this.base = this.theirs;
    this.theirs = undefined;
    return this.save();
  }

  get #savedDiff(): string {
    return this.base?.attributes.code_diff ?? '';
  }

  #isMine({ attributes }: Remediation): boolean {
    const { title, description } = this.text;
    return attributes.code_diff === this.diff && attributes.title === title && attributes.description === description;
  }
}
