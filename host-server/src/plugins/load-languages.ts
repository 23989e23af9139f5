import type { LanguageTable, Plugin, PluginSentences, ReadLanguage } from '@breakwater/sdk';
import { readLanguages } from '@breakwater/sdk/host';
import type { PluginEntries, PluginIssue } from './plugin-entries.ts';

/** Issues told of one table; the rest is counted. */
const TOLD = 5;

/** What is sound of each language. */
export const tablesOf = (read: ReadonlyMap<string, ReadLanguage>): ReadonlyMap<string, LanguageTable> =>
  new Map([...read].map(([language, { table }]) => [language, table]));

/**
 * The texts of a plugin in other languages, from the files beside its manifest: none of its code runs. An entry that does not fit is told and left
 * out, and its text shows in English.
 */
export const loadLanguages = async (
  { name, folder }: PluginEntries,
  plugin: Plugin,
  sentences?: PluginSentences,
): Promise<{ languages: ReadonlyMap<string, LanguageTable>; issues: PluginIssue[] }> => {
  const read = await readLanguages(folder, plugin, sentences);
  const languages = tablesOf(read);
  const issues = [...read].flatMap(([language, { issues: found }]) => {
    const more = found.length > TOLD ? [`and ${found.length - TOLD} more`] : [];
    return [...found.slice(0, TOLD), ...more].map((issue) => ({ name, reason: `languages, ${language}: ${issue}` }));
  });
  return { languages, issues };
};
