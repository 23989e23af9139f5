import { type AddedConnectors, addedMark } from '@breakwater/core/connectors/server/index.ts';
import { addedTool } from '@breakwater/core/platform/model/added-tool.ts';
import type { CatalogueEntry, ConnectorCatalogue } from '@breakwater/core/platform/model/connector-catalogue.ts';
import type { Db } from '@breakwater/core/platform/server/database.ts';
import {
  type AddedDocument,
  readAdded,
  readAddedDocument,
} from '@breakwater/core/published-connectors/server/index.ts';
import { createPluginRegistry, type PluginRegistry } from '@breakwater/core/shell/plugins/index.ts';
import { readDocument } from '@breakwater/sdk/declarative';
import { checkManifestOfStranger, createMapper } from '@breakwater/sdk/host';
import type { Logger } from 'pino';
import { type AddedReader, addedReader, withoutUse } from './added-readers.ts';

/** What a document gives. */
interface Opened {
  registry: PluginRegistry;
  /** The id that its author gave it. */
  pluginId: string;
  /** The tool whose findings it brings, as its author calls it. */
  tool: string;
  /** Set where it reads reports. */
  reader: AddedReader | null;
}

/** One of an organisation, as this process knows it. */
interface Known extends AddedDocument {
  entry: CatalogueEntry;
  opened: Opened;
}

/** The document under the id that it has in the organisation: two may have added connectors of one name. */
const open = (document: unknown, { id, number }: AddedDocument): Opened => {
  if (typeof document !== 'object' || document === null) throw new Error('is no document');
  const mapper = createMapper();
  const { plugin, server } = readDocument({ ...document, id }, mapper);
  checkManifestOfStranger(plugin, null);
  const asPublished = readDocument(document, mapper);
  const origin = { kind: 'document', document, mark: addedMark(id), revision: String(number) } as const;
  return {
    registry: createPluginRegistry([{ plugin, server, parsers: [], trust: 'no_code' }]),
    pluginId: asPublished.plugin.id,
    tool: asPublished.document.report?.tool ?? asPublished.plugin.id,
    reader: addedReader(asPublished, origin),
  };
};

const entryOf = ({ registry, pluginId, tool }: Opened, clientId: string, row: AddedDocument): CatalogueEntry => {
  const { id, publisher, revoked } = row;
  const entry = registry.entry(id);
  if (entry === null) throw new Error('has no connector');
  const { connector } = entry;
  const reason = `Revoked by the operator of this installation. ${revoked ?? ''}`.trim();
  return {
    ...entry,
    clientId,
    pluginId,
    publisher,
    address: `${entry.category}/${id}`,
    tool: addedTool(tool, addedMark(id)),
    connector: revoked === null ? connector : withoutUse(connector, reason),
  };
};

/** The catalogue, and how it is brought to what an organisation has by now. */
export interface AddedCatalogue {
  readonly catalogue: ConnectorCatalogue;
  readonly added: AddedConnectors;
  /** What an organisation added that reads reports, as far as this process has read it. */
  readersOf(clientId: string): readonly AddedReader[];
}

/**
 * The catalogue with what organisations added. What one added is read when it is asked for, in the transaction that asks, so that all
 * processes have the version that was approved last; only new versions are read whole. One that cannot be read is left out and said.
 */
export const withAddedConnectors = (plugins: ConnectorCatalogue, log: Pick<Logger, 'error'>): AddedCatalogue => {
  const byId = new Map<string, Known>();
  const byClient = new Map<string, readonly string[]>();

  const load = async (db: Db, clientId: string, row: AddedDocument): Promise<void> => {
    const known = byId.get(row.id);
    if (known?.number === row.number && known.revoked === row.revoked) return;
    const isSame = known?.number === row.number;
    const document = isSame ? undefined : await readAddedDocument(db, clientId, row.id);
    try {
      const opened = isSame ? known.opened : open(document, row);
      byId.set(row.id, { ...row, opened, entry: entryOf(opened, clientId, row) });
    } catch (error) {
      byId.delete(row.id);
      log.error({ err: error, client: clientId, connector: row.id }, 'an added connector was left out');
    }
  };

  const refresh = async (db: Db, clientId: string): Promise<void> => {
    const rows = await readAdded(db, clientId);
    for (const row of rows) await load(db, clientId, row);
    const ids = rows.map(({ id }) => id);
    for (const gone of byClient.get(clientId)?.filter((id) => !ids.includes(id)) ?? []) byId.delete(gone);
    if (ids.length === 0) byClient.delete(clientId);
    else byClient.set(clientId, ids);
  };

  const entriesOf = (clientId: string): CatalogueEntry[] =>
    (byClient.get(clientId) ?? []).flatMap((id) => {
      const known = byId.get(id);
      return known === undefined ? [] : [known.entry];
    });

  const entry = (id: string): CatalogueEntry | null => byId.get(id)?.entry ?? plugins.entry(id);
  const catalogue: ConnectorCatalogue = {
    entries: () => plugins.entries(),
    entriesOf: (clientId) => [...plugins.entriesOf(clientId), ...entriesOf(clientId)],
    entry,
    entryAt: (address) => plugins.entryAt(address) ?? byId.get(address.slice(address.indexOf('/') + 1))?.entry ?? null,
    capability: (name, connectorId) =>
      (byId.get(connectorId)?.opened.registry ?? plugins).capability(name, connectorId),
    texts: (language) => plugins.texts(language),
    textsOf: () => ({}),
  };
  const readersOf = (clientId: string): AddedReader[] =>
    (byClient.get(clientId) ?? []).flatMap((id) => {
      const known = byId.get(id);
      return known?.opened.reader == null || known.revoked !== null ? [] : [known.opened.reader];
    });
  return { catalogue, added: { refresh }, readersOf };
};
