/**
 * Words in one parameter of an address, joined by commas. A comma inside a word is escaped once more than the address does it, so that a
 * joined list can be taken apart again.
 */
export const escapeWord = (word: string): string => word.replaceAll('%', '%25').replaceAll(',', '%2C');

/** The word that `escapeWord` was given. */
export const unescapeWord = (word: string): string => word.replaceAll('%2C', ',').replaceAll('%25', '%');
