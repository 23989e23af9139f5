import { SERVICE } from '@breakwater/host-server/container.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeGitea, startFakeGitea } from '../../../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { type ConnectorScene, startConnectorScene } from '../../../testing/connectors/connector-scene.ts';
import { openTogether } from './open-together.ts';

const TOKEN = 'gitea-token-1';
const PACKAGES = ['flask', 'jinja2', 'werkzeug', 'click', 'rich', 'idna', 'attrs', 'certifi', 'urllib3'];
const REQUIREMENTS = PACKAGES.map((name) => `${name}==1.0.0\n`).join('');

let gitea: Awaited<ReturnType<typeof startFakeGitea>>;
let scene: ConnectorScene;
let repositoryId: string;

const provider = (): FakeGitea['repositories'][number] => {
  const [repository] = gitea.repositories;
  if (repository === undefined) throw new Error('no repository');
  return repository;
};
const call = (method: string, path: string, body?: unknown) =>
  scene.server.call(method, path, { as: 'admin', ...(body === undefined ? {} : { body }) });

beforeAll(async () => {
  gitea = await startFakeGitea({ token: TOKEN });
  scene = await startConnectorScene({ isWorking: true });
  const values = { oauth_token: TOKEN, protocol: 'http', hosted_domain: '127.0.0.1', port: Number(gitea.url.port) };
  expect((await scene.save('gitea', values)).body.data.attributes.state).toBe('connected');
  const url = `${gitea.url.origin}/acme/repo-1.git`;
  const shop = { nickname: 'shop', url, external_id: String(provider().id), repository_branch: 'main' };
  const made = await call('POST', '/create_repository_with_list', { source_control: 'gitea', data: [shop] });
  repositoryId = made.body.data[0]._id;
});
afterAll(async () => {
  await scene.close();
  await gitea.close();
});

let part = 0;
/** Findings about packages of a requirements file, by a real import. @returns their ids by package */
const findPackages = async (folder: string, fixed: Record<string, string | undefined>) => {
  part += 1;
  const file = `${folder}/requirements.txt`;
  await (await provider().git()).commitFiles({ branch: 'main', message: folder, files: { [file]: REQUIREMENTS } });
  const findings = Object.entries(fixed).map(([name, version]) => ({
    ...{ title: `${name} is vulnerable`, severity: 'high', type: 'SCA', rule_id: `CVE-${part}-${name}` },
    ...{ file_path: file, component: name.split('-')[0], component_version: '1.0.0', fixed_version: version },
    ...{ purl: `pkg:pypi/${name.split('-')[0]}@1.0.0`, ecosystem: 'pypi' },
  }));
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings };
  const sent = await call('POST', `/upload_scan/${repositoryId}?wait=100`, {
    ...{ tool: 'breakwater', ext: 'json', part: `part-${part}` },
    file: Buffer.from(JSON.stringify(report)).toString('base64'),
  });
  expect(sent.body.data, JSON.stringify(sent.body)).toMatchObject({ status: 'done', counts: { new: findings.length } });
  const rows = await scene.rows<{ id: string; title: string }>(
    `select f.id, x.title from findings f join finding_definitions x on x.client_id = f.client_id and x.id = f.definition_id
     where f.first_scan_id = $1`,
    [sent.body.data.scan_id],
  );
  return Object.fromEntries(rows.map(({ id, title }) => [title.replace(' is vulnerable', ''), id]));
};
const generate = async (id: string) => (await call('POST', `/remediation/${id}`)).body.data;
const jobEnd = async (started: { body: { data: { job_id: string } } }) => {
  const job = async () => (await call('GET', `/jobs/${started.body.data.job_id}`)).body.data.attributes;
  await expect.poll(async () => (await job()).status, { timeout: 250_000, interval: 200 }).toBe('done');
  return job();
};
const fileAt = async (branch: string, name: string) =>
  (await (await provider().git()).readFile(`refs/heads/${branch}`, name))?.content.toString('utf8');
const commitsOf = async (branch: string) =>
  (await (await provider().git()).log(`refs/heads/${branch}`, { without: 'refs/heads/main' })).length;
const upgraded = (...names: string[]) =>
  names.reduce((text, name) => text.replace(`${name}==1.0.0`, `${name}==2.0.0`), REQUIREMENTS);

