import { createHash } from 'node:crypto';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry, ConnectorCatalogue } from '../../../platform/model/connector-catalogue.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';

/** Reads what organisations added for themselves. Implemented by the composition root. */
export interface AddedConnectors {
  /** Brings the catalogue to what an organisation has added by now. In a transaction of that organisation. */
  refresh(db: Db, clientId: string): Promise<void>;
}

/** What finding an entry needs. */
export interface EntrySource {
  catalogue: ConnectorCatalogue;
  added: AddedConnectors;
}

/** Ids of what organisations added begin with it, and no plugin's do. */
export const ADDED_PREFIX = 'added-';

/** Id of something that an organisation added: the same whenever it adds it, and nobody else's. */
export const addedId = (clientId: string, what: string): string =>
  ADDED_PREFIX + createHash('sha256').update(`${clientId} ${what}`).digest('hex').slice(0, 16);

/** What tells the tools of an organisation's own connector apart, see `addedTool`. @param id as `addedId` gave it */
export const addedMark = (id: string): string => id.slice(ADDED_PREFIX.length);

/** By id or address: whether it can only be something that an organisation added. */
const isAdded = (idOrAddress: string): boolean =>
  idOrAddress.slice(idOrAddress.indexOf('/') + 1).startsWith(ADDED_PREFIX);

const known = (catalogue: ConnectorCatalogue, clientId: string, idOrAddress: string): CatalogueEntry | null => {
  const entry = catalogue.entryAt(idOrAddress) ?? catalogue.entry(idOrAddress);
  return entry?.clientId === undefined || entry.clientId === clientId ? entry : null;
};

/** A connector by address or id, as an organisation has it; null where it has none. In a transaction of that organisation. */
export const knownEntry = async (
  { catalogue, added }: EntrySource,
  db: Db,
  { clientId, connector }: { clientId: string; connector: string },
): Promise<CatalogueEntry | null> => {
  if (isAdded(connector)) await added.refresh(db, clientId);
  return known(catalogue, clientId, connector);
};

/** The same. @throws connector_not_found */
export const findEntry = async (
  source: EntrySource,
  db: Db,
  wanted: { clientId: string; connector: string },
): Promise<CatalogueEntry> => {
  const entry = await knownEntry(source, db, wanted);
  if (entry === null) throw new AppError('connector_not_found');
  return entry;
};

/** The same outside of any transaction. @returns null where the organisation has no such connector */
export const readEntry = async (
  deps: EntrySource & { database: Pick<DatabaseHandle, 'forClient'> },
  clientId: string,
  connector: string,
): Promise<CatalogueEntry | null> => {
  if (!isAdded(connector)) return known(deps.catalogue, clientId, connector);
  return deps.database.forClient(clientId, (db) => knownEntry(deps, db, { clientId, connector }));
};

/** The same. @throws connector_not_found */
export const requireEntry = async (
  deps: EntrySource & { database: Pick<DatabaseHandle, 'forClient'> },
  clientId: string,
  connector: string,
): Promise<CatalogueEntry> => {
  const entry = await readEntry(deps, clientId, connector);
  if (entry === null) throw new AppError('connector_not_found');
  return entry;
};
