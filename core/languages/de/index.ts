import type { TextTable } from '../../src/platform/ui/language/translate.ts';

/** All tables of German, one chunk that only its readers load. */
export const texts: TextTable = Object.assign(
  {},
  ...Object.values(import.meta.glob<TextTable>('./*.json', { eager: true, import: 'default' })),
);
