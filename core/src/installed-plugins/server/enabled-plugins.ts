import { addedId, addedMark } from '../../connectors/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { say } from '../../platform/model/sentence.ts';
import type { Db } from '../../platform/server/database.ts';
import {
  isSamePermissions,
  type PluginPermissions,
  type ShownConnector,
  versionInUse,
} from '../model/plugin-permissions.ts';
import { readPlugin, type StoredPlugin } from './plugin-versions.ts';
import './tables.ts';

/** What an organisation approved of a plugin. */
export interface Enabled extends PluginPermissions {
  readonly pluginId: string;
  readonly heldAt: number | null;
}

const columns = ['plugin_id', 'publisher', 'hosts', 'reveals', 'views', 'held_at'] as const;

const enabledOf = (row: {
  plugin_id: string;
  publisher: string;
  hosts: string[];
  reveals: string[];
  views: string[];
  held_at: number | null;
}): Enabled => {
  const { plugin_id, publisher, hosts, reveals, views, held_at } = row;
  return { pluginId: plugin_id, publisher, hosts, reveals, views, heldAt: held_at };
};

/** What an organisation enabled. In a transaction of it. */
export const readEnabled = async (db: Db, clientId: string): Promise<Enabled[]> => {
  const rows = await db
    .selectFrom('enabled_plugins')
    .select(columns)
    .where('client_id', '=', clientId)
    .orderBy('plugin_id')
    .execute();
  return rows.map(enabledOf);
};

/** Ids in the catalogue of an organisation, by those that the author gave. */
export const catalogueIds = (clientId: string, pluginId: string, connectorIds: readonly string[]) =>
  Object.fromEntries(connectorIds.map((id) => [id, addedId(clientId, `${pluginId} ${id}`)]));

/** What tells the tools of a plugin apart from those of others in an organisation. */
export const pluginMark = (clientId: string, pluginId: string): string => addedMark(addedId(clientId, pluginId));

/** Columns of `connectors` come parsed. */
export const connectorsOf = (connectors: ShownConnector[] | string): ShownConnector[] =>
  typeof connectors === 'string' ? JSON.parse(connectors) : connectors;

/** Every id that a plugin ever had in the catalogue of an organisation: a version may have had a connector more. */
export const everyCatalogueId = (clientId: string, { id, versions }: StoredPlugin): string[] => {
  const own = new Set(versions.flatMap(({ connectors }) => connectorsOf(connectors).map((one) => one.id)));
  return Object.values(catalogueIds(clientId, id, [...own]));
};

export interface EnableOrder extends PluginPermissions {
  readonly clientId: string;
  readonly pluginId: string;
  readonly version: string;
}

const refuseOthers = (seen: PluginPermissions, wanted: PluginPermissions): void => {
  if (isSamePermissions(seen, wanted)) return;
  throw new AppError(
    'conflict',
    say(
      'This version asks for other permissions than were approved ({hosts}). Read it anew, and approve exactly these.',
      {
        hosts: wanted.hosts.length === 0 ? 'no host' : wanted.hosts.join(', '),
      },
    ),
  );
};

/**
 * Enables a version: the newest, which later ones follow that ask for no more, or an earlier one, which stays. What was approved before is
 * replaced. @throws plugin_not_found, conflict
 */
export const enable = async (db: Db, order: EnableOrder) => {
  const { clientId, pluginId, version } = order;
  const plugin = await readPlugin(db, pluginId);
  const wanted = plugin.versions.find((one) => one.version === version);
  if (!plugin.is_offered) throw new AppError('conflict', say('{id} is not offered any more.', { id: pluginId }));
  if (wanted === undefined)
    throw new AppError('conflict', say('{id} has no version {version}.', { id: pluginId, version }));
  refuseOthers(order, wanted);
  const isNewest = wanted === plugin.versions[0];
  const values = {
    publisher: wanted.publisher,
    hosts: wanted.hosts,
    reveals: wanted.reveals,
    views: wanted.views,
    held_at: isNewest ? null : wanted.number,
  };
  await db
    .insertInto('enabled_plugins')
    .values({ client_id: clientId, plugin_id: pluginId, ...values })
    .onConflict((conflict) => conflict.columns(['client_id', 'plugin_id']).doUpdateSet(values))
    .execute();
  const ids = connectorsOf(wanted.connectors).map(({ id }) => id);
  return { version, connectors: catalogueIds(clientId, pluginId, ids) };
};

/** @throws plugin_not_found; conflict while one of its connectors has something stored */
export const disable = async (
  db: Db,
  { clientId, pluginId }: { clientId: string; pluginId: string },
): Promise<void> => {
  const enabled = await db
    .selectFrom('enabled_plugins')
    .select('plugin_id')
    .where('client_id', '=', clientId)
    .where('plugin_id', '=', pluginId)
    .forUpdate()
    .executeTakeFirst();
  if (enabled === undefined) throw new AppError('plugin_not_found');
  const ids = everyCatalogueId(clientId, await readPlugin(db, pluginId));
  const stored = await db
    .selectFrom('connections')
    .select('connector_id')
    .where('client_id', '=', clientId)
    .where('connector_id', 'in', ids)
    .where('state', '!=', 'absent')
    .executeTakeFirst();
  if (stored !== undefined)
    throw new AppError(
      'conflict',
      say('{id} is still connected: remove its connections on its cards first.', { id: pluginId }),
    );
  await db.deleteFrom('enabled_plugins').where('client_id', '=', clientId).where('plugin_id', '=', pluginId).execute();
};

/** A version in use, as the catalogue takes it. */
export interface PluginInUse {
  readonly pluginId: string;
  readonly number: number;
  readonly version: string;
  readonly publisher: string;
  readonly sha256: string;
  /** Why its cards are disabled, empty for no reason; null where it is offered. */
  readonly withdrawn: string | null;
}

/** What of each plugin an organisation uses. In a transaction of it. */
export const readPluginsInUse = async (db: Db, clientId: string): Promise<PluginInUse[]> => {
  const rows = await db
    .selectFrom('enabled_plugins as e')
    .innerJoin('installed_plugins as p', 'p.id', 'e.plugin_id')
    .innerJoin('installed_plugin_versions as v', 'v.plugin_id', 'e.plugin_id')
    .select([
      'e.plugin_id',
      'e.publisher',
      'e.hosts',
      'e.reveals',
      'e.views',
      'e.held_at',
      'p.is_offered',
      'p.reason',
      'v.number',
      'v.version',
      'v.sha256',
      'v.publisher as of',
      'v.hosts as asks_for',
      'v.reveals as reads',
      'v.views as shows',
    ])
    .where('e.client_id', '=', clientId)
    .orderBy('e.plugin_id')
    .execute();
  const byPlugin = Map.groupBy(rows, ({ plugin_id }) => plugin_id);
  return [...byPlugin.values()].flatMap((versions) => {
    const [first] = versions;
    const candidates = versions.map(({ number, version, sha256, of, asks_for, reads, shows }) => ({
      ...{ number, version, sha256, publisher: of, hosts: asks_for, reveals: reads, views: shows },
    }));
    const used = first === undefined ? null : versionInUse(candidates, enabledOf(first));
    if (first === undefined || used === null) return [];
    const { number, version, publisher, sha256 } = used;
    const withdrawn = first.is_offered ? null : first.reason;
    return [{ pluginId: first.plugin_id, number, version, publisher, sha256, withdrawn }];
  });
};
