import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeArchive } from '@breakwater/host-server/plugins/installed/plugin-archive.ts';

const ROOT = path.join(import.meta.dirname, '../../../..');
const KIT = path.join(ROOT, 'sdk/bin/breakwater-connector.ts');

/** Names that a plugin of this repository has, and those that it gets. */
export interface Renaming {
  readonly folder: string;
  readonly from: { readonly plugin: string; readonly connector: string; readonly title: string };
  readonly to: { readonly id: string; readonly title: string };
}

const replaceIn = async (file: string, pairs: readonly (readonly [string, string])[]): Promise<void> => {
  let text = await readFile(file, 'utf8');
  for (const [from, to] of pairs) {
    if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
    text = text.replace(from, to);
  }
  await writeFile(file, text);
};

/**
 * A plugin of this repository as somebody else would have written it: under other names, tested and built by the kit, and packed. So all that
 * ours can do is tried with code that is installed while the server runs.
 */
export const packRenamed = async ({ folder, from, to }: Renaming): Promise<Buffer> => {
  const scratch = await mkdtemp(path.join(tmpdir(), 'breakwater-renamed-'));
  const home = path.join(scratch, to.id);
  try {
    await cp(path.join(ROOT, 'plugins', folder), home, {
      recursive: true,
      filter: (source) => !/node_modules|testing|\.test\.ts$/.test(path.relative(ROOT, source)),
    });
    await symlink(path.join(ROOT, 'node_modules'), path.join(home, 'node_modules'));
    await writeFile(path.join(home, 'LICENSE'), 'MIT\n');
    await replaceIn(path.join(home, 'src/plugin.ts'), [
      [`id: '${from.plugin}'`, `id: '${to.id}'`],
      [`id: '${from.connector}'`, `id: '${to.id}'`],
      [`title: '${from.title}'`, `title: '${to.title}'`],
      ["publisher: 'Breakwater'", "publisher: 'Acme'"],
    ]);
    await replaceIn(path.join(home, 'src/server/index.ts'), [
      [`defineServer(plugin, { ${from.connector}:`, `defineServer(plugin, { '${to.id}':`],
    ]);
    await replaceIn(path.join(home, 'conformance.json'), [[`"${from.connector}": {`, `"${to.id}": {`]]);
    const built = path.join(scratch, 'build');
    await promisify(execFile)(process.execPath, [KIT, 'build', home, '--out', built]);
    const files = await readdir(built, { recursive: true, withFileTypes: true });
    const isFile = (entry: (typeof files)[number]) => entry.isFile();
    const names = files.filter(isFile).map((entry) => path.relative(built, path.join(entry.parentPath, entry.name)));
    return await writeArchive(built, names);
  } finally {
    await rm(scratch, { recursive: true });
  }
};
