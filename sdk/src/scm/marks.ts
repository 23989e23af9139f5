/**
 * How a connector finds at the provider what an idempotency key has made already, without a memory of its own: the key stands, unseen
 * by people, at the end of what was written. Only what the connection's own account wrote may be asked for its mark; anybody can write
 * a text that ends like this.
 */

const MARK = '<!-- breakwater:';
const TRAILER = 'Breakwater-Key';

/** A key as it can stand in a Markdown comment and in a line: letters, digits and a few signs, never `--`. */
function written(key: string): string {
  return encodeURIComponent(key.toWellFormed()).replaceAll('--', '-%2D');
}

/** The comment of Markdown that holds the key. */
export function keyMark(key: string): string {
  return `${MARK}${written(key)} -->`;
}

/** Markdown with the mark of the key at its end. Marks that stand in the text itself, such as those of a hostile report, are taken apart. */
export function withKeyMark(markdown: string, key: string): string {
  return `${markdown.replaceAll(MARK, '<!-- breakwater ').trimEnd()}\n\n${keyMark(key)}`;
}

/** Whether this Markdown is what the key made. */
export function hasKeyMark(markdown: string | null | undefined, key: string): boolean {
  return markdown?.trimEnd().endsWith(keyMark(key)) ?? false;
}

/** A commit message with the key as its last trailer. Such trailers in the message itself are taken apart. */
export function withKeyTrailer(message: string, key: string): string {
  const body = message.replaceAll(/^Breakwater-Key:/gm, `${TRAILER} `).trimEnd();
  return `${body}\n\n${TRAILER}: ${written(key)}\n`;
}

/** Whether the commit of this message is what the key made. */
export function hasKeyTrailer(message: string, key: string): boolean {
  return trailerOf(message) === written(key);
}

/** Whether a commit of this message was made by `commitFiles`, whatever its key. */
export function isOwnCommit(message: string): boolean {
  return trailerOf(message) !== null;
}

function trailerOf(message: string): string | null {
  return /(?:^|\n)Breakwater-Key: (\S+)$/.exec(message.trimEnd())?.[1] ?? null;
}
