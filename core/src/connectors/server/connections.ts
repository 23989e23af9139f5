import type { ConnectionState, Json, LanguageTable } from '@breakwater/sdk';
import { AppError } from '../../platform/model/app-error.ts';
import type { Capabilities, CapabilityName, CatalogueEntry } from '../../platform/model/connector-catalogue.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { effectiveConfig } from '../model/credential-values.ts';
import { type Actor, lockConnection } from './connection/advance-connection.ts';
import type { ConnectionKey } from './connection/connection-store.ts';
import { type ConnectorItem, connectorItem, isEntryConfigured } from './connection/connector-item.ts';
import { type DeliveryAddress, takeDeliveryAddress } from './connection/delivery-address.ts';
import type { ConnectionsDeps } from './connection/deps.ts';
import { findEntry, knownEntry, readEntry, requireEntry } from './connection/find-entry.ts';
import { signInOf } from './connection/oauth-client.ts';
import { absentRecord, type ConnectionRecord, readConnection, readConnections } from './connection/read-connections.ts';
import { beginConsent } from './consent/begin-consent.ts';
import { type ConsentAnswer, finishConsent } from './consent/finish-consent.ts';
import type { ConsentStep } from './consent/oauth-states.ts';
import { renewConnection } from './consent/renew-connection.ts';
import { type CloneLogin, readCloneLogin } from './runs/clone-login.ts';
import { probeConnection } from './runs/probe-connection.ts';
import { type OfferedValues, readOffers } from './runs/read-offers.ts';
import { removeConnection } from './runs/remove-connection.ts';
import { checkConnection, runCheck } from './runs/run-check.ts';
import { type ConnectionCtx, runWithConnection, type UseOptions } from './runs/run-with-connection.ts';
import { saveConnection } from './save-connection.ts';

/** Who acts, as the history names them. */
export type ActingCaller = Pick<Caller, 'clientId' | 'userId' | 'username'>;

/** Who signs in at a service: bound to this session. */
export type SignedInCaller = Pick<Caller, 'clientId' | 'userId' | 'username' | 'sessionHash'>;

/** Which page of the service, and the origin of ours that it sends the person back to. */
export interface ConsentWay {
  step: ConsentStep;
  origin: string;
}

/** What is stored of one connection. Of a secret there is only its hint: the last four characters, or empty. */
export interface StoredCredentials {
  /** Public fields, with the defaults of the form. */
  readonly config: Readonly<Record<string, Json>>;
  /** Hint by field, for the secrets that are set. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly isConfigured: boolean;
  /** When the access token ends, where its service said so. */
  readonly tokenExpiresAt: Date | null;
  readonly state: ConnectionState;
}

