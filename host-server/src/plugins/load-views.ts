import type { Plugin } from '@breakwater/sdk';
import { type ReadViews, readViews } from '@breakwater/sdk/host';
import type { PluginEntries, PluginIssue } from './plugin-entries.ts';

/** The views of a plugin, from the files beside its manifest. One that cannot be shown is told and left out; its connector stays. */
export const loadViews = async (
  { name, folder }: PluginEntries,
  plugin: Plugin,
): Promise<{ views: ReadViews['views']; issues: PluginIssue[] }> => {
  const { views, issues } = await readViews(folder, plugin);
  return { views, issues: issues.map((reason) => ({ name, reason })) };
};
