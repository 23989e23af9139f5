import { definePlugin } from '@breakwater/sdk';
import { codeCards } from './cards/code.ts';
import { dependencyCards } from './cards/dependencies.ts';
import { infrastructureCards } from './cards/infrastructure.ts';
import { secretAndThreatCards } from './cards/secrets-and-threats.ts';
import { serviceCards } from './cards/services.ts';
import { importers } from './importers.ts';

/**
 * Scanners whose reports can be uploaded or whose findings can be pulled. One importer may stand behind several cards: each card takes
 * the importer's findings as one family. Ids, titles, categories and families are those of the product's catalogue
 * (specification §9). Reading it runs no importer.
 */
export const plugin = definePlugin({
  id: 'scanners',
  version: '0.1.0',
  publisher: 'Breakwater',
  connectors: [...codeCards, ...dependencyCards, ...infrastructureCards, ...secretAndThreatCards, ...serviceCards],
  importers,
});
