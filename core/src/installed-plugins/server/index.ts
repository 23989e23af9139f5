import type { IncomingMessage } from 'node:http';
import { sql } from 'kysely';
import { purgeConnections } from '../../connectors/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { say } from '../../platform/model/sentence.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import type { Vault } from '../../platform/server/vault.ts';
import {
  disablePlugin,
  enablePlugin,
  type InstalledPlugin,
  installPackage,
  installPluginFile,
  listInstalledPlugins,
  listPlatformPlugins,
  offerPlugin,
  uninstallPlugin,
} from '../api/routes.ts';
import { asksForMore, morePermissions, versionInUse } from '../model/plugin-permissions.ts';
import {
  catalogueIds,
  connectorsOf,
  disable,
  type Enabled,
  enable,
  everyCatalogueId,
  readEnabled,
} from './enabled-plugins.ts';
import type { PluginInstaller } from './plugin-installer.ts';
import { changeOffer, installVersion, readPlugin, readPlugins, type StoredPlugin } from './plugin-versions.ts';

export { catalogueIds, type PluginInUse, pluginMark, readPluginsInUse } from './enabled-plugins.ts';
export type { FetchedPackage, InstallablePlugin, PluginInstaller } from './plugin-installer.ts';
export { installVersion, readPluginCode } from './plugin-versions.ts';

export interface InstalledPluginsDeps {
  database: DatabaseHandle;
  vault: Pick<Vault, 'remove'>;
  installer: PluginInstaller;
}

const versionsOf = ({ versions }: StoredPlugin): InstalledPlugin['versions'] =>
  versions.map(({ version, publisher, hosts, reveals, views, tier, kind, connectors, installed_at }) => ({
    ...{ version, publisher, hosts, reveals, views, tier, kind },
    installed_at: installed_at.toISOString(),
    connectors: connectorsOf(connectors).map((one) => ({ ...one, capabilities: [...one.capabilities] })),
  }));

const enabledOf = (
  clientId: string,
  plugin: StoredPlugin,
  enabled: Enabled | undefined,
): InstalledPlugin['enabled'] => {
  if (enabled === undefined) return null;
  const [newest] = plugin.versions;
  const used = versionInUse(plugin.versions, enabled);
  const { publisher, hosts, reveals, views, heldAt } = enabled;
  const isWaiting = newest !== undefined && asksForMore(enabled, newest);
  const more = isWaiting ? morePermissions(enabled, newest) : null;
  return {
    version: used?.version ?? null,
    ...{ publisher, hosts: [...hosts], reveals: [...reveals], views: [...views] },
    is_held: heldAt !== null && used?.number === heldAt,
    more: more && { ...more, hosts: [...more.hosts], reveals: [...more.reveals], views: [...more.views] },
    connectors: catalogueIds(
      clientId,
      plugin.id,
      connectorsOf(used?.connectors ?? []).map(({ id }) => id),
    ),
  };
};

const attributesOf = (clientId: string, plugin: StoredPlugin, enabled: readonly Enabled[]): InstalledPlugin => ({
  is_offered: plugin.is_offered,
  reason: plugin.reason,
  versions: versionsOf(plugin),
  enabled: enabledOf(
    clientId,
    plugin,
    enabled.find(({ pluginId }) => pluginId === plugin.id),
  ),
});

const organisationEndpoints = (): Endpoint[] => [
  tenantEndpoint(listInstalledPlugins)(async ({ db, caller }) => {
    const plugins = await readPlugins(db);
    const enabled = await readEnabled(db, caller.clientId);
    return {
      data: plugins.map((plugin) => ({ _id: plugin.id, attributes: attributesOf(caller.clientId, plugin, enabled) })),
    };
  }),
  tenantEndpoint(enablePlugin)(async ({ db, caller, params, body, audit }) => {
    const { version, hosts, reveals, views = [] } = body;
    audit({ subject: params.id, details: { version, hosts, reveals, views } });
    const data = await enable(db, { clientId: caller.clientId, pluginId: params.id, ...body, views });
    return { success: true, data };
  }),
  tenantEndpoint(disablePlugin)(async ({ db, caller, params, audit }) => {
    audit({ subject: params.id });
    await disable(db, { clientId: caller.clientId, pluginId: params.id });
    return { success: true };
  }),
];

