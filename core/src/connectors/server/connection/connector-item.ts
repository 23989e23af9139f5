import { isConfigured, type Json } from '@breakwater/sdk';
import type { Static } from 'typebox';
import type { CatalogueEntry, ConnectorCatalogue } from '../../../platform/model/connector-catalogue.ts';
import type { ABILITIES, ConnectorAttributes } from '../../api/routes.ts';
import { gateView } from '../../model/availability.ts';
import { effectiveConfig, fieldViews } from '../../model/credential-values.ts';
import { deliveryPath } from '../../model/delivery-path.ts';
import type { ConnectionRecord } from './read-connections.ts';

type SignIn = NonNullable<Static<typeof ConnectorAttributes>['sign_in']>;

/** An entry with the state of its connection, as on the wire. */
export interface ConnectorItem {
  _id: string;
  attributes: Static<typeof ConnectorAttributes>;
}

type Ability = (typeof ABILITIES)[number];

/** What the buttons of the card offer. */
const abilitiesOf = (catalogue: ConnectorCatalogue, { connector }: CatalogueEntry): Ability[] => {
  const can = (name: Parameters<ConnectorCatalogue['capability']>[0]): boolean =>
    connector.disabled === undefined && catalogue.capability(name, connector.id) !== null;
  const abilities: [Ability, boolean][] = [
    ['check', can('check')],
    ['sync', can('findings')],
    ['upload', connector.parser !== undefined],
    ['scm', can('scm')],
    ['cloud', can('cloud')],
    ['remediator', can('remediator')],
    ['tickets', can('tickets')],
    ['notify', can('notify')],
    ['scanner', can('scanner')],
    ['webhook', can('webhook')],
  ];
  return abilities.filter(([, has]) => has).map(([ability]) => ability);
};

/** Everything stored, as the connector's own rule wants it: a secret is only `true`. */
export const storedFields = (
  { connector }: CatalogueEntry,
  record: Pick<ConnectionRecord, 'config' | 'hints'>,
): Readonly<Record<string, Json>> => ({
  ...effectiveConfig(connector.credentials, record.config),
  ...Object.fromEntries(Object.keys(record.hints).map((field) => [field, true])),
});

/** Whether what is stored suffices; never before anything was saved, and never for an entry that its maker disabled. */
export const isEntryConfigured = (entry: CatalogueEntry, record: ConnectionRecord): boolean =>
  entry.connector.disabled === undefined &&
  record.stored.connection !== 'absent' &&
  record.stored.connection !== 'removing' &&
  isConfigured(entry.connector, storedFields(entry, record));

/** A view shows a connection: there is none before the first save, and none that may be used while a switch is off. */
export const hasView = (
  catalogue: ConnectorCatalogue,
  { connector }: CatalogueEntry,
  record: ConnectionRecord,
): boolean =>
  connector.view !== undefined &&
  connector.disabled === undefined &&
  catalogue.capability('view', connector.id) !== null &&
  !['absent', 'draft', 'authorizing', 'removing'].includes(record.stored.connection) &&
  gateView(record).state === 'open';

/** Required fields that hold nothing yet, by their titles. */
export const missingTitles = (
  { connector }: CatalogueEntry,
  record: Pick<ConnectionRecord, 'config' | 'hints'>,
): string[] => {
  const { required = [], properties } = connector.credentials;
  const stored = { ...effectiveConfig(connector.credentials, record.config), ...record.hints };
  return required.filter((name) => !Object.hasOwn(stored, name)).map((name) => properties[name]?.title ?? name);
};

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const stateDetail = (entry: CatalogueEntry, { stored, identity, scopes }: ConnectionRecord) => ({
  code: stored.failure?.code ?? null,
  message:
    stored.failure?.message ?? (stored.connection === 'draft' ? (entry.connector.disabled?.reason ?? null) : null),
  help: stored.failure?.help ?? null,
  retry_at: stored.retryAt,
  identity,
  scopes: [...scopes],
});

/** Builds what the catalogue shows of one connector. */
export const connectorItem = (
  catalogue: ConnectorCatalogue,
  entry: CatalogueEntry,
  { record, elsewhere, signIn }: { record: ConnectionRecord; elsewhere: ReadonlySet<string>; signIn: SignIn | null },
): ConnectorItem => {
  const { connector } = entry;
  const gate = gateView(record);
  return {
    _id: entry.address,
    attributes: {
      id: connector.id,
      plugin: { id: entry.pluginId, version: entry.pluginVersion, publisher: entry.publisher, trust: entry.trust },
      title: connector.title,
      category: entry.category,
      image: connector.image,
      description: connector.description,
      documentation: connector.documentation ?? null,
      commercial: connector.commercial ?? false,
      disabled: connector.disabled?.reason ?? null,
      enabled: gate.state === 'open' && connector.disabled === undefined,
      gate: { ...gate, at: iso(gate.at) },
      is_configured: isEntryConfigured(entry, record) || elsewhere.has(connector.id),
      was_connected: record.firstConnectedAt !== null,
      state: record.stored.connection,
      state_detail: stateDetail(entry, record),
      last_check: iso(record.lastCheckAt),
      last_sync: iso(record.lastSyncAt),
      auth: connector.auth.type,
      egress: [...connector.permissions.egress],
      sign_in: connector.disabled === undefined ? signIn : null,
      abilities: abilitiesOf(catalogue, entry),
      family: connector.parser?.family ?? null,
      credentials: connector.credentials,
      fields: fieldViews(connector.credentials, record.config, record.hints),
      view: hasView(catalogue, entry, record) ? { title: connector.view?.title ?? '' } : null,
      webhook_path: record.hookToken === null ? null : deliveryPath(record.hookToken),
    },
  };
};
