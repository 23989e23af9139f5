import { countWords, type Matched, templateMatcher } from './match-template.ts';
import { isList, isMoment, type Sentence, type SentenceValue, say } from './sentence.ts';

/** Forms of a text by the plural categories of its language. Source: Unicode CLDR, `Intl.PluralRules`. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Texts of one language by their English: a text, or its forms where a number decides. */
export type TextTable = Readonly<Record<string, string | PluralForms>>;

/** Numbers are written in the reader's number format; one that is no amount (a line, a year) is given as text. */
export type TextValue = string | number;

export interface TranslatorOptions {
  /** BCP 47, such as `de`. */
  id: string;
  /** Undefined in English, which stands in the code. */
  texts: TextTable | undefined;
  formatNumber: (value: number) => string;
  formatMoment: (value: string) => string;
}

const BETWEEN_SENTENCES = /(?<=[.!?]) (?=\S)/;
/** A name is shorter. */
const SENTENCE_WORDS = 3;
const AFTER_NAME = /^([^:]{1,60}: )(.+)$/u;
/** Places of labels of the interface, such as states: these are translated however short they are. */
const LABEL_PLACES: ReadonlySet<string> = new Set(['label', 'status', 'weakness']);
const PLACE = /\{(\w+)\}/g;

/** The first table that has a text; an own member alone counts. */
const firstOf = (tables: readonly TextTable[], text: string): string | PluralForms | undefined =>
  tables.find((table) => Object.hasOwn(table, text))?.[text];

/** Looks texts up in the table of one language. */
export class Translator {
  readonly id: string;
  readonly #texts: TextTable | undefined;
  #pluginTexts: TextTable = {};
  #addedTexts: TextTable = {};
  readonly #formats: Pick<TranslatorOptions, 'formatNumber' | 'formatMoment'>;
  readonly #plural: Intl.PluralRules;
  #matchers: ((text: string) => Matched | undefined)[] | undefined;

  constructor({ id, texts, ...formats }: TranslatorOptions) {
    this.id = id;
    this.#texts = texts;
    this.#formats = formats;
    this.#plural = new Intl.PluralRules(id);
  }

  /**
   * Takes in the texts of plugins: what the table of the language has stays as it is. Those that an organisation added come after all others,
   * whole sentences with their values too, so that strangers translate nothing but what is theirs.
   */
  addPluginTexts(texts: TextTable, added: TextTable = {}): void {
    [this.#pluginTexts, this.#addedTexts, this.#matchers] = [texts, added, undefined];
  }

  /** The fixed text as the table has it; the English where there is none. */
  translated(text: string): string {
    const own = this.#own(text);
    return typeof own === 'string' ? own : text;
  }

  fill(text: string, values: Readonly<Record<string, TextValue>> | undefined): string {
    if (values === undefined) return text;
    return text.replace(PLACE, (place, name: string) => {
      const value = values[name];
      if (value === undefined) return place;
      return typeof value === 'number' ? this.#formats.formatNumber(value) : value;
    });
  }

  plural(count: number, one: string, many: string, values: Readonly<Record<string, TextValue>> = {}): string {
    const forms = this.#own(many);
    const english = count === 1 ? one : many;
    const text = typeof forms === 'object' ? (forms[this.#plural.select(count)] ?? forms.other) : english;
    return this.fill(text, { count, ...values });
  }

  /** A sentence with its values; one without any may have been written from one with values. */
  say({ text, one, values }: Sentence): string {
    if (values === undefined) return this.said(text);
    const written = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#value(value)]));
    const { count } = written;
    if (one !== undefined && typeof count === 'number') return this.plural(count, one, text, written);
    return this.fill(this.translated(text), written);
  }

  /**
   * What the server said as one English text, such as the reason that is stored with a failed scan: looked up as it stands, then by the texts
   * with values that it could be.
   */
  said(text: string): string {
    const own = this.#known(text);
    if (own !== undefined || this.#texts === undefined) return own ?? text;
    // several sentences were put one after the other, or the name of a program stands before one
    const sentences = text.split(BETWEEN_SENTENCES);
    if (sentences.length > 1) return sentences.map((sentence) => this.said(sentence)).join(' ');
    const [, head = '', rest = ''] = AFTER_NAME.exec(text) ?? [];
    return rest === '' ? text : `${this.#part(head.trimEnd())} ${this.#part(rest)}`;
  }

  /** The text as it stands in a table, or by what it was written from. */
  #known(text: string): string | undefined {
    if (this.#texts === undefined) return undefined;
    const exact = firstOf([this.#texts, this.#pluginTexts], text);
    if (typeof exact === 'string' && exact !== text) return exact;
    this.#matchers ??= [this.#texts, this.#pluginTexts, this.#addedTexts].map(templateMatcher);
    const [match, matchPlugins, matchAdded] = this.#matchers;
    const matched = this.#written(match?.(text) ?? matchPlugins?.(text));
    if (matched !== undefined) return matched;
    const added = firstOf([this.#addedTexts], text);
    return typeof added === 'string' ? added : this.#written(matchAdded?.(text));
  }

  #written(found: Matched | undefined): string | undefined {
    if (found === undefined) return undefined;
    const values = Object.entries(found.values).map(([name, value]) => [name, this.#inner(name, value)]);
    return this.fill(this.translated(found.text), Object.fromEntries(values));
  }

  /** What stands before or after a colon: as it is, where no text fits. */
  #part(text: string): string {
    return this.#known(text) ?? text;
  }

  /** A reason inside of a sentence is a sentence itself; names stay. */
  #inner(name: string, value: string): string {
    if (LABEL_PLACES.has(name)) return this.translated(value);
    const words = value.trimStart();
    const space = value.slice(0, value.length - words.length);
    return countWords(words) < SENTENCE_WORDS ? value : `${space}${this.said(words)}`;
  }

  #own(text: string): string | PluralForms | undefined {
    return firstOf([this.#texts ?? {}, this.#pluginTexts, this.#addedTexts], text);
  }

  #value(value: SentenceValue): TextValue {
    if (typeof value === 'number') return value;
    if (typeof value === 'string') return value;
    if (isMoment(value)) return this.#formats.formatMoment(value.at);
    if (isList(value)) return value.map((one) => this.say(one)).join(', ');
    return this.say(value);
  }
}

/** Of what is stored and sent where no reader is known: English, UTC. */
export const ENGLISH = new Translator({
  id: 'en',
  texts: undefined,
  formatNumber: (value) => value.toLocaleString('en-US'),
  formatMoment: (value) => `${value.slice(0, 16).replace('T', ' ')} UTC`,
});

/** What is kept or answered as one English text; a table has it with its places: `sayEnglish('{title} is not connected.', { title })`. */
export const sayEnglish: <const Text extends string>(...said: Parameters<typeof say<Text>>) => string = (...said) =>
  ENGLISH.say(say(...said));
