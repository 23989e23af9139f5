import type { ReportTools } from '@breakwater/core/platform/model/connector-catalogue.ts';
import type { ReportToolSource } from '@breakwater/core/platform/server/report-tool-source.ts';
import { withAddedTools } from '@breakwater/core/shell/plugins/index.ts';
import type { AddedCatalogue } from './added-connectors.ts';

/** The importers of our plugins, and those of what each organisation added. */
export const createReportToolSource = (
  shared: ReportTools,
  { added, readersOf }: Pick<AddedCatalogue, 'added' | 'readersOf'>,
): ReportToolSource => ({
  shared,
  ofClient: async (db, clientId) => {
    await added.refresh(db, clientId);
    const readers = readersOf(clientId);
    if (readers.length === 0) return { tools: shared, added: [] };
    const importers = readers.map((reader) => reader.importers);
    return { tools: withAddedTools(shared, importers), added: readers.map(({ origin }) => origin) };
  },
});