/** Connections of organisations to services, for other slices. A connector is named by its id or its address. */
export interface Connections {
  /**
   * Stores fields (left out stay, null clears, an empty secret stays) and, once they suffice, checks the connection. Runs up to
   * 30 s and opens its own transactions. @throws connector_not_found, validation_failed, conflict
   */
  save(caller: ActingCaller, connector: string, values: Readonly<Record<string, unknown>>): Promise<ConnectorItem>;
  /** Deletes configuration, secrets and memory; findings and history stay. @throws connector_not_found, conflict */
  remove(caller: ActingCaller, connector: string): Promise<void>;
  /** Tests the connection now; a refusal of the service shows in the state. @throws conflict, integration_not_configured */
  check(caller: ActingCaller, connector: string): Promise<ConnectorItem>;
  /**
   * Tests fields before they are stored, or what is stored; nothing is written. @returns who the service says we are
   * @throws connector_not_found, validation_failed, conflict, integration_not_configured, upstream_failed
   */
  probe(
    caller: ActingCaller,
    connector: string,
    values?: Readonly<Record<string, unknown>>,
  ): Promise<{ identity: string | null }>;
  /**
   * What the service offers for one field of the form, with fields before they are stored; nothing is written.
   * @throws connector_not_found, validation_failed, conflict, integration_not_configured, upstream_failed
   */
  offers(
    caller: ActingCaller,
    connector: string,
    order: { field: string; values: Readonly<Record<string, unknown>> },
  ): Promise<OfferedValues>;
  /**
   * Begins a sign-in at the connector's service. @returns the address that the person goes to.
   * @throws connector_not_found, conflict, integration_not_configured
   */
  beginConsent(caller: SignedInCaller, connector: string, way: ConsentWay): Promise<string>;
  /** Ends it with what the service sent the person back with, and checks the connection. @throws token_exchange_failed */
  finishConsent(caller: SignedInCaller, connector: string, answer: ConsentAnswer): Promise<ConnectorItem>;
  /** Renews the access token now. @throws token_exchange_failed, integration_not_configured, connection_expired */
  renew(caller: ActingCaller, connector: string): Promise<ConnectorItem>;
  /** Every entry with the state of its connection. */
  catalogue(db: Db, clientId: string): Promise<ConnectorItem[]>;
  /** One entry. @throws connector_not_found */
  item(db: Db, clientId: string, connector: string): Promise<ConnectorItem>;
  /** What is stored. @throws connector_not_found */
  stored(db: Db, clientId: string, connector: string): Promise<StoredCredentials>;
  /**
   * Runs one step of a connector's code with the connection of a client: at most 15 s unless said, outside any transaction.
   * What the failure says of the connection (refused credentials, asked too often) is kept; a crash is counted. A service that was not reached
   * is tried where `evenIfUnreached` says so, and checked anew once it answers.
   * @throws connector_not_found, conflict while a switch is off, integration_not_configured, upstream_failed with the service's reason
   */
  use<T>(connectionKey: ConnectionKey, work: (ctx: ConnectionCtx) => Promise<T>, options?: UseOptions): Promise<T>;
  /**
   * Where the service sends what happens there, and the secret that proves it; made where there are none. It is for the service alone.
   * @returns null where the connector takes no deliveries, or nothing is configured
   */
  deliveryAddress(connectionKey: ConnectionKey): Promise<DeliveryAddress | null>;
  /** The connectors that an organisation has by now. In a transaction of it. */
  entries(db: Db, clientId: string): Promise<readonly CatalogueEntry[]>;
  /** One of them; null where it has none of that id. Outside of any transaction. */
  entry(clientId: string, connectorId: string): Promise<CatalogueEntry | null>;
  /** What one of its connectors can do by now; null where it cannot, or there is none. @param db transaction of the organisation that asks; left out outside of any */
  capability<K extends CapabilityName>(connectionKey: ConnectionKey, name: K, db?: Db): Promise<Capabilities[K] | null>;
  /** Texts of plugins in a language, by their English: of the installation, and of those that the organisation enabled. Outside of any transaction. */
  texts(clientId: string, language: string): Promise<{ installation: LanguageTable; organisation: LanguageTable }>;
  /** Adds a sentence to the history of a connection, which its page shows. */
  note(connectionKey: ConnectionKey, entry: { event: string; message: string }): Promise<void>;
  /**
   * What git logs in with at an address, for a connection that works and whose hosts that address is one of; else null, and git
   * asks as anybody would. The token is read at the moment of its use; it is for a child process and never for an answer.
   */
  cloneLogin(connectionKey: ConnectionKey, url: URL): Promise<CloneLogin | null>;
}

const actorOf = ({ userId, username }: ActingCaller): Actor => ({ userId, username });

const createReader = (
  deps: ConnectionsDeps,
): Pick<Connections, 'catalogue' | 'item' | 'stored' | 'entries' | 'entry' | 'capability' | 'texts'> => {
  const { catalogue } = deps;
  const readElsewhere = async (db: Db, clientId: string): Promise<ReadonlySet<string>> =>
    (await deps.configuredElsewhere?.(db, clientId)) ?? new Set();
  const itemOf = (entry: CatalogueEntry, record: ConnectionRecord, elsewhere: ReadonlySet<string>): ConnectorItem =>
    connectorItem(catalogue, entry, { record, elsewhere, signIn: signInOf(deps, entry, record) });
  const blankItems = new WeakMap<CatalogueEntry, ConnectorItem>();
  /** Where nothing is stored, which is so of most of a catalogue: the same for everybody. */
  const blankItem = (entry: CatalogueEntry): ConnectorItem => {
    const item = blankItems.get(entry) ?? itemOf(entry, absentRecord('', entry.connector.id), new Set());
    blankItems.set(entry, item);
    return item;
  };
  const entriesOf = async (db: Db, clientId: string): Promise<readonly CatalogueEntry[]> => {
    await deps.added.refresh(db, clientId);
    return catalogue.entriesOf(clientId);
  };
  return {
    entries: entriesOf,
    entry: (clientId, connectorId) => readEntry(deps, clientId, connectorId),
    texts: async (clientId, language) => {
      await deps.database.forClient(clientId, (db) => deps.added.refresh(db, clientId));
      return { installation: catalogue.texts(language), organisation: catalogue.textsOf(clientId, language) };
    },
    capability: async ({ clientId, connectorId }, name, db) => {
      const entry = await (db === undefined
        ? readEntry(deps, clientId, connectorId)
        : knownEntry(deps, db, { clientId, connector: connectorId }));
      return entry === null ? null : catalogue.capability(name, entry.connector.id);
    },
    catalogue: async (db, clientId) => {
      const entries = await entriesOf(db, clientId);
      const connectorIds = entries.map(({ connector }) => connector.id);
      const stored = await readConnections(db, { clientId, connectorIds });
      const elsewhere = await readElsewhere(db, clientId);
      return entries.map((entry) => {
        const { id } = entry.connector;
        const record = stored.get(id);
        return record === undefined && !elsewhere.has(id)
          ? blankItem(entry)
          : itemOf(entry, record ?? absentRecord(clientId, id), elsewhere);
      });
    },
    item: async (db, clientId, connector) => {
      const entry = await findEntry(deps, db, { clientId, connector });
      const record = await readConnection(db, { clientId, connectorId: entry.connector.id });
      return itemOf(entry, record, await readElsewhere(db, clientId));
    },
    stored: async (db, clientId, connector) => {
      const entry = await findEntry(deps, db, { clientId, connector });
      const record = await readConnection(db, { clientId, connectorId: entry.connector.id });
      return {
        config: effectiveConfig(entry.connector.credentials, record.config),
        secrets: record.hints,
        isConfigured: isEntryConfigured(entry, record),
        tokenExpiresAt: record.tokenExpiresAt,
        state: record.stored.connection,
      };
    },
  };
};

