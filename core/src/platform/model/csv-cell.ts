/** Signs with which a spreadsheet begins to calculate, at the start of a text. Source: OWASP, CSV injection. */
const FORMULA = /^(?:[ "]*[=+\-@＝＋－＠]|[\t\r\n])/u;
/**
 * The same inside a text, behind what ends a cell for a reader of another separator than ours (semicolon in much of Europe, tab, bar) or its
 * row: such a reader knows no quotes in the middle of a cell. No less would do: wherever a cell stands behind another column, its own quotes begin
 * in the middle of that reader's cell. docs/report-format.md tells people of it.
 */
const INNER_FORMULA = /([;|\t\r\n][ "]*)(?=[=+\-@＝＋－＠])/gu;

/** A text that no spreadsheet takes for a formula, whatever separates its cells: an apostrophe in front, which spreadsheets hide. */
const harmless = (text: string): string => {
  const inside = text.replace(INNER_FORMULA, "$1'");
  return FORMULA.test(inside) ? `'${inside}` : inside;
};

/** One cell of RFC 4180: quoted where it must be. Texts are made harmless; numbers stay numbers. */
export const csvCell = (value: string | number | boolean | null): string => {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = harmless(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
