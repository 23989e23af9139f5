/** Characters of a branch's name, at most. */
export const MAX_BRANCH_LENGTH = 255;

/** What a name of a branch may not hold: a control character shows as nothing, and NUL cannot be stored. */
const CONTROL = /\p{Cc}/u;

/** A branch as pipelines name it: `refs/heads/main` is `main`. Undefined where nothing is named. */
export const branchNameOf = (text: string | undefined): string | undefined => {
  const name = text?.trim().replace(/^refs\/heads\//, '') ?? '';
  return name === '' ? undefined : name;
};

export const isBranchName = (name: string): boolean => name.length <= MAX_BRANCH_LENGTH && !CONTROL.test(name);

/** Longest name of the part that a report is about. */
export const MAX_PART_LENGTH = 200;

/** One line of text. */
export const isPartName = (text: string): boolean =>
  text !== '' && text.length <= MAX_PART_LENGTH && !/[\p{Cc}\u2028\u2029]/u.test(text);