/** What is asked with fields that are not stored. */
const createTrials = (deps: ConnectionsDeps): Pick<Connections, 'probe' | 'offers'> => ({
  probe: async ({ clientId }, connector, values) => {
    const entry = await requireEntry(deps, clientId, connector);
    return probeConnection(deps, { clientId, connectorId: entry.connector.id, entry, values });
  },
  offers: async ({ clientId }, connector, { field, values }) => {
    const entry = await requireEntry(deps, clientId, connector);
    return readOffers(deps, { clientId, connectorId: entry.connector.id, entry, values, field });
  },
});

/** Connections of organisations to services. One per process. */
export const createConnections = (deps: ConnectionsDeps): Connections => {
  const reader = createReader(deps);
  const itemOf = ({ clientId }: ActingCaller, entry: CatalogueEntry): Promise<ConnectorItem> =>
    deps.database.forClient(clientId, (db) => reader.item(db, clientId, entry.connector.id));
  return {
    ...reader,
    ...createTrials(deps),
    save: async (caller, connector, values) => {
      const { clientId } = caller;
      const entry = await requireEntry(deps, clientId, connector);
      const runId = await saveConnection(deps, { clientId, entry, actor: actorOf(caller), values });
      if (runId !== null) await runCheck(deps, entry, { clientId, connectorId: entry.connector.id, runId });
      const item = await itemOf(caller, entry);
      await deps.afterSave?.(caller, item);
      return item;
    },
    beginConsent: async (caller, connector, { step, origin }) => {
      const entry = await requireEntry(deps, caller.clientId, connector);
      const redirectUri = `${origin}/oauth/callback/${encodeURIComponent(entry.connector.id)}`;
      return beginConsent(deps, { consenter: caller, actor: actorOf(caller), entry, step, redirectUri });
    },
    finishConsent: async (caller, connector, answer) => {
      const entry = await requireEntry(deps, caller.clientId, connector);
      await finishConsent(deps, { consenter: caller, actor: actorOf(caller), entry, answer });
      const item = await itemOf(caller, entry);
      await deps.afterSave?.(caller, item);
      return item;
    },
    renew: async (caller, connector) => {
      const entry = await requireEntry(deps, caller.clientId, connector);
      await renewConnection(deps, entry, caller.clientId);
      return itemOf(caller, entry);
    },
    remove: async (caller, connector) => {
      const { clientId } = caller;
      const entry = await requireEntry(deps, clientId, connector);
      await deps.beforeRemoval?.({ clientId, connectorId: entry.connector.id });
      try {
        await removeConnection(deps, { clientId, entry, actor: actorOf(caller) });
      } catch (error) {
        const facts = error instanceof AppError ? { code: error.code } : { err: error };
        deps.log.warn({ connector: entry.connector.id, client: clientId, ...facts }, 'connector was not deleted');
        throw error;
      }
    },
    check: async (caller, connector) => {
      const entry = await requireEntry(deps, caller.clientId, connector);
      await checkConnection(deps, { clientId: caller.clientId, entry, actor: actorOf(caller) });
      return itemOf(caller, entry);
    },
    use: (connectionKey, work, options) => runWithConnection(deps, connectionKey, work, options),
    deliveryAddress: (connectionKey) => takeDeliveryAddress(deps, connectionKey),
    note: (connectionKey, { event, message }) =>
      deps.database.forClient(connectionKey.clientId, async (db) => {
        const conn = await lockConnection(db, connectionKey);
        await conn.update({}, { event, message });
      }),
    cloneLogin: (connectionKey, url) => readCloneLogin(deps, connectionKey, url),
  };
};
