import type { Sentence } from '../../model/sentence.ts';
import { ENGLISH, type TextTable, type TextValue, Translator } from '../../model/translator.ts';

export type { TextTable, TextValue } from '../../model/translator.ts';

/** Names in braces of a text: `name` and `count` of `'{name}: {count}'`. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

type Values<Text extends string> = [NamesIn<Text>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Text>, TextValue>>];

let current = ENGLISH;

/** Sets the language before anything is drawn; what is drawn already keeps its texts until it is drawn again. */
export const setLanguage = (
  id: string,
  texts: TextTable | undefined,
  formatNumber: (value: number) => string,
  formatMoment: (value: string) => string = (value) => value,
): void => {
  current = new Translator({ id, texts, formatNumber, formatMoment });
};

/** Adds what plugins call their own in the language that shows, and what those of the organisation do. */
export const addPluginTexts = (texts: TextTable, added: TextTable = {}): void => {
  if (current !== ENGLISH) current.addPluginTexts(texts, added);
};

/** The language that shows, BCP 47. */
export const currentLanguage = (): string => current.id;

/** The text in the reader's language, as a table has it; the English where there is none. */
export const translated = (text: string): string => current.translated(text);

/** What the server said as one English text, values and all: `detail` of an error, a stored reason. */
export const said = (text: string): string => current.said(text);

/** A sentence that the server keeps as text and values. */
export const sentenceText = (sentence: Sentence): string => current.say(sentence);

/**
 * A text of the interface in the reader's language. Also what the server wrote down as one English text (the reason of a failure), values and
 * all.
 * @param text in English, with `{name}` for each value
 */
export const t = <const Text extends string>(text: Text, ...[values]: Values<Text>): string =>
  values === undefined ? current.said(text) : current.fill(translated(text), values);

/** Language of a text that its author wrote in English and a table may have: `lang` of its element, so that it is read out rightly. */
export const languageOf = (text: string): string | undefined =>
  current.id !== ENGLISH.id && translated(text) === text ? ENGLISH.id : undefined;

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
): string => current.plural(count, one, many, values);
