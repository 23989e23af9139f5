import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { manifestTexts, type Plugin, readManifest } from '@breakwater/sdk';
import { readLanguages } from '@breakwater/sdk/host';
import { sentencesIn } from './plugin-texts.ts';
import { NO_SOURCE, readSource, type Source } from './source.ts';
import type { Language } from './tables.ts';
import type { Text } from './texts.ts';

/** The sources below a folder that a process which serves people runs. */
export const readServerSources = async (root: string, folder: string): Promise<Source[]> => {
  const place = path.join(root, folder);
  const entries = existsSync(place) ? await readdir(place, { recursive: true, withFileTypes: true }) : [];
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !NO_SOURCE.test(file) && !file.includes('/testing/'));
  return Promise.all(
    files.toSorted().map(async (file) => readSource(file, await readFile(path.join(root, file), 'utf8'))),
  );
};

/** A built-in plugin with its texts and what its tables lack. */
export interface PluginLanguages {
  /** Folder of `plugins`. */
  id: string;
  /** What has to be translated. */
  texts: Text[];
  /** What may be: names of products, and choices. */
  names: ReadonlySet<string>;
  /** Tables by language. */
  tables: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** What is wrong with entries. */
  issues: string[];
}

const pluginOf = async (folder: string): Promise<Plugin> => {
  const module: unknown = await import(pathToFileURL(path.join(folder, 'src/plugin.ts')).href);
  return readManifest(typeof module === 'object' && module !== null ? Reflect.get(module, 'plugin') : undefined);
};

const issuesIn = (read: Awaited<ReturnType<typeof readLanguages>>, id: string): string[] =>
  [...read].flatMap(([language, { issues }]) =>
    issues.map((issue) => `plugins/${id}/languages/${language}.json: ${issue}`),
  );

const readPlugin = async (root: string, id: string): Promise<PluginLanguages> => {
  const folder = path.join(root, 'plugins', id);
  const plugin = await pluginOf(folder);
  const manifest = manifestTexts(plugin).map((one) => ({ ...one, slice: id, where: `plugins/${id}: ${one.where}` }));
  const sentences = (await readServerSources(root, `plugins/${id}/src`)).flatMap((source) =>
    source.file.includes('/src/server/') ? sentencesIn(source) : [],
  );
  const all = [...manifest.filter(({ isName }) => !isName), ...sentences];
  const read = await readLanguages(folder, plugin, {
    sentences: all.map(({ text }) => text),
    isComplete: true,
  });
  // a sentence with values may be too short to be found again
  const seenByHost = await readLanguages(folder, plugin);
  return {
    id,
    texts: [...new Map(all.map((text) => [text.text, text])).values()],
    names: new Set(manifest.filter(({ isName }) => isName).map(({ text }) => text)),
    tables: new Map([...read].map(([language, { table }]) => [language, table])),
    issues: [...new Set([...issuesIn(read, id), ...issuesIn(seenByHost, id)])],
  };
};

/** All built-in plugins. */
export const readPlugins = async (root: string): Promise<PluginLanguages[]> => {
  const found = await readdir(path.join(root, 'plugins'), { withFileTypes: true });
  const ids = found.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(ids.toSorted().map((id) => readPlugin(root, id)));
};

/** Texts of a plugin that a language lacks. */
export const missingOfPlugin = ({ texts, tables }: PluginLanguages, language: string): Text[] => {
  const table = tables.get(language) ?? {};
  return texts.filter(({ text }) => !Object.hasOwn(table, text));
};

/** What a plugin lacks in the languages of the product. */
export const gapsOfPlugin = (plugin: PluginLanguages, languages: readonly Pick<Language, 'id'>[]): string[] => [
  ...plugin.issues,
  ...languages.flatMap(({ id }) =>
    missingOfPlugin(plugin, id).map(
      ({ text, where }) => `${where}: ${JSON.stringify(text)} is missing in plugins/${plugin.id}/languages/${id}.json`,
    ),
  ),
];
