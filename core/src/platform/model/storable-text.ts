/** True for a text that PostgreSQL can keep: no NUL, no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
