/**
 * A LIKE pattern that finds a text anywhere: its own `%`, `_` and `\` mean themselves. PostgreSQL stores no NUL, so it is
 * left out. Lower the case in SQL, where the stored text got its.
 */
export const likePattern = (text: string): string =>
  `%${text.replaceAll('\0', '').replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
