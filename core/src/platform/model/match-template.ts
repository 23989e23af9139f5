/** Less of a text would fit what reports and people wrote. */
const MIN_LETTERS = 10;
const MIN_WORDS = 2;
/** Reasons that the server keeps are shorter. */
const MAX_LENGTH = 2000;

/** A text with the values that stood in it. */
export interface Matched {
  text: string;
  values: Readonly<Record<string, string>>;
}

/** Words of a text, whatever stands between them. */
export const countWords = (text: string): number => text.split(/\P{L}+/u).filter((word) => word !== '').length;

interface Template {
  text: string;
  names: string[];
  /** What stands before, between and after its places; one more than there are names. */
  pieces: string[];
  letters: number;
}

const templateOf = (text: string): Template | undefined => {
  const parts = text.split(/\{(\w+)\}/);
  const pieces = parts.filter((_part, index) => index % 2 === 0);
  const names = parts.filter((_part, index) => index % 2 === 1);
  const letters = pieces.join('').replaceAll(/\P{L}/gu, '').length;
  return names.length === 0 || letters < MIN_LETTERS || countWords(pieces.join(' ')) < MIN_WORDS
    ? undefined
    : { text, names, pieces, letters };
};

/** The values of the places, from left to right, each as short as it can be. */
const valuesIn = ({ names, pieces }: Template, text: string): Record<string, string> | undefined => {
  const [first = '', ...others] = pieces;
  if (!text.startsWith(first)) return undefined;
  const values: Record<string, string> = {};
  let at = first.length;
  for (const [index, piece] of others.entries()) {
    const isLast = index === others.length - 1;
    let end = text.indexOf(piece, at);
    if (isLast) end = text.endsWith(piece) ? text.length - piece.length : -1;
    const name = names[index];
    if (name === undefined || end < at) return undefined;
    const value = text.slice(at, end);
    if (name in values && values[name] !== value) return undefined;
    values[name] = value;
    at = end + piece.length;
  }
  return values;
};

/**
 * Finds the text with values that an English sentence was written from: the most specific one. Linear in the text, whatever stands in it.
 * Texts that a number decides are not looked at: they are kept with their values.
 */
export const templateMatcher = (texts: Readonly<Record<string, unknown>>): ((text: string) => Matched | undefined) => {
  const templates = Object.entries(texts)
    .flatMap(([text, own]) => (typeof own === 'string' && /\{\w+\}/.test(text) ? [templateOf(text)] : []))
    .filter((template) => template !== undefined)
    .toSorted((a, b) => b.letters - a.letters);
  return (text) => {
    if (text.length > MAX_LENGTH) return undefined;
    for (const template of templates) {
      const values = valuesIn(template, text);
      if (values !== undefined) return { text: template.text, values };
    }
    return undefined;
  };
};
