import { bareTexts } from './bare.ts';
import { sentencesIn } from './plugin-texts.ts';
import { readServerSources } from './plugins.ts';
import { bareSentences } from './server-sentences.ts';
import { bareMessages } from './server-texts.ts';
import { readSources } from './source.ts';
import { type Language, missingTexts, readLanguages, tableIssues } from './tables.ts';
import { earlyTexts, type Text, textsIn } from './texts.ts';

export interface LanguageReport {
  texts: Text[];
  languages: Language[];
  /** Slices that have texts. */
  slices: string[];
  /** Texts that people read and nothing wraps, and calls that come too early. */
  bare: Map<string, string[]>;
  /** Fixed messages of the server that no table can have, by slice. */
  messages: Map<string, string[]>;
  /** What is wrong with entries of tables. */
  issues: string[];
}

/** All texts of the interface below a root, and its tables. */
export const readTexts = async (root: string): Promise<LanguageReport> => {
  const [sources, languages] = [await readSources(root), await readLanguages(root)];
  const sdk = (await readServerSources(root, 'sdk/src')).flatMap(sentencesIn);
  const texts = [...sources.flatMap(textsIn), ...sdk];
  const bare = new Map<string, string[]>();
  const messages = new Map<string, string[]>();
  for (const source of sources) {
    const unmarked = new Set([...bareMessages(source), ...bareSentences(source)]);
    messages.set(source.slice, [...(messages.get(source.slice) ?? []), ...unmarked]);
    bare.set(source.slice, [...(bare.get(source.slice) ?? []), ...earlyTexts(source), ...bareTexts(source)]);
  }
  return {
    texts,
    languages,
    slices: [...bare.keys(), ...(sdk.length > 0 ? ['sdk'] : [])],
    bare,
    messages,
    issues: languages.flatMap((language) => tableIssues(language, texts)),
  };
};

/** What a slice lacks: bare texts, and texts without a translation in one of the languages. */
export const gapsOf = ({ texts, languages, bare }: LanguageReport, slice: string): string[] => [
  ...(bare.get(slice) ?? []),
  ...languages.flatMap((language) =>
    missingTexts(language, slice, texts).map(
      ({ text, where }) =>
        `${where}: ${JSON.stringify(text)} is missing in core/languages/${language.id}/${slice}.json`,
    ),
  ),
];
