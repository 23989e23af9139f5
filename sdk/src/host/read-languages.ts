import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PluginSentences, type ReadLanguage, readLanguageTable } from '../languages/language-table.ts';
import type { Plugin } from '../plugin.ts';

const FOLDER = 'languages';
/** A table of 2,000 entries is smaller. */
const MAX_BYTES = 512 * 1024;
const MAX_LANGUAGES = 100;
/** BCP 47, as far as tables need it: `de`, `pt-BR`, `zh-Hant`. */
const FILE = /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2})\.json$/;

const nothing = (issue: string): ReadLanguage => ({ table: {}, issues: [issue], missing: [] });

const readOne = async (file: string, plugin: Plugin, sentences: PluginSentences | undefined): Promise<ReadLanguage> => {
  const { size } = await lstat(file);
  if (size > MAX_BYTES) return nothing(`must have at most ${MAX_BYTES} bytes`);
  try {
    return readLanguageTable(JSON.parse(await readFile(file, 'utf8')), plugin, sentences);
  } catch (error) {
    return nothing(error instanceof SyntaxError ? 'must be JSON' : 'cannot be read');
  }
};

/**
 * Reads the folder `languages` beside a manifest: one table a file, by language. Runs no code of the plugin and follows no links.
 * @returns a Map of BCP 47 to what became of the file; empty where the plugin has English alone
 */
export const readLanguages = async (
  folder: string,
  plugin: Plugin,
  sentences?: PluginSentences,
): Promise<ReadonlyMap<string, ReadLanguage>> => {
  const place = join(folder, FOLDER);
  const isFolder = await lstat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const found = isFolder ? await readdir(place, { withFileTypes: true }) : [];
  const read = new Map<string, ReadLanguage>();
  for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_LANGUAGES)) {
    const language = FILE.exec(entry.name)?.[1];
    if (language !== undefined && entry.isFile())
      read.set(language, await readOne(join(place, entry.name), plugin, sentences));
    else if (entry.name.endsWith('.json')) read.set(entry.name, nothing('must be a file named by its language'));
  }
  return read;
};
