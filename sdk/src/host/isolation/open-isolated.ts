import type { HostParser } from '../../findings/report-parser.ts';
import { type Plugin, readManifest } from '../../plugin.ts';
import type { PluginServer } from '../../server.ts';
import { REFUSED_CAPABILITIES } from './capability-shape.ts';
import { isolatedCode } from './isolated-code.ts';
import { isolatedParsers } from './isolated-parser.ts';
import { ISOLATION_LIMITS, type IsolationLimits } from './isolation-limits.ts';
import { checkManifestOfStranger } from './manifest-of-stranger.ts';
import type { EntryUrls } from './messages.ts';
import { ProcessPool } from './process-pool.ts';
import { sdkFolders } from './sdk-folders.ts';

export interface IsolatedSpec {
  readonly entries: EntryUrls;
  /** Folders that the process may read: that of the plugin and no other, except in the kit. */
  readonly readable: readonly string[];
  readonly limits?: Partial<IsolationLimits>;
  readonly mayHaveNetwork?: boolean;
  /** Its modules import the SDK of the host: it was built and comes without packages. */
  readonly isSdkProvided?: boolean;
  /** What an earlier `openIsolated` said of it: nothing is started before it is used. */
  readonly described?: Described;
  readonly isClockStill?: boolean;
  /** Its manifest may say what one of strangers may not: for the kit, which judges ours too. */
  readonly isOfUs?: boolean;
  /** Further options of Node, for tests. */
  readonly flags?: readonly string[];
}

/** What is known of a plugin without running it: data. */
export interface Described {
  readonly plugin: unknown;
  readonly isNetworkCut: boolean;
}

/** A plugin whose code runs in processes of its own. */
export interface IsolatedPlugin {
  readonly plugin: Plugin;
  readonly parsers: readonly HostParser[];
  readonly server: PluginServer | null;
  readonly described: Described;
  /** What of it is left out, and why. */
  readonly issues: readonly string[];
  readonly pool: ProcessPool;
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

/** Describes a plugin in a process of its own and makes the host's side of it. @throws PluginError, IsolationError, what its modules throw */
export async function openIsolated(spec: IsolatedSpec): Promise<IsolatedPlugin> {
  const { entries, mayHaveNetwork = false, isClockStill = false, isOfUs = false, flags = [] } = spec;
  const limits = { ...ISOLATION_LIMITS, ...spec.limits };
  const readable = [...spec.readable, ...(spec.isSdkProvided === true ? sdkFolders() : [])];
  const pool = new ProcessPool({ entries, readable, limits, mayHaveNetwork, flags });
  try {
    const described = spec.described ?? (await pool.describe());
    const { plugin: description } = described;
    const plugin = readManifest(at(description, 'manifest'));
    if (!isOfUs) checkManifestOfStranger(plugin, description);
    const server = at(description, 'server');
    return {
      plugin,
      parsers: isolatedParsers(at(description, 'parsers'), pool, limits),
      server: serverOf(plugin, server, (id, code) => isolatedCode(id, code, { pool, isClockStill })),
      described,
      issues: issuesOf(description, server),
      pool,
    };
  } catch (error) {
    pool.close();
    throw error;
  }
}

function serverOf(
  plugin: Plugin,
  server: unknown,
  codeOf: (id: string, code: unknown) => PluginServer['connectors'][string],
): PluginServer | null {
  if (typeof server !== 'object' || server === null) return null;
  if (at(server, 'pluginId') !== plugin.id) throw new Error('"server" was not made by defineServer of this plugin');
  const connectors = plugin.connectors.flatMap(({ id }): [string, PluginServer['connectors'][string]][] => {
    const code = at(at(server, 'connectors'), id);
    return code === undefined ? [] : [[id, codeOf(id, code)]];
  });
  return { pluginId: plugin.id, connectors: Object.fromEntries(connectors) };
}

function issuesOf(description: unknown, server: unknown): string[] {
  const connectors = at(server, 'connectors');
  const codes = typeof connectors === 'object' && connectors !== null ? Object.entries(connectors) : [];
  const refused = codes.flatMap(([id, code]) => [
    ...(at(code, 'scanner') === null ? [] : [`connector "${id}": no scanner, ${REFUSED_CAPABILITIES['scanner']}`]),
    ...(at(code, 'cloudLogin') === null
      ? []
      : [`connector "${id}": no cloud.login, ${REFUSED_CAPABILITIES['cloud.login']}`]),
  ]);
  const parsers: unknown = at(description, 'parsers');
  const tables = Array.isArray(parsers) && parsers.some((one: unknown) => at(one, 'hasTables') === true);
  return [...refused, ...(tables ? ['no reading of unknown tables: only our own importers do that'] : [])];
}
