import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openRegistry, pluginFolders } from './open-registry.ts';
import { parseToolsModule } from './parse-tools.ts';

const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-plugins-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Writes a plugin of plain JavaScript: its entry points and their source. */
async function write(name: string, sources: { manifest?: string; parsers?: string; server?: string }): Promise<void> {
  const exports: Record<string, string> = {};
  await mkdir(join(folder, name));
  for (const [entry, source] of Object.entries(sources)) {
    exports[entry === 'manifest' ? '.' : `./${entry}`] = `./${entry}.mjs`;
    await writeFile(join(folder, name, `${entry}.mjs`), source);
  }
  await writeFile(join(folder, name, 'package.json'), JSON.stringify({ name, exports }));
}

const manifest = (id: string, tool = id) => `export const plugin = {
  id: '${id}', version: '1.0.0',
  connectors: [{
    id: '${id}', title: '${id}', category: 'sast', image: '/images/${id}.svg', description: 'Finds things.',
    parser: { tool: '${tool}', family: 'SAST' },
  }],
  importers: [{ tool: '${tool}', title: '${tool}' }],
};`;
const parsers = (tool: string) => `export const parsers = [
  { tool: '${tool}', formats: ['json'], recognise: () => 1, async *parse() {} },
];`;
const sound = (id: string) => ({ manifest: manifest(id), parsers: parsers(id) });

const settingsOf = (pluginsDirectory: string | undefined) => ({
  pluginsDirectory,
  trustedPlugins: [],
  canPluginsHaveNetwork: false,
});
const open = () => openRegistry({ parsers: true, server: true }, [{ path: folder }]);

