/**
 * A LIKE pattern that finds a text anywhere: its own `%`, `_` and `\` mean themselves. PostgreSQL stores no NUL, so it is
 * left out. Lower the case in SQL, where the stored text got its.
 */
export const likePattern = (text: string): string =>
  `%${text.replaceAll('\0', '').replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/** Values that a column can hold: PostgreSQL stores no NUL, so what has one equals nothing. */
export const storable = (values: readonly string[]): string[] => values.filter((value) => !value.includes('\0'));
