import { createHash } from 'node:crypto';
import { type PluginInUse, readPluginCode } from '@breakwater/core/installed-plugins/server/index.ts';
import type { Db } from '@breakwater/core/platform/server/database.ts';
import type { Described } from '@breakwater/sdk/host';
import { property } from '../property.ts';
import { type OpenedPlugin, type OpenOptions, openUnpacked } from './open-unpacked.ts';
import { readArchive } from './plugin-archive.ts';
import { deleteUnpacked, unpackInto } from './unpacked-folders.ts';

/** One version of a plugin, unpacked by this process. */
interface OpenCode {
  readonly pluginId: string;
  readonly opened: OpenedPlugin;
  /** With what another thread opens the same. */
  readonly origin: { readonly folder: string; readonly options: OpenOptions };
}

/** The versions that this process uses, each unpacked once from the database. */
export interface PluginCode {
  /** In any transaction. @throws where it is not what was installed */
  open(db: Db, used: PluginInUse): Promise<Pick<OpenCode, 'opened' | 'origin'>>;
  /** Ends the processes of a plugin, or of all, and deletes what is unpacked of it. */
  discard(pluginId?: string): Promise<void>;
}

const isDescribed = (value: unknown): value is Described => typeof property(value, 'isNetworkCut') === 'boolean';

const openCode = async (
  db: Db,
  { pluginId, number, sha256 }: PluginInUse,
  mayHaveNetwork: boolean,
): Promise<OpenCode> => {
  const stored = await readPluginCode(db, pluginId, number);
  if (stored === undefined) throw new Error('is not installed any more');
  const { archive, described, kind } = stored;
  if (createHash('sha256').update(archive).digest('hex') !== sha256) throw new Error('is not what was installed');
  const folder = unpackInto(pluginId, await readArchive(archive));
  try {
    const parsed: unknown = described === null ? null : JSON.parse(described);
    const known = isDescribed(parsed) ? { described: parsed } : {};
    const options = { kind, mayHaveNetwork, ...known };
    return { pluginId, opened: await openUnpacked(folder, options), origin: { folder, options } };
  } catch (error) {
    deleteUnpacked(folder);
    throw error;
  }
};

/** @param mayHaveNetwork also where the network of a process cannot be cut */
export const createPluginCode = (mayHaveNetwork: boolean): PluginCode => {
  const codes = new Map<string, Promise<OpenCode>>();
  const discardOne = async (
    sha256: string,
    opening: Promise<OpenCode>,
    pluginId: string | undefined,
  ): Promise<void> => {
    const code = await opening.catch(() => undefined);
    if (code === undefined || (pluginId !== undefined && code.pluginId !== pluginId)) return;
    codes.delete(sha256);
    code.opened.close();
    deleteUnpacked(code.origin.folder);
  };
  return {
    open: async (db, used) => {
      const known = codes.get(used.sha256);
      if (known !== undefined) return await known;
      const opening = openCode(db, used, mayHaveNetwork);
      codes.set(used.sha256, opening);
      try {
        return await opening;
      } catch (error) {
        codes.delete(used.sha256);
        throw error;
      }
    },
    discard: async (pluginId) => {
      await Promise.all([...codes].map(([sha256, opening]) => discardOne(sha256, opening, pluginId)));
    },
  };
};
