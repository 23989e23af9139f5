import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_MANIFEST, type PluginEntries, type PluginIssue } from './plugin-entries.ts';

/** Whether a folder is a build, which organisations enable, and not source that is loaded at the start for all of them. */
export const isBuild = ({ folder }: Pick<PluginEntries, 'folder'>): boolean => existsSync(join(folder, BUILD_MANIFEST));

/** Leaves out what was built and is not what its manifest says any more: a file that was changed, added or lost. Runs no code of it. */
export const soundBuilds = async (
  entries: readonly PluginEntries[],
): Promise<{ entries: PluginEntries[]; issues: PluginIssue[] }> => {
  if (!entries.some(isBuild)) return { entries: [...entries], issues: [] };
  // the conformance kit comes along, which a server without builds does not need
  const { checkBuild } = await import('@breakwater/sdk/testing');
  const issues: PluginIssue[] = [];
  for (const entry of entries.filter(isBuild)) {
    const reasons = await checkBuild(entry.folder);
    if (reasons.length > 0)
      issues.push({ name: entry.name, reason: `is not what was built: ${reasons.slice(0, 5).join('; ')}` });
  }
  const unsound = new Set(issues.map(({ name }) => name));
  return { entries: entries.filter(({ name }) => !unsound.has(name)), issues };
};
