import { definePlugin } from '@breakwater/sdk';
import { codeEntries, secretAndThreatEntries } from './catalogue/code-and-secrets.ts';
import { dependencyEntries } from './catalogue/dependencies.ts';
import { furtherEntries } from './catalogue/further-scanners.ts';
import { infrastructureEntries } from './catalogue/infrastructure.ts';
import { linterEntries } from './catalogue/linters.ts';
import { serviceEntries } from './catalogue/services.ts';
import { importers } from './importers.ts';

/**
 * Scanners whose reports can be uploaded or whose findings can be pulled. One importer may stand behind several catalogue entries: each takes
 * the importer's findings as one family. Ids, titles, categories and families are those of the product's catalogue
 * (specification §9). Reading it runs no importer.
 */
export const plugin = definePlugin({
  id: 'scanners',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [
    ...codeEntries,
    ...linterEntries,
    ...dependencyEntries,
    ...infrastructureEntries,
    ...secretAndThreatEntries,
    ...serviceEntries,
    ...furtherEntries,
  ],
  importers,
});
