import { isOlder } from '../../connectors/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { say } from '../../platform/model/sentence.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import type { InstallablePlugin } from './plugin-installer.ts';
import './tables.ts';

/** More than any plugin has. */
const MOST_VERSIONS = 200;
/** Together with their code they are kept in the database. */
const MOST_PLUGINS = 100;

const SHOWN = [
  'number',
  'version',
  'publisher',
  'tier',
  'kind',
  'source',
  'hosts',
  'reveals',
  'views',
  'connectors',
  'installed_at',
] as const;

/** Every plugin with its versions, newest first. */
export const readPlugins = async (db: Db) => {
  const plugins = await db
    .selectFrom('installed_plugins')
    .select(['id', 'is_offered', 'reason'])
    .orderBy('id')
    .limit(MOST_PLUGINS)
    .execute();
  const versions = await db
    .selectFrom('installed_plugin_versions')
    .select(['plugin_id', ...SHOWN])
    .orderBy('plugin_id')
    .orderBy('number', 'desc')
    .execute();
  return plugins.map((plugin) => ({
    ...plugin,
    versions: versions.filter(({ plugin_id }) => plugin_id === plugin.id),
  }));
};
export type StoredPlugin = Awaited<ReturnType<typeof readPlugins>>[number];

/** @throws plugin_not_found */
export const readPlugin = async (db: Db, id: string): Promise<StoredPlugin> => {
  const plugin = await db
    .selectFrom('installed_plugins')
    .select(['id', 'is_offered', 'reason'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (plugin === undefined) throw new AppError('plugin_not_found');
  const versions = await db
    .selectFrom('installed_plugin_versions')
    .select(['plugin_id', ...SHOWN])
    .where('plugin_id', '=', id)
    .orderBy('number', 'desc')
    .execute();
  return { ...plugin, versions };
};

/** The code of one version, and what has to be known to use it. */
export const readPluginCode = (db: Db, pluginId: string, number: number) =>
  db
    .selectFrom('installed_plugin_versions')
    .select(['kind', 'described', 'archive', 'sha256'])
    .where('plugin_id', '=', pluginId)
    .where('number', '=', number)
    .executeTakeFirst();

const refuseMore = (
  plugin: InstallablePlugin,
  known: { version: string; number: number; sha256: string } | undefined,
) => {
  if (known === undefined) return;
  const { id, version } = plugin;
  if (known.version === version) {
    throw new AppError(
      'conflict',
      say('Version {version} of "{id}" is installed with other content. Give what you changed another version.', {
        id,
        version,
      }),
    );
  }
  if (!isOlder(known.version, version)) {
    throw new AppError(
      'conflict',
      say('Version {known} of "{id}" is installed: the version has to be later.', { id, known: known.version }),
    );
  }
  if (known.number >= MOST_VERSIONS)
    throw new AppError('conflict', say('A plugin has at most {count} versions.', { count: MOST_VERSIONS }));
};

const addVersion = async (db: Db, plugin: InstallablePlugin, source: string): Promise<boolean> => {
  const { id, hosts, reveals, views, connectors, described, archive, sha256, version, publisher, tier, kind } = plugin;
  await db
    .insertInto('installed_plugins')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.selectFrom('installed_plugins').select('id').where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
  const versions = await db
    .selectFrom('installed_plugin_versions')
    .select(['version', 'number', 'sha256'])
    .where('plugin_id', '=', id)
    .orderBy('number', 'desc')
    .execute();
  if (versions.some((one) => one.sha256 === sha256)) return false;
  refuseMore(plugin, versions.find((one) => one.version === version) ?? versions[0]);
  await db
    .insertInto('installed_plugin_versions')
    .values({
      ...{ plugin_id: id, number: (versions[0]?.number ?? 0) + 1, version, publisher, tier, kind, source },
      hosts: [...hosts],
      reveals: [...reveals],
      views: [...views],
      connectors: JSON.stringify(connectors),
      described: described === null ? null : JSON.stringify(described),
      archive,
      sha256,
    })
    .execute();
  return true;
};

/** Stores a version. @returns false where exactly this is installed already @throws conflict */
export const installVersion = (database: DatabaseHandle, plugin: InstallablePlugin, source: string): Promise<boolean> =>
  database.forIdentity(async (db) => {
    const others = await db.selectFrom('installed_plugins').select('id').where('id', '!=', plugin.id).execute();
    if (others.length >= MOST_PLUGINS)
      throw new AppError('conflict', say('At most {count} plugins are installed.', { count: MOST_PLUGINS }));
    return addVersion(db, plugin, source);
  });

/** @throws plugin_not_found */
export const changeOffer = (database: DatabaseHandle, id: string, offer: { isOffered: boolean; reason: string }) =>
  database.forIdentity(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('installed_plugins')
      .set({ is_offered: offer.isOffered, reason: offer.isOffered ? '' : offer.reason })
      .where('id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('plugin_not_found');
  });
