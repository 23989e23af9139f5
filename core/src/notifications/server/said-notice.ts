import { isList, isMoment, type Sentence, type SentenceValue } from '../../platform/model/sentence.ts';
import { visibleText } from '../../platform/model/visible-text.ts';
import type { SaidNotice } from './tables.ts';

/** PostgreSQL stores no NUL. */
const shownText = (text: string): string => visibleText(text.replaceAll('\0', ''));

const shownValue = (value: SentenceValue): SentenceValue => {
  if (typeof value === 'string') return shownText(value);
  if (typeof value === 'number') return value;
  if (isMoment(value)) return { at: value.at };
  return isList(value) ? value.map(shownSentence) : shownSentence(value);
};

/** Names from reports and repositories stand in a sentence: none may turn its direction. */
export const shownSentence = ({ text, one, values }: Sentence): Sentence => ({
  text: shownText(text),
  ...(one === undefined ? {} : { one }),
  ...(values === undefined
    ? {}
    : { values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shownValue(value)])) }),
});

const sentenceOf = (said: Sentence | string): Sentence =>
  shownSentence(typeof said === 'string' ? { text: said } : said);

/** What a notice says, fit to be stored. */
export const readSaid = ({
  title,
  message,
}: {
  title: Sentence | string;
  message?: Sentence | string;
}): SaidNotice => ({
  title: sentenceOf(title),
  ...(message === undefined || message === '' ? {} : { message: sentenceOf(message) }),
});
