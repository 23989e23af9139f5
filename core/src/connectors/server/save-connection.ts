import type { Json } from '@breakwater/sdk';
import { originsOf } from '@breakwater/sdk/host';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../platform/model/connector-catalogue.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { Db } from '../../platform/server/database.ts';
import { type CredentialChange, effectiveConfig, readValues } from '../model/credential-values.ts';
import { type Actor, type ConnectionActor, lockConnection } from './connection/advance-connection.ts';
import { startFirstCheck } from './connection/connection-runs.ts';
import { upgradeStored } from './connection/connector-context.ts';
import { isEntryConfigured } from './connection/connector-item.ts';
import { newHookToken } from './connection/delivery-address.ts';
import { baseUrlOverride, type ConnectionsDeps } from './connection/deps.ts';

export interface SaveOrder {
  clientId: string;
  entry: CatalogueEntry;
  actor: Actor;
  values: Readonly<Record<string, unknown>>;
}

/** Judges the values of a save before anything is written. @throws validation_failed */
export const soundChange = (
  deps: ConnectionsDeps,
  { entry, values }: Pick<SaveOrder, 'entry' | 'values'>,
): CredentialChange => {
  const { change, issues } = readValues(entry.connector.credentials, values, deps.checkSchema);
  if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
  return change;
};

/** Where the stored secrets could go from now on and could not before. */
const newOrigins = (
  deps: ConnectionsDeps,
  { connector }: CatalogueEntry,
  configs: { before: Readonly<Record<string, Json>>; after: Readonly<Record<string, Json>> },
): string[] => {
  const override = baseUrlOverride(deps, connector.id);
  const of = (config: Readonly<Record<string, Json>>): string[] =>
    originsOf(connector, effectiveConfig(connector.credentials, config), override);
  const known = new Set(of(configs.before));
  return of(configs.after).filter((origin) => !known.has(origin));
};

/** The public fields as a change leaves them. */
export const withChange = (stored: Readonly<Record<string, Json>>, { set, cleared }: CredentialChange) =>
  Object.fromEntries(Object.entries({ ...stored, ...set }).filter(([name]) => !cleared.includes(name)));

/** In the order of the form. */
const titlesOf = ({ connector }: CatalogueEntry, fields: readonly string[]): string =>
  Object.entries(connector.credentials.properties)
    .flatMap(([name, { title = name }]) => (fields.includes(name) ? [title] : []))
    .join(', ');

/** A connection that is at work is not changed under it. A run whose process died is over. @throws conflict */
const makeEditable = async (actor: ConnectionActor, { connector }: CatalogueEntry): Promise<void> => {
  const { state, record } = actor;
  if (state !== 'checking' && state !== 'syncing' && state !== 'removing') return;
  const isOver = record.runUntil === null || record.runUntil < new Date();
  if (!isOver || state === 'removing') {
    const work = { checking: 'is being checked', syncing: 'is pulling findings', removing: 'is being removed' }[state];
    throw new AppError(
      'conflict',
      say('{title} {work}. Wait until that is done and save again.', { title: connector.title, work }),
    );
  }
  const message = msg('The last run was cut short.');
  await actor.transition({ type: 'FAIL', code: 'unreachable', message }, { facts: { run_id: null, run_until: null } });
};

/** Brings the connection to draft with its new fields. */
const becomeDraft = async (
  conn: ConnectionActor,
  facts: NonNullable<Parameters<ConnectionActor['update']>[0]>,
  entry: { actor: Actor; message: string | null },
): Promise<void> => {
  for (const event of [{ type: 'CONFIGURE' }, { type: 'EDIT' }, { type: 'DENIED' }] as const) {
    if (await conn.transition(event, { ...entry, facts })) return;
  }
  await conn.update(facts, { ...entry, event: 'SAVE' });
};

/** Secrets that may not follow the connection to its new host. */
export const lostSecrets = (
  deps: ConnectionsDeps,
  order: Pick<SaveOrder, 'entry'>,
  conn: Pick<ConnectionActor, 'record'>,
  parts: { change: CredentialChange; config: Readonly<Record<string, Json>> },
): string[] => {
  const { config: before, hints } = conn.record;
  if (newOrigins(deps, order.entry, { before, after: parts.config }).length === 0) return [];
  const isGiven = (field: string): boolean =>
    parts.change.secrets.has(field) || parts.change.clearedSecrets.includes(field);
  return Object.keys(hints).filter((field) => !isGiven(field));
};

const writeSecrets = async (
  { vault }: ConnectionsDeps,
  db: Db,
  connectionKey: { clientId: string; connectorId: string },
  change: { put: ReadonlyMap<string, string>; remove: readonly string[] },
): Promise<void> => {
  for (const field of change.remove) await vault.remove(db, { ...connectionKey, field });
  for (const [field, secret] of change.put) await vault.put(db, { ...connectionKey, field }, secret);
};

/** A connector that takes deliveries gets an address for them with its first save. */
const hookFacts = ({ catalogue }: ConnectionsDeps, { record }: ConnectionActor): { hook_token?: string } =>
  record.hookToken === null && catalogue.capability('webhook', record.connectorId) !== null
    ? { hook_token: newHookToken() }
    : {};

/** Writes the fields of a save. @returns the run that has begun, if the connection is to be checked now. */
const storeValues = async (
  deps: ConnectionsDeps,
  db: Db,
  order: SaveOrder,
  change: CredentialChange,
): Promise<string | null> => {
  const { entry, actor, clientId } = order;
  const connectionKey = { clientId, connectorId: entry.connector.id };
  const conn = await lockConnection(db, connectionKey);
  await makeEditable(conn, entry);
  await upgradeStored(deps, db, entry, conn);
  const config = withChange(conn.record.config, change);
  const lost = lostSecrets(deps, order, conn, { change, config });
  await writeSecrets(deps, db, connectionKey, { put: change.secrets, remove: [...change.clearedSecrets, ...lost] });
  // what the host made itself, it makes anew
  const titles = titlesOf(entry, lost);
  const message = titles === '' ? null : sayEnglish('The host changed; enter again: {titles}.', { titles });
  const facts = {
    config: JSON.stringify(config),
    plugin_version: entry.pluginVersion,
    identity: null,
    scopes: [],
    failure: message === null ? null : ({ code: 'config', message } as const),
    ...(lost.length === 0 ? {} : { sync_cursor: null }),
    ...hookFacts(deps, conn),
  };
  if (lost.length > 0) await deps.deliveriesLost?.(db, connectionKey);
  await becomeDraft(conn, facts, { actor, message });
  return isEntryConfigured(entry, conn.record) ? startFirstCheck(deps, entry, conn, actor) : null;
};

const fieldsOf = (issues: readonly FieldIssue[] | undefined): string[] | undefined =>
  issues?.map(({ loc }) => loc.slice(2).join('.'));

/** Stores what a person entered; failures are logged without values. @returns the run that has begun. @throws validation_failed, conflict */
export const saveConnection = async (deps: ConnectionsDeps, order: SaveOrder): Promise<string | null> => {
  try {
    const change = soundChange(deps, order);
    return await deps.database.forClient(order.clientId, (db) => storeValues(deps, db, order, change));
  } catch (error) {
    const facts = error instanceof AppError ? { code: error.code, fields: fieldsOf(error.issues) } : { err: error };
    deps.log.warn({ connector: order.entry.connector.id, client: order.clientId, ...facts }, 'connector was not saved');
    throw error;
  }
};
