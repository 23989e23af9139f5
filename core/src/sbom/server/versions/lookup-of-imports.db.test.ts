import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PackageServer, packageBody, startPackageServer } from '../../../testing/package-server.ts';

let service: PackageServer;
let server: TestServer;
let repository: string;

beforeAll(async () => {
  service = await startPackageServer();
  server = await startTestServer({ isWorking: true, environment: { DEPS_DEV_BASE_URL: service.address.href } });
  // lookups begin with the import or the change that asks for them, not when somebody looks for what is due
  await server.scene.owner.query(`delete from pgboss.schedule where name = 'jobs.enqueue-due'`);
  await server.scene.owner.query(`delete from pgboss.job where name = 'jobs.enqueue-due'`);
  const { rows } = await server.scene.owner.query<{ id: string }>(
    `insert into repositories (client_id, nickname, source_control) values ($1, 'shop', 'git') returning id`,
    [server.users.clientId],
  );
  repository = rows[0]?.id ?? '';
});
afterAll(async () => {
  await server.close();
  await service.close();
});

const upload = async (...used: string[]): Promise<void> => {
  const inventory = {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    components: used.map((one) => {
      const [name, version] = one.split('@');
      return { type: 'library', 'bom-ref': one, name, version, purl: `pkg:npm/${one}` };
    }),
  };
  const body = new FormData();
  body.append('tool', 'cyclonedx');
  body.append('file', new Blob([JSON.stringify(inventory)]), 'bom.json');
  const answer = await fetch(`${server.baseUrl}/api/v1/upload_scan/${repository}?wait=60`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.tokens.admin}` },
    body,
  });
  expect(await answer.json()).toMatchObject({ data: { status: 'done' } });
};
const lookups = async () =>
  (await server.scene.owner.query(`select due_at > now() as later from job_state where job = 'versions.look-up'`)).rows;
const releases = async () =>
  (await server.scene.owner.query(`select released_on, newest_version from component_releases order by 1`)).rows;

test('an import asks for a lookup where that is on, and for none where it is off', async () => {
  service.reply('npm lodash', {
    body: packageBody('npm', 'lodash', { '4.17.20': '2020-08-13T16:53:54Z', '4.17.21': '2021-02-20T15:42:16Z' }),
  });
  service.reply('npm qs', { body: packageBody('npm', 'qs', { '6.7.0': '2019-03-22T00:00:00Z' }) });
  await upload('lodash@4.17.20');
  expect(await lookups()).toEqual([]);
  // turning it on asks for what is there
  await server.call('PUT', '/version_lookup', { as: 'admin', body: { is_enabled: true, excluded: [] } });
  await expect.poll(releases).toEqual([{ released_on: '2020-08-13', newest_version: '4.17.21' }]);
  await expect.poll(lookups).toEqual([{ later: true }]);
  service.forget();
  await upload('lodash@4.17.20', 'lodash@4.17.21', 'qs@6.7.0');
  await expect.poll(releases).toEqual([
    { released_on: '2019-03-22', newest_version: '6.7.0' },
    { released_on: '2020-08-13', newest_version: '4.17.21' },
    { released_on: '2021-02-20', newest_version: '4.17.21' },
  ]);
  // lodash was asked for today
  expect(service.asked()).toEqual(['npm qs']);
  // turned off, nothing is shown and the next import asks nobody
  await server.call('PUT', '/version_lookup', { as: 'admin', body: { is_enabled: false, excluded: [] } });
  service.forget();
  await upload('lodash@4.17.20', 'lodash@4.17.21', 'qs@6.7.0', 'new@1.0.0');
  const { body } = await server.call('GET', '/sbom-findings', { as: 'admin' });
  const published = body.data.map((row: { attributes: { published: object | null } }) => row.attributes.published);
  expect(published).toEqual([null, null, null, null]);
  expect(service.questions).toEqual([]);
});

test('a repository that is removed leaves no lookup', async () => {
  expect(await lookups()).toHaveLength(1);
  expect((await server.call('DELETE', `/repositories/${repository}`, { as: 'admin' })).status).toBeLessThan(300);
  await expect.poll(lookups).toEqual([]);
});
