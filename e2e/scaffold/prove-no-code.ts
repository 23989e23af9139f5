import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ApiClient, setUp, signIn } from '../harness/api.ts';
import { addOrganization, PASSWORD } from '../harness/database.ts';
import { startInstallation } from '../harness/installation.ts';
import { emptyFolder, ROOT, removeFolder } from '../harness/server.ts';
import { firstFindings, withVendor } from './first-finding.ts';
import { createTimer, KEY, node, startVendor } from './vendor.ts';

const NAME = 'dock-scan';
const CREATE = path.join(ROOT, 'sdk/create/index.js');
const SDK = path.join(ROOT, 'sdk/bin/breakwater-connector.ts');

/** What the proof came to. */
export interface NoCodeProof {
  /** Machine time of each step and of all of them, in seconds. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Lines of `connector.json`. */
  readonly lines: number;
  readonly files: readonly string[];
  /** Last line of the kit. */
  readonly verdict: string;
  /** Titles of the findings that the other organisation has in the end. */
  readonly findings: readonly string[];
}

/** What the author adds by hand for `build`: who they are, a picture, a page and a licence. */
const fillIn = async (folder: string): Promise<void> => {
  const file = path.join(folder, 'connector.json');
  const document = JSON.parse(await readFile(file, 'utf8'));
  const image = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`;
  await writeFile(file, JSON.stringify({ ...document, publisher: 'Dock Ltd', image, version: '1.0.0' }, null, 2));
  await writeFile(path.join(folder, 'README.md'), '# Dock Scan\n\nPulls findings. Its token reads issues.\n');
  await writeFile(path.join(folder, 'LICENSE'), 'MIT\n');
};

const readJson = async (folder: string, name: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(folder, name), 'utf8'));

/** Published by one organisation, approved and added by another. @returns its id in the catalogue of that one */
const publishAndAdd = async (folder: string, publisher: ApiClient, user: ApiClient): Promise<string> => {
  const files = {
    document: await readJson(folder, 'connector.json'),
    fixtures: await readJson(folder, 'conformance.json'),
  };
  const { body } = await publisher.call('POST', '/user_connectors/publish', { ...files, visibility: 'public' });
  const { body: shown } = await user.call('GET', `/user_connectors/${body.data.id}`);
  const { hosts } = shown.data.attributes;
  const added = await user.call('POST', `/user_connectors/add/${body.data.id}`, { hosts });
  return added.body.data.connector;
};

/** From an empty folder to the first finding in another organisation, without code; each step is timed. */
export const proveNoCode = async (): Promise<NoCodeProof> => {
  const scratch = await emptyFolder();
  const folder = path.join(scratch, NAME);
  const { seconds, timed } = createTimer();
  const [vendor, installation] = [await startVendor(), await startInstallation()];
  const publisher = await setUp(installation.server);
  const username = await addOrganization(installation.database, 'Lighthouse Ltd');
  const user = await signIn(installation.server, username, PASSWORD);
  try {
    return await timed('all', async () => {
      await timed('scaffold', () => node(scratch, [CREATE, NAME, '--no-code']));
      const files = await readdir(folder);
      await fillIn(folder);
      const credentials = { DOCK_SCAN_BASE_URL: `${vendor.url}/v1`, DOCK_SCAN_API_TOKEN: KEY };
      await timed('record', () => node(folder, [SDK, 'record'], credentials));
      const told = await timed('test', () => node(folder, [SDK, 'test', '--tier', 'silver']));
      await timed('build', () => node(folder, [SDK, 'build']));
      await node(folder, [SDK, 'check-build', 'build']);
      const id = await timed('publish and add', () => publishAndAdd(folder, publisher, user));
      const order = { username, connector: id, vendor: vendor.url };
      const findings = await timed('connect', () =>
        withVendor(installation, order, async (_, api) => {
          await api.call('PUT', `/connectors/${id}`, { values: { api_token: KEY } });
          return firstFindings(api);
        }),
      );
      const text = await readFile(path.join(folder, 'connector.json'), 'utf8');
      return {
        seconds,
        files,
        findings,
        lines: text.trimEnd().split('\n').length,
        verdict: told.trimEnd().split('\n').at(-1) ?? '',
      };
    });
  } finally {
    vendor.server.close();
    await installation.stop();
    await removeFolder(scratch);
  }
};

// `npm run bench -- no-code`: machine time from nothing to the first finding elsewhere. The goal is 60 s.
if (import.meta.main) process.stdout.write(`${JSON.stringify({ name: 'no-code', ...(await proveNoCode()) })}\n`);
