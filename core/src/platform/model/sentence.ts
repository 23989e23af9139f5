/** A moment that stands in a sentence: written in the reader's time zone. `at` is ISO 8601. */
export interface MomentValue {
  at: string;
}

/** What stands at a place of a sentence. Several are written one after the other, with commas. */
export type SentenceValue = string | number | MomentValue | Sentence | readonly Sentence[];

export const isMoment = (value: SentenceValue): value is MomentValue =>
  typeof value === 'object' && !Array.isArray(value) && 'at' in value && !('text' in value);

export const isList = (value: SentenceValue): value is readonly Sentence[] => Array.isArray(value);

/** A text that is kept as text and values, so that each reader gets it in their own language. */
export interface Sentence {
  /** English, the key of the tables. Where a number decides, the form for many. */
  text: string;
  /** The form for one, where the value `count` decides. */
  one?: string;
  values?: Readonly<Record<string, SentenceValue>>;
}

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<Text extends string> = [NamesIn<Text>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Text>, SentenceValue>>];

/** A sentence of the server, such as `say('{name} joined', { name })`. Its text is an entry of the tables. */
export const say = <const Text extends string>(text: Text, ...[values]: ValuesOf<Text>): Sentence =>
  values === undefined ? { text } : { text, values };

/** A sentence that a number decides: `sayCount(3, '{count} finding', '{count} findings')`. */
export const sayCount = (
  count: number,
  one: string,
  many: string,
  values: Readonly<Record<string, SentenceValue>> = {},
): Sentence => ({ text: many, one, values: { count, ...values } });

/** A label of a table that is marked by `msg()`, as a value of a sentence. */
export const sayLabel = (label: string): Sentence => ({ text: label });