test('all fixes of a repository are one pull request: branch and target are known before, what does not fit is refused', async () => {
  const ids = await findPackages('one', { flask: '2.0.0', urllib3: '2.0.0', rich: undefined });
  const findings = Object.values(ids);
  const { targets, ready } = (await call('POST', '/bulk_actions/plan', { findings })).body.data;
  expect([targets, ready]).toEqual([
    [
      {
        ...{ repository: 'shop', branch: 'main', findings: 3, can_open: true, ready: 0, ready_fix_branch: null },
        fix_branch: expect.stringMatching(/^breakwater\/fixes-[0-9a-f]{8}$/),
      },
    ],
    [],
  ]);
  const branch = targets[0].fix_branch;
  const before = provider().issues.length;
  const order = { findings, apply_pr: true, group: 'repository' };
  const end = await jobEnd(await call('POST', '/bulk_actions/generate_patch', order));
  expect(end, JSON.stringify(end)).toMatchObject({ total: 3, done: 2, refused_count: 1, percentage: 100 });
  expect(end.refused).toEqual([{ _id: ids['rich'], why: expect.any(String) }]);
  expect(provider().issues).toHaveLength(before + 1);
  const pull = provider().issues.at(-1);
  expect(pull).toMatchObject({ title: 'Fix 2 findings', head: branch, base: 'main' });
  for (const name of ['flask', 'urllib3']) expect(pull?.body).toContain(`**high** ${name} is vulnerable in one/`);
  expect(await fileAt(branch, 'one/requirements.txt')).toBe(upgraded('flask', 'urllib3'));
  expect(await commitsOf(branch)).toBe(1);
  const states = await scene.rows(
    `select distinct processing_status, number, fix_branch from remediations where code_diff is not null`,
  );
  expect(states).toEqual([{ processing_status: 'pr_submitted', number: pull?.number, fix_branch: branch }]);

  // closed, it gives all of them back, and what is opened next is another one
  const { afterDelivery } = scene.server.container.get(SERVICE.connectionsDeps);
  await afterDelivery?.({ clientId: scene.server.users.clientId, connectorId: 'gitea' }, [
    {
      ...{ kind: 'pull-request', repository: String(provider().id), number: pull?.number ?? 0, branch, into: 'main' },
      ...{ commit: 'a'.repeat(40), isFromFork: false, action: 'closed' },
    },
  ]);
  if (pull !== undefined) pull.state = 'closed';
  const again = (await call('POST', '/bulk_actions/plan', { findings })).body.data;
  expect(again).toMatchObject({ targets: [{ ready: 2 }], ready: [expect.any(String), expect.any(String)] });
  const next = again.targets[0].ready_fix_branch;
  expect(next).not.toBe(branch);
  const applied = await jobEnd(
    await call('POST', '/bulk_actions/apply_patch', { remediations: again.ready, group: 'repository' }),
  );
  expect(applied).toMatchObject({ done: 2, refused_count: 0 });
  expect(provider().issues.at(-1)).toMatchObject({ number: (pull?.number ?? 0) + 1, head: next });
});

test('of two fixes of the same lines the second is refused with the reason; killed after the commit, the rest is still one pull request', async () => {
  const ids = await findPackages('two', { flask: '2.0.0', urllib3: '2.0.0' });
  const [flask, urllib3] = [await generate(ids['flask'] ?? ''), await generate(ids['urllib3'] ?? '')];
  // edited by hand, it changes the line of the other one as well
  const edited = await call('PUT', `/remediation/${urllib3._id}/edit`, {
    code_diff: flask.attributes.code_diff.replace('+flask==2.0.0', '+flask==3.0.0'),
  });
  expect(edited.status, JSON.stringify(edited.body)).toBe(200);
  const deps = scene.server.container.get(SERVICE.remediation);
  const { clientId, admin } = scene.server.users;
  const viewer = { clientId, userId: admin.id, seesAll: true };
  const order = { viewer, key: 'order-1', branch: 'breakwater/fixes-two', signal: AbortSignal.timeout(120_000) };
  const before = provider().issues.length;
  const open = () => openTogether(deps, { ...order, ids: [flask._id, urllib3._id] });
  const refused = [{ id: urllib3._id, why: expect.stringContaining('changes the same lines') }];
  expect(await open()).toEqual({ done: [flask._id], refused });
  expect(provider().issues).toHaveLength(before + 1);
  // of what the first process did, only branch and commit are there, and nothing of it was written down
  provider().issues.pop();
  await scene.rows(
    `update remediations set processing_status = 'ready', reference_url = null, number = null, run_id = gen_random_uuid(),
       run_until = now() + interval '4 seconds' where id = $1`,
    [flask._id],
  );
  expect(await open()).toEqual({ done: [flask._id], refused });
  expect(provider().issues).toHaveLength(before + 1);
  expect(await commitsOf(order.branch)).toBe(1);
  expect(await fileAt(order.branch, 'two/requirements.txt')).toBe(upgraded('flask'));
});

