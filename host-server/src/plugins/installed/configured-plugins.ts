import { createHash } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  type FetchedPackage,
  installVersion,
  type PluginInstaller,
} from '@breakwater/core/installed-plugins/server/index.ts';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import { defineJob } from '@breakwater/core/platform/server/jobs/define-job.ts';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import type { Config } from '../../config.ts';
import { BUILD_MANIFEST } from '../plugin-entries.ts';
import { property } from '../property.ts';
import { isBuild } from '../sound-builds.ts';
import { writeArchive } from './plugin-archive.ts';

/** Something of the configuration that is to be installed. */
interface Configured {
  /** As the installed version names it. */
  readonly source: string;
  read(): Promise<FetchedPackage>;
}

export type ConfiguredPlugins = Pick<Config, 'pluginsDirectory' | 'trustedPlugins' | 'pluginPackages'>;

/** What the build of a folder lists, and its manifest. Whether the files are what it says is judged with the archive. */
const packFolder = async (folder: string): Promise<Buffer> => {
  const manifest: unknown = JSON.parse(await readFile(path.join(folder, BUILD_MANIFEST), 'utf8'));
  const files = property(manifest, 'files');
  const named = Array.isArray(files) ? files.map((one: unknown) => String(property(one, 'path'))) : [];
  const root = await realpath(folder);
  for (const one of named) {
    // a link would pack what it leads to
    if ((await realpath(path.join(folder, one))) !== path.join(root, one)) throw new Error(`${one} is no file`);
  }
  return writeArchive(folder, [BUILD_MANIFEST, ...named]);
};

const inFolder = async (folder: string, trusted: readonly string[]): Promise<Configured[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry): Configured[] => {
    const place = path.join(folder, entry.name);
    const source = `folder:${entry.name}`;
    if (entry.isFile() && entry.name.endsWith('.tgz'))
      return [{ source, read: async () => ({ source, archive: await readFile(place) }) }];
    if (!entry.isDirectory() || trusted.includes(entry.name) || !isBuild({ folder: place })) return [];
    return [{ source, read: async () => ({ source, archive: await packFolder(place) }) }];
  });
};

/** What the operator named: packages of a registry, builds and archives in the folder of plugins. */
export const configuredPlugins = async (
  { pluginsDirectory, trustedPlugins, pluginPackages }: ConfiguredPlugins,
  installer: Pick<PluginInstaller, 'fetch'>,
): Promise<Configured[]> => [
  ...(pluginsDirectory === undefined ? [] : await inFolder(pluginsDirectory, trustedPlugins)),
  ...pluginPackages.map(
    (wanted): Configured => ({
      source: `npm:${wanted.package}@${wanted.version}`,
      read: () => installer.fetch(wanted, AbortSignal.timeout(60_000)),
    }),
  ),
];

export interface ConfiguredPluginsDeps {
  database: DatabaseHandle;
  pluginInstaller: PluginInstaller;
  configuredPlugins: ConfiguredPlugins;
  log: Logger;
}

/** What was said already, so that the log has each reason once. */
const said = new Map<string, string>();

const say = (log: Logger, source: string, reason: string): void => {
  if (said.get(source) === reason) return;
  said.set(source, reason);
  log.warn({ plugin: source, reason }, 'a plugin was not installed');
};

const reasonOf = (error: unknown): string => {
  if (error instanceof AppError && error.issues !== undefined && error.issues.length > 0)
    return error.issues.map(({ msg }) => msg).join('; ');
  return error instanceof Error ? error.message : String(error);
};

/** Content that is installed or was refused: reading it again would run its code again. */
const done = new Set<string>();

const installOne = async (deps: ConfiguredPluginsDeps, { source, read }: Configured, known: ReadonlySet<string>) => {
  try {
    const { archive } = await read();
    const sha256 = createHash('sha256').update(archive).digest('hex');
    if (known.has(sha256) || done.has(`${source} ${sha256}`)) return;
    done.add(`${source} ${sha256}`);
    const plugin = await deps.pluginInstaller.read(archive);
    const { id, version } = plugin;
    if (await installVersion(deps.database, plugin, source))
      deps.log.info({ plugin: id, version, source }, 'a plugin was installed');
  } catch (error) {
    say(deps.log, source, reasonOf(error));
  }
};

/** Installs what the configuration names and is not there. What is of a registry is asked for once. */
export const installConfigured = async (deps: ConfiguredPluginsDeps): Promise<void> => {
  const wanted = await configuredPlugins(deps.configuredPlugins, deps.pluginInstaller);
  if (wanted.length === 0) return;
  const versions = await deps.database.forIdentity((db) =>
    db.selectFrom('installed_plugin_versions').select(['source', 'sha256']).execute(),
  );
  const sources = new Set(versions.map(({ source }) => source));
  const known = new Set(versions.map(({ sha256 }) => sha256));
  for (const one of wanted) {
    const isOfRegistry = one.source.startsWith('npm:');
    if (!(isOfRegistry && sources.has(one.source))) await installOne(deps, one, known);
  }
};

/** Looks again, so that what is laid into the folder is there without a restart. */
export const lookForPlugins = defineJob({
  name: 'plugins.configured',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 15 },
  run: installConfigured,
});
