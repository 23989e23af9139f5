import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ROOT, run } from '../suites/run.ts';
import { installAlone } from './sandbox.ts';

const KIT = 'node_modules/@breakwater/sdk/lib/bin/breakwater-connector.js';
const NOT_SHIPPED = /(^|\/)(node_modules|dist)$|\.test\.ts$|\.test-d\.ts$/;

export const pluginIds = async (): Promise<string[]> => {
  const entries = await readdir(path.join(ROOT, 'plugins'), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
};

/**
 * Runs the conformance kit on a plugin as a stranger would: a copy outside the workspace, the packed SDK and the plugin's own
 * dependencies.
 */
export const testAlone = async (
  plugin: string,
  sdkTarball: string,
  options: readonly string[] = [],
): Promise<{ code: number; output: string }> => {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'breakwater-plugin-'));
  const folder = path.join(scratch, path.basename(plugin));
  try {
    await cp(plugin, folder, { recursive: true, filter: (source) => !NOT_SHIPPED.test(source) });
    await installAlone(folder, sdkTarball);
    return await run(process.execPath, [path.join(folder, KIT), 'test', folder, ...options], { isQuiet: true });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};
