/** Signs with which a spreadsheet begins to calculate. Source: OWASP, CSV injection. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;

/** A text that no spreadsheet takes for a formula: an apostrophe in front, which spreadsheets hide. */
export const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** One cell of RFC 4180: quoted where it must be. Texts are made harmless; numbers stay numbers. */
export const csvCell = (value: string | number | boolean | null): string => {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = harmless(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML, between tags and in quoted attributes. Control characters, which HTML forbids, become a sign for them. */
export const htmlText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd');
