import type { TextTable } from '@breakwater/core/platform/ui/language/translate.ts';

const FOLDERS = import.meta.glob<TextTable>('../../core/languages/*/index.ts', { import: 'texts' });

/** What loads the texts of each language, by BCP 47: every folder of `core/languages` is one. English stands in the code. */
export const languages: ReadonlyMap<string, () => Promise<TextTable>> = new Map(
  Object.entries(FOLDERS).map(([file, load]) => [file.split('/').at(-2) ?? file, load]),
);
