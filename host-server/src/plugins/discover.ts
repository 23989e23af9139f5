import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Entry points of a plugin package, as addresses for `import`. Source: sdk/README.md "Entry points". */
export interface PluginEntries {
  /** Folder or package name, for messages. */
  readonly name: string;
  /** `.`: the manifest. */
  readonly manifest: string;
  /** `./parsers`: pure code for the process that parses. */
  readonly parsers: string | null;
  /** `./server`: code that talks to services. */
  readonly server: string | null;
}

/** A plugin, or a part of one, that could not be used, and why. */
export interface PluginFault {
  readonly name: string;
  readonly reason: string;
}

/** Finds the plugins under a folder: each sub-folder whose package.json says what `import` would give. Sorted by folder name. */
export async function discoverPlugins(folder: string): Promise<{ entries: PluginEntries[]; faults: PluginFault[] }> {
  const found = await readdir(folder, { withFileTypes: true });
  const names = found
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map((entry) => entry.name);
  const entries: PluginEntries[] = [];
  const faults: PluginFault[] = [];
  for (const name of names.toSorted()) {
    try {
      entries.push(await readEntries(join(folder, name), name));
    } catch (error) {
      faults.push({ name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { entries, faults };
}

async function readEntries(folder: string, name: string): Promise<PluginEntries> {
  const parsed: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const entry = (key: string) => {
    const target = property(property(parsed, 'exports'), key);
    return typeof target === 'string' ? pathToFileURL(join(folder, target)).href : null;
  };
  const manifest = entry('.');
  if (manifest === null) throw new Error('package.json names no manifest: exports["."] must be a path');
  return { name, manifest, parsers: entry('./parsers'), server: entry('./server') };
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;
}