describe('openRegistry', () => {
  it('reads the view of a connector, and leaves one out that cannot be shown', async () => {
    const withView = (id: string) => ({
      ...sound(id),
      manifest: manifest(id).replace('image:', "view: { title: 'Board', entry: 'view/board.html' }, image:"),
    });
    for (const id of ['alpha', 'beta', 'gamma']) {
      await write(id, withView(id));
      await mkdir(join(folder, id, 'view'));
    }
    await writeFile(join(folder, 'alpha/view/board.html'), '<!doctype html><p>Board');
    await writeFile(join(folder, 'beta/view/board.html'), '<!doctype html><object>');
    await symlink(join(folder, 'alpha/view/board.html'), join(folder, 'gamma/view/board.html'));
    const { registry, issues } = await open();
    expect(registry.capability('view', 'alpha')).toBe('<!doctype html><p>Board');
    expect(registry.capability('view', 'beta')).toBeNull();
    expect(registry.entry('beta')).not.toBeNull();
    expect(issues).toEqual([
      { name: 'beta', reason: expect.stringContaining('view view/board.html: holds a frame') },
      { name: 'gamma', reason: 'view view/board.html: is no file of the folder' },
    ]);
  });

  it('finds plugins in their folders, in the order of the folder names', async () => {
    await write('beta', sound('beta'));
    await write('alpha', sound('alpha'));
    const { registry, issues } = await open();
    expect(issues).toEqual([]);
    expect(registry.entries().map((entry) => entry.address)).toEqual(['sast/alpha', 'sast/beta']);
    expect(registry.resolveTool('beta')).toMatchObject({ tool: 'beta', family: 'SAST' });
  });

  it('takes a connector without code from its connector.json, and says what is wrong with another', async () => {
    const sample = join(import.meta.dirname, '../../../sdk/src/declarative/__fixtures__/harbour-scan/connector.json');
    for (const name of ['harbour-scan', 'broken']) await mkdir(join(folder, name));
    await copyFile(sample, join(folder, 'harbour-scan/connector.json'));
    await writeFile(join(folder, 'broken/connector.json'), '{"id": "broken"}');
    const { registry, issues } = await open();
    expect(registry.entries().map((entry) => entry.address)).toEqual(['sast/harbourscan']);
    expect(registry.resolveTool('harbour-scan')).toMatchObject({ tool: 'harbour-scan', family: 'SAST' });
    expect(issues).toMatchObject([{ name: 'broken', reason: expect.stringContaining('field "title": is missing') }]);
  });

  it('reads texts in other languages beside the manifest, and says what it leaves out', async () => {
    await write('alpha', sound('alpha'));
    await write('beta', sound('beta'));
    for (const [name, table] of Object.entries({
      alpha: { 'Finds things.': 'Findet Dinge.', '{a} of {b}': '{a} von {b}' },
      beta: { 'Finds things.': 'Sucht Dinge.', 'There is no {thing} here.': 'Hier gibt es kein {thing}.' },
    })) {
      await mkdir(join(folder, name, 'languages'));
      await writeFile(join(folder, name, 'languages/de.json'), JSON.stringify(table));
    }
    await writeFile(join(folder, 'beta/languages/fr.json'), '{');
    await symlink('/etc/passwd', join(folder, 'beta/languages/pl.json'));
    await writeFile(join(folder, 'alpha/languages/sv.json'), ' '.repeat(600_000));
    const { registry, issues } = await open();
    // the first plugin decides
    expect(registry.texts('de')).toEqual({
      'Finds things.': 'Findet Dinge.',
      'There is no {thing} here.': 'Hier gibt es kein {thing}.',
    });
    expect(registry.texts('fr')).toEqual({});
    expect(issues).toEqual([
      { name: 'alpha', reason: 'languages, de: "{a} of {b}" is no text of the plugin' },
      { name: 'alpha', reason: 'languages, sv: must have at most 524288 bytes' },
      { name: 'beta', reason: 'languages, fr: must be JSON' },
      { name: 'beta', reason: 'languages, pl.json: must be a file named by its language' },
    ]);
  });

  it('knows all sentences of a connector without code', async () => {
    const sample = join(import.meta.dirname, '../../../sdk/src/declarative/__fixtures__/harbour-scan/connector.json');
    await mkdir(join(folder, 'harbour-scan/languages'), { recursive: true });
    await copyFile(sample, join(folder, 'harbour-scan/connector.json'));
    const table = { 'The API needs the plan Team or higher.': 'Tarif', 'Something else is wrong.': 'Anderes' };
    await writeFile(join(folder, 'harbour-scan/languages/de.json'), JSON.stringify(table));
    const { registry, issues } = await open();
    expect(registry.texts('de')).toEqual({ 'The API needs the plan Team or higher.': 'Tarif' });
    expect(issues).toMatchObject([{ reason: 'languages, de: "Something else is wrong." is no text of the plugin' }]);
  });

  it.each<[string, Parameters<typeof write>[1], RegExp]>([
    ['throws at its top level', { manifest: 'throw new Error("no licence");' }, /no licence/],
    ['does not parse as JavaScript', { manifest: 'export const plugin = {' }, /./],
    ['exports no manifest', { manifest: 'export default {};' }, /does not export "plugin"/],
    [
      'has a broken manifest',
      { manifest: 'export const plugin = { id: "bad" };' },
      /plugin "bad", field "version": is missing/,
    ],
    [
      'speaks another contract',
      { manifest: 'export const plugin = { api: "2" };' },
      /field "api": it was made for version 2 of the SDK, and this Breakwater speaks 1/,
    ],
    ['names no manifest', { parsers: parsers('bad') }, /package.json names no manifest/],
    ['imports what is not there', { manifest: 'import "not-installed-anywhere";' }, /not-installed-anywhere/],
    [
      'has server code of another plugin',
      { ...sound('bad'), server: 'export const server = { pluginId: "good", connectors: {} };' },
      /"server" belongs to plugin "good"/,
    ],
    ['has server code of no kind', { ...sound('bad'), server: 'export const server = 7;' }, /not made by defineServer/],
    ['has broken parsers', { manifest: manifest('bad'), parsers: 'throw new Error("no grammar");' }, /no grammar/],
  ])('leaves out a plugin that %s, says so, and keeps the others', async (_, sources, reason) => {
    await write('bad', sources);
    await write('good', sound('good'));
    const { registry, issues } = await open();
    expect(issues).toEqual([{ name: 'bad', reason: expect.stringMatching(reason) }]);
    expect(registry.entries().map((entry) => entry.pluginId)).toEqual(['good']);
  });

  it('does not wait for a plugin that never finishes loading', async () => {
    await write('slow', { manifest: 'await new Promise(() => {});' });
    await write('good', sound('good'));
    const needed = { parsers: true, server: true, importTimeoutMs: 500 };
    const { registry, issues } = await openRegistry(needed, [{ path: folder }]);
    expect(issues).toEqual([{ name: 'slow', reason: expect.stringContaining('did not load within 500 ms') }]);
    expect(registry.entries()).toHaveLength(1);
  });

  it('says which plugin it waits for, while it waits', async () => {
    const waitsFor: string[] = [];
    // the plugin goes on once it was named: it loads only because somebody is told
    const told = Promise.withResolvers<void>();
    Reflect.set(globalThis, 'slowPluginWasNamed', told.promise);
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'slowPluginWasNamed'));
    await write('slow', { ...sound('slow'), manifest: `await globalThis.slowPluginWasNamed;\n${manifest('slow')}` });
    await write('good', sound('good'));
    const onSlowImport = (name: string) => {
      waitsFor.push(name);
      if (name === 'slow') told.resolve();
    };
    const { registry, issues } = await openRegistry({ parsers: true, server: true, slowImportMs: 200, onSlowImport }, [
      { path: folder },
    ]);
    expect(issues).toEqual([]);
    expect(waitsFor.filter((name) => name === 'slow')).toEqual(['slow']);
    expect(registry.entries()).toHaveLength(2);
  });

  it('leaves out a folder without package.json', async () => {
    await mkdir(join(folder, 'leftover'));
    await write('good', sound('good'));
    const { registry, issues } = await open();
    expect(issues).toEqual([{ name: 'leftover', reason: expect.stringContaining('package.json') }]);
    expect(registry.entries()).toHaveLength(1);
  });

  it('leaves out the later of two plugins that claim the same name', async () => {
    await write('a', sound('same'));
    await write('b', sound('same'));
    const { registry, issues } = await open();
    expect(registry.entries()).toHaveLength(1);
    expect(issues).toEqual([{ name: 'same', reason: expect.stringContaining('belongs to plugin "same" already') }]);
  });

  it('keeps a plugin whose importers are incomplete, and says what is missing', async () => {
    await write('half', { manifest: manifest('half', 'announced'), parsers: parsers('unannounced') });
    const { registry, issues } = await open();
    expect(registry.entries()).toHaveLength(1);
    expect(registry.tools()).toEqual([]);
    expect(issues.map((issue) => issue.reason)).toEqual([
      'importer "unannounced" is not in the manifest',
      'importer "announced" has no parser',
    ]);
  });

  it('refuses what is no parser', async () => {
    await write('odd', { manifest: manifest('odd'), parsers: 'export const parsers = [{ tool: "odd" }, null];' });
    const { registry, issues } = await open();
    expect(registry.tools()).toEqual([]);
    expect(issues.map((issue) => issue.reason)).toEqual([
      '"parsers" holds something that is no ReportParser',
      'importer "odd" has no parser',
    ]);
  });

  it('runs only the code that the process asks for', async () => {
    await write('lazy', {
      manifest: manifest('lazy'),
      parsers: 'throw new Error("parsers were run");',
      server: 'throw new Error("server was run");',
    });
    const { registry, issues } = await openRegistry({ parsers: false, server: false }, [{ path: folder }]);
    expect(issues).toEqual([]);
    expect(registry.entry('lazy')).not.toBeNull();
    const parsing = await openRegistry({ parsers: true, server: false }, [{ path: folder }]);
    expect(parsing.issues).toEqual([{ name: 'lazy', reason: 'parsers were run' }]);
  });

  it('leaves out a plugin that needs a capability this host does not speak, and says which side is too old', async () => {
    const future = manifest('future').replace('description:', 'capabilities: { findings: 9 }, description:');
    await write('future', { manifest: future });
    const { registry, issues } = await open();
    expect(registry.entries()).toEqual([]);
    expect(issues).toMatchObject([{ name: 'future', reason: expect.stringContaining('this Breakwater is too old') }]);
  });

  it("takes the operator's own folder after ours, also in the threads that parse", async () => {
    await write('own', sound('own-tool'));
    const needed = { parsers: true, server: false };
    const { registry, issues } = await openRegistry(needed, pluginFolders(settingsOf(folder)));
    expect(issues).toEqual([]);
    expect(registry.entries().at(-1)?.connector.id).toBe('own-tool');
    expect(registry.entry('opengrep')).not.toBeNull();
    const ask = `const { openReportTools } = await import(process.argv[1]);
      console.log((await openReportTools()).resolveTool('own-tool')?.tool ?? 'nobody');`;
    const inThread = async (own: string | undefined): Promise<string> =>
      (
        await run(process.execPath, ['--input-type=module', '-e', ask, parseToolsModule(settingsOf(own))])
      ).stdout.trim();
    expect(await inThread(folder)).toBe('own-tool');
    expect(await inThread(undefined)).toBe('nobody');
  });

  it('binds the check that server code brings', async () => {
    const server =
      'export const server = { pluginId: "live", connectors: { live: { check: async () => ({ identity: "me" }) } } };';
    await write('live', { ...sound('live'), server });
    const { registry } = await open();
    expect(registry.capability('check', 'live')).toBeTypeOf('function');
  });
});