/** The body of a request, as far as an archive may reach. @throws payload_too_large */
const readArchive = async (request: IncomingMessage, most: number): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request) {
    if (!(piece instanceof Uint8Array)) continue;
    size += piece.length;
    if (size > most)
      throw new AppError('payload_too_large', say('A plugin has at most {most} MB.', { most: most / 1024 / 1024 }));
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

const install = async ({ database, installer }: InstalledPluginsDeps, archive: Uint8Array, source: string) => {
  const plugin = await installer.read(archive);
  const isNew = await installVersion(database, plugin, source);
  return { plugin, data: { id: plugin.id, version: plugin.version, is_new: isNew } };
};

const installEndpoints = (deps: InstalledPluginsDeps): Endpoint[] => [
  callerEndpoint(installPackage)(async ({ body, signal, audit }) => {
    audit({ subject: body.package });
    const { archive, source } = await deps.installer.fetch(body, signal);
    const { data } = await install(deps, archive, source);
    audit({ subject: source, details: data });
    return { success: true, data };
  }),
  callerEndpoint(installPluginFile)(async ({ query, request, audit }) => {
    const source = `file:${query.name ?? 'plugin.tgz'}`;
    audit({ subject: source });
    const { data } = await install(deps, await readArchive(request, deps.installer.maxBytes), source);
    audit({ subject: data.id, details: { version: data.version, is_new: data.is_new } });
    return { success: true, data };
  }),
];

/** How many organisations enabled each plugin. */
const countUsers = async (database: DatabaseHandle): Promise<ReadonlyMap<string, number>> => {
  const rows = await database.forIdentity((db) =>
    db
      .selectFrom('enabled_plugins')
      .select(['plugin_id', sql<number>`count(*)::int`.as('count')])
      .groupBy('plugin_id')
      .execute(),
  );
  return new Map(rows.map(({ plugin_id, count }) => [plugin_id, count]));
};

/** Deletes a plugin with all that organisations stored of it. @throws plugin_not_found, conflict */
const uninstall = async ({ database, vault, installer }: InstalledPluginsDeps, pluginId: string): Promise<void> => {
  const plugin = await database.forIdentity((db) => readPlugin(db, pluginId));
  for (const { source } of plugin.versions) {
    const reason = await installer.keptBy(source);
    if (reason !== null) throw new AppError('conflict', reason);
  }
  // nobody begins to use it meanwhile
  await changeOffer(database, pluginId, { isOffered: false, reason: 'It is being uninstalled.' });
  // also those that used it once: settings go when a connection is removed, its history does not
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').execute());
  const inEach = async (work: (db: Db, clientId: string) => Promise<unknown>): Promise<void> => {
    for (const { id } of clients) await database.forClient(id, (db) => work(db, id));
  };
  const forget = (db: Db, clientId: string) =>
    db.deleteFrom('enabled_plugins').where('client_id', '=', clientId).where('plugin_id', '=', pluginId).execute();
  await inEach(async (db, clientId) => {
    await forget(db, clientId);
    await purgeConnections(db, vault, { clientId, connectorIds: everyCatalogueId(clientId, plugin) });
  });
  await database.forIdentity((db) => db.deleteFrom('installed_plugins').where('id', '=', pluginId).execute());
  // of who enabled it in the moment before it was not offered any more
  await inEach(forget);
  installer.discard(pluginId);
};

const platformEndpoints = (deps: InstalledPluginsDeps): Endpoint[] => [
  callerEndpoint(listPlatformPlugins)(async ({ caller }) => {
    const plugins = await deps.database.forIdentity((db) => readPlugins(db));
    const enabled = await deps.database.forClient(caller.clientId, (db) => readEnabled(db, caller.clientId));
    const users = await countUsers(deps.database);
    return {
      data: plugins.map((plugin) => ({
        _id: plugin.id,
        attributes: {
          ...attributesOf(caller.clientId, plugin, enabled),
          source: plugin.versions[0]?.source ?? '',
          organisations: users.get(plugin.id) ?? 0,
        },
      })),
    };
  }),
  callerEndpoint(offerPlugin)(async ({ params, body, audit }) => {
    audit({ subject: params.id, details: { is_offered: body.is_offered, reason: body.reason ?? null } });
    await changeOffer(deps.database, params.id, { isOffered: body.is_offered, reason: body.reason?.trim() ?? '' });
    return { success: true };
  }),
  callerEndpoint(uninstallPlugin)(async ({ params, audit }) => {
    audit({ subject: params.id, details: { uninstalled: true } });
    await uninstall(deps, params.id);
    return { success: true };
  }),
];

/** Plugins that are installed while the server runs, and what organisations enable of them. */
export const createInstalledPluginEndpoints = (deps: InstalledPluginsDeps): Endpoint[] => [
  ...organisationEndpoints(),
  ...installEndpoints(deps),
  ...platformEndpoints(deps),
];