test('more files than a commit takes are one pull request, in several commits; after a failure between them it goes on', async () => {
  const folders = Array.from({ length: 51 }, (_, index) => `many/service-${index}/requirements.txt`);
  const files = Object.fromEntries(folders.map((file) => [file, REQUIREMENTS]));
  await (await provider().git()).commitFiles({ branch: 'main', message: 'many', files });
  const reported = folders.map((file) => ({
    ...{ title: 'flask is vulnerable', severity: 'high', type: 'SCA', rule_id: 'CVE-many-flask' },
    ...{ file_path: file, component: 'flask', component_version: '1.0.0', fixed_version: '2.0.0' },
    ...{ purl: 'pkg:pypi/flask@1.0.0', ecosystem: 'pypi' },
  }));
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings: reported };
  const sent = await call('POST', `/upload_scan/${repositoryId}?wait=100`, {
    ...{ tool: 'breakwater', ext: 'json', part: 'many' },
    file: Buffer.from(JSON.stringify(report)).toString('base64'),
  });
  const rows = await scene.rows<{ id: string }>('select id from findings where first_scan_id = $1', [
    sent.body.data.scan_id,
  ]);
  expect(rows).toHaveLength(51);
  const findings = rows.map(({ id }) => id);
  const asked = gitea.requests.length;
  expect(await jobEnd(await call('POST', '/bulk_actions/generate_patch', { findings }))).toMatchObject({ done: 51 });
  // 10 files beside each finding, and once in all those of the two folders above
  const reads = gitea.requests.slice(asked).filter(({ path }) => path.includes('/raw/'));
  expect(reads).toHaveLength(51 * 10 + 20);
  expect(new Set(reads.map(({ query }) => query.get('ref'))).size).toBe(1);
  const { ready, targets } = (await call('POST', '/bulk_actions/plan', { findings })).body.data;
  const branch = targets[0].ready_fix_branch;
  const before = provider().issues.length;
  const apply = async () =>
    jobEnd(await call('POST', '/bulk_actions/apply_patch', { remediations: ready, group: 'repository' }));

  let commits = 0;
  gitea.faults.add({
    when: ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/contents')) return false;
      commits += 1;
      return commits === 2;
    },
    fault: { answer: () => ({ status: 400, json: { message: 'no more for now' } }) },
  });
  expect(await apply()).toMatchObject({ done: 0, refused_count: 51 });
  expect([await commitsOf(branch), provider().issues.length]).toEqual([1, before]);
  gitea.faults.clear();
  const end = await apply();
  expect(end, JSON.stringify(end.refused[0])).toMatchObject({ done: 51, refused_count: 0 });
  expect(provider().issues).toHaveLength(before + 1);
  expect(provider().issues.at(-1)).toMatchObject({ title: 'Fix 51 findings', head: branch });
  expect(await commitsOf(branch)).toBe(2);
  for (const file of folders) expect(await fileAt(branch, file)).toBe(upgraded('flask'));
}, 600_000);

test('more than 500 are worked off, and more than 5,000 are refused before anything is begun', async () => {
  const unknown = (count: number) =>
    Array.from({ length: count }, (_, index) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`);
  const tooMany = await call('POST', '/bulk_actions/apply_patch', { remediations: unknown(5001) });
  expect([tooMany.status, tooMany.body.detail[0].loc]).toEqual([422, ['body', 'remediations']]);
  expect((await call('POST', '/bulk_actions/plan', { findings: unknown(501) })).body.data.targets).toEqual([]);
  const end = await jobEnd(await call('POST', '/bulk_actions/apply_patch', { remediations: unknown(501) }));
  expect(end).toMatchObject({ total: 501, done: 0, refused_count: 501 });
}, 300_000);
