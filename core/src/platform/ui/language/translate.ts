/** Forms of a text by the plural categories of its language. Source: Unicode CLDR, `Intl.PluralRules`. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Texts of one language by their English: a text, or its forms where a number decides. */
export type TextTable = Readonly<Record<string, string | PluralForms>>;

/** Names in braces of a text: `name` and `count` of `'{name}: {count}'`. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Numbers are written in the reader's number format; one that is no amount (a line, a year) is given as text. */
export type TextValue = string | number;
type Values<Text extends string> = [NamesIn<Text>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Text>, TextValue>>];

interface Language {
  /** BCP 47, such as `de`. */
  id: string;
  /** Undefined in English, which stands in the code. */
  texts: TextTable | undefined;
  /** Writes a number that stands in a text. */
  formatNumber: (value: number) => string;
  plural: Intl.PluralRules;
}

const ENGLISH: Language = {
  id: 'en',
  texts: undefined,
  formatNumber: (value) => value.toLocaleString('en-US'),
  plural: new Intl.PluralRules('en'),
};

let current = ENGLISH;

/** Sets the language before anything is drawn; what is drawn already keeps its texts until it is drawn again. */
export const setLanguage = (
  id: string,
  texts: TextTable | undefined,
  formatNumber: (value: number) => string,
): void => {
  current = { id, texts, formatNumber, plural: new Intl.PluralRules(id) };
};

const PLACE = /\{(\w+)\}/g;

const filled = (text: string, values: Readonly<Record<string, TextValue>> | undefined): string =>
  values === undefined
    ? text
    : text.replace(PLACE, (place, name: string) => {
        const value = values[name];
        if (value === undefined) return place;
        return typeof value === 'number' ? current.formatNumber(value) : value;
      });

/** The text in the reader's language, as a table has it; the English where there is none. */
export const translated = (text: string): string => {
  const own = current.texts?.[text];
  return typeof own === 'string' ? own : text;
};

/**
 * A text of the interface in the reader's language.
 * @param text in English, with `{name}` for each value
 */
export const t = <const Text extends string>(text: Text, ...[values]: Values<Text>): string =>
  filled(translated(text), values);

/** A label that stands inside a sentence: English words begin small there, those of other languages as their table has them. */
export const inSentence = (label: string): string =>
  translated(label) === label ? label.toLowerCase() : translated(label);

/**
 * A text that a number decides: `plural(3, '{count} finding', '{count} findings')`. A language's table has its forms under the text for many.
 * @param count also the value of `{count}`
 */
export const plural = (
  count: number,
  one: string,
  many: string,
  values: Readonly<Record<string, TextValue>> = {},
): string => {
  const forms = current.texts?.[many];
  const english = count === 1 ? one : many;
  const text = typeof forms === 'object' ? (forms[current.plural.select(count)] ?? forms.other) : english;
  return filled(text, { count, ...values });
};
