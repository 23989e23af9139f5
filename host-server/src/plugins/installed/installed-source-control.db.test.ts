import { enqueueDueWebhooks } from '@breakwater/core/source-control/server/index.ts';
import { createPluginScene } from '@breakwater/core/testing/connectors/added-scene.ts';
import { packBuild } from '@breakwater/core/testing/connectors/plugin-build.ts';
import { packRenamed } from '@breakwater/core/testing/connectors/renamed-plugin.ts';
import { startTestService, type TestService } from '@breakwater/sdk/testing';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as giteaSends from '../../../../plugins/scm-gitea/src/server/testing/deliveries.ts';
import { type FakeGitea, startFakeGitea } from '../../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { SERVICE } from '../../container.ts';

/** Our Gitea connector as somebody else's, installed while the server runs: all that ours does, theirs does. */

const TOKEN = 'harbour-token-made-for-tests';
const ORIGIN = 'https://breakwater.example.com';
const HOSTS = ['{{hosted_domain}}:{{port}}'];
const FIXED = 'const query = sql(input);';

let server: TestServer;
let others: TestUsers;
let gitea: Awaited<ReturnType<typeof startFakeGitea>>;
let model: TestService;
/** Id of the connector in the organisation. */
let harbour: string;
let repositoryId: string;

type As = NonNullable<NonNullable<Parameters<TestServer['call']>[2]>['as']>;
const scene = createPluginScene(() => server);
const stranger = (): As => ({ token: others.admin.token });
const call = (method: string, to: string, body?: unknown, as: As = 'admin') =>
  server.call(method, to, { as, ...(body === undefined ? {} : { body }) });

const until = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const provider = (index = 0): FakeGitea['repositories'][number] => {
  const repository = gitea.repositories[index];
  if (repository === undefined) throw new Error('no such repository');
  return repository;
};
const sources = async (as: As = 'admin') =>
  (await call('GET', '/sources_control', undefined, as)).body.data as { _id: string; attributes: object }[];
const statusOf = async (finding: string): Promise<string> =>
  (await call('GET', `/findings/${finding}`)).body.data.attributes.status;

beforeAll(async () => {
  gitea = await startFakeGitea({ token: TOKEN, repositories: 2 });
  model = await startTestService(() => ({
    json: {
      login: 'ada',
      text: JSON.stringify({
        summary: 'Repaired.',
        explanation: 'The input is bound.',
        edits: [{ file: 'src/a.ts', search: 'const query = input;', replace: FIXED }],
      }),
    },
  }));
  const environment = { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true', BREAKWATER_PUBLIC_URL: ORIGIN };
  server = await startTestServer({ isWorking: true, environment });
  others = await createUsers(server.scene.database);
  const archive = await packRenamed({
    folder: 'scm-gitea',
    from: { plugin: 'scm-gitea', connector: 'gitea', title: 'Gitea' },
    to: { id: 'harbour-git', title: 'Harbour Git' },
  });
  const { status, body } = await scene.installArchive(archive);
  expect([status, body.detail]).toEqual([200, undefined]);
}, 120_000);
afterAll(async () => {
  await server.container.get(SERVICE.pluginCode).discard();
  await server.close();
  await model.close();
  await gitea.close();
});

test('is listed with the source controls of the organisation that enabled it, and of no other', async () => {
  const before = (await sources()).map(({ _id }) => _id);
  harbour = await scene.enabled('harbour-git', { version: '0.1.0', hosts: HOSTS });
  const listed = await sources();
  expect(listed.map(({ _id }) => _id)).toEqual([...before, harbour]);
  expect(listed.at(-1)).toMatchObject({ attributes: { title: 'Harbour Git', is_connected: false, has_account: true } });
  const values = { oauth_token: TOKEN, protocol: 'http', hosted_domain: '127.0.0.1', port: Number(gitea.url.port) };
  const saved = await call('PUT', `/connectors/${harbour}`, { values });
  expect(saved.body.data?.attributes, JSON.stringify(saved.body)).toMatchObject({
    state: 'connected',
    plugin: { trust: 'isolated' },
  });
  expect((await sources()).at(-1)).toMatchObject({ attributes: { is_connected: true, problem: null } });
  expect((await sources(stranger())).map(({ _id }) => _id)).toEqual(before);
});

test('its texts in other languages are for the organisation that enabled it', async () => {
  const textsFor = async (as: As) => (await call('GET', '/connector-texts/de', undefined, as)).body.data;
  const { installation, organisation } = await textsFor('admin');
  expect(Object.keys(organisation).length).toBeGreaterThan(10);
  const field = '443 for https, 3000 for a server as Gitea installs it.';
  expect([organisation[field], organisation[field]]).toEqual([expect.stringContaining('443'), installation[field]]);
  expect((await textsFor(stranger())).organisation).toEqual({});
  expect((await call('GET', '/connector-texts/fr')).body.data).toEqual({ installation: {}, organisation: {} });
});

test('its repositories and branches are listed and imported, and say where they come from', async () => {
  const listed = await call('GET', `/sources_control/${harbour}/repositories`);
  expect(listed.body.data).toHaveLength(gitea.repositories.length);
  const { _id: externalId, attributes } = listed.body.data[0];
  expect(attributes).toMatchObject({ name: 'acme/repo-1', problem: null, repository_id: null });
  const branches = await call('GET', `/sources_control/${harbour}/branches?repository=${externalId}`);
  expect(branches.body.data.map(({ name }: { name: string }) => name)).toContain('main');

  const data = [{ nickname: 'shop', url: attributes.url, external_id: externalId, repository_branch: 'main' }];
  const made = await call('POST', '/create_repository_with_list', { source_control: harbour, data });
  expect(made.body.data?.[0]?.attributes, JSON.stringify(made.body)).toMatchObject({
    source_control: harbour,
    source_control_title: 'Harbour Git',
  });
  repositoryId = made.body.data[0]._id;
  const again = await call('GET', `/sources_control/${harbour}/repositories`);
  expect(again.body.data[0].attributes.repository_id).toBe(repositoryId);
  const list = await call('GET', `/repositories?filters[source_control][]=${harbour}`);
  expect(list.body.data.map((one: { attributes: object }) => one.attributes)).toMatchObject([
    { nickname: 'shop', source_control_title: 'Harbour Git' },
  ]);
  // by its name, as of any provider
  const named = [{ nickname: 'second', url: 'acme/repo-2' }];
  const byName = await call('POST', '/create_repository_with_list', { source_control: harbour, data: named });
  expect(byName.body.data?.[0]?.attributes.url, JSON.stringify(byName.body)).toContain('acme/repo-2');
});

test('another organisation can neither list nor import from it, nor from what is none', async () => {
  const data = [{ nickname: 'shop', url: 'https://git.example.com/a.git' }];
  for (const [id, as] of [
    [harbour, stranger()],
    ['added-0000000000000000', 'admin'],
    ['sonarqube', 'admin'],
  ] as const) {
    const refused = await call('POST', '/create_repository_with_list', { source_control: id, data }, as);
    expect([id, refused.status, refused.body.detail?.[0]?.loc]).toEqual([id, 422, ['body', 'source_control']]);
    expect((await call('GET', `/sources_control/${id}/repositories`, undefined, as)).status).toBe(409);
  }
});

test('its settings are read, and one is made right through it', async () => {
  const asked = await call('POST', '/request_repo_scan', { scan_type: 'posture', repositories: [repositoryId] });
  expect(asked.status, JSON.stringify(asked.body)).toBe(202);
  const finding = await until(async () => {
    const { data } = (await call('GET', `/repositories/${repositoryId}/posture`)).body;
    const about = data.checks.find(({ check }: { check: string }) => check === 'required-reviews');
    return about?.finding_id ?? undefined;
  });
  const made = await call('POST', `/remediation/${finding}`);
  expect(made.body.data?.attributes.settings, JSON.stringify(made.body)).not.toBeNull();
  expect(provider().protection).toBeNull();
  const applied = await call('POST', `/remediation/${made.body.data._id}/settings`);
  expect(applied.body.data?.attributes.processing_status, JSON.stringify(applied.body)).toBe('applied');
  expect(provider().protection).toMatchObject({ required_approvals: 1 });
});

test('it gets a webhook, and what that signs asks for a scan', async () => {
  await call('PUT', '/client', { autonomous_scan: true });
  await enqueueDueWebhooks({
    webhooks: server.container.get(SERVICE.webhooks),
    jobs: server.container.get(SERVICE.jobs),
  });
  await until(async () =>
    (await call('GET', `/repositories/${repositoryId}/webhook`)).body.data.state === 'active' ? true : undefined,
  );
  const [delivery] = await giteaSends.pushDeliveries(provider(), 'main');
  if (delivery === undefined) throw new Error('the hook does not want pushes');
  const { url, headers, body } = delivery;
  const send = (text: string) =>
    fetch(`${server.baseUrl}${new URL(url).pathname}`, { method: 'POST', headers, body: text });
  expect((await send(body.replace(/[0-9a-f]{40}/, 'f'.repeat(40)))).status).toBe(403);
  expect((await send(body)).status).toBe(200);
  const { rows } = await server.scene.owner.query('select trigger from scan_requests where repository_id = $1', [
    repositoryId,
  ]);
  expect(rows).toContainEqual({ trigger: 'push' });
  await call('PUT', '/client', { autonomous_scan: false });
});

test('its token goes to git at its own host alone', async () => {
  const connections = server.container.get(SERVICE.connections);
  const connectionKey = { clientId: server.users.clientId, connectorId: harbour };
  const own = new URL(`${gitea.url.origin}/acme/repo-1.git`);
  expect(await connections.cloneLogin(connectionKey, own)).toMatchObject({ password: TOKEN });
  expect(await connections.cloneLogin(connectionKey, new URL('https://elsewhere.example/acme/repo-1.git'))).toBeNull();
  const foreign = { ...connectionKey, clientId: others.clientId };
  expect(await connections.cloneLogin(foreign, own)).toBeNull();
});

test('a model of another plugin writes a fix, and it becomes a pull request there', async () => {
  await (await provider().git()).commitFiles({
    branch: 'main',
    message: 'A flaw',
    files: { 'src/a.ts': 'const input = read();\n\nconst query = input;\n' },
  });
  const finding = {
    severity: 'high',
    type: 'SAST',
    file_path: 'src/a.ts',
    line: 3,
    title: 'Built of input',
    rule_id: 'sql',
  };
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings: [finding] };
  const file = Buffer.from(JSON.stringify(report)).toString('base64');
  const sent = await call('POST', `/upload_scan/${repositoryId}?wait=60`, { tool: 'breakwater', ext: 'json', file });
  expect(sent.body.data, JSON.stringify(sent.body)).toMatchObject({ status: 'done', counts: { new: 1 } });
  const found = await call('GET', '/findings?search=Built of input');
  const id = found.body.data[0]._id;
  expect((await call('GET', '/ai_usage')).body.data.remediation).toEqual({ state: 'not_configured', name: null });

  const archive = await packBuild({
    id: 'harbour-ai',
    version: '1.0.0',
    code: `remediator: {
      models: async () => ['harbour-1'],
      async *complete({ http }, { model, messages }) {
        const { text } = await http.json({ method: 'POST', path: '/complete', body: { model, messages } });
        yield { text };
        yield { usage: { inputTokens: 100, outputTokens: 10 } };
      },
    },`,
  });
  const installed = await scene.installArchive(archive);
  expect([installed.status, installed.body.detail]).toEqual([200, undefined]);
  const ai = await scene.enabled('harbour-ai', { version: '1.0.0', hosts: ['api.acme.example'] });
  const { providerBaseUrls } = server.container.get(SERVICE.config);
  if (!(providerBaseUrls instanceof Map)) throw new Error('The addresses of services are no map.');
  providerBaseUrls.set(ai.toUpperCase().replace('-', '_'), new URL(`${model.url.origin}/v1`));
  await call('PUT', `/connectors/${ai}`, { values: { token: 'token-of-tests-1234' } });
  expect((await call('GET', '/ai_usage')).body.data.remediation).toEqual({ state: 'ready', name: 'Harbour Ai' });

  const made = await call('POST', `/remediation/${id}?engine=ai`);
  expect(made.body.data?.attributes, JSON.stringify(made.body)).toMatchObject({ processing_status: 'ready' });
  const plan = await call('POST', '/bulk_actions/plan', { findings: [id] });
  expect([plan.status, plan.body.data?.targets]).toMatchObject([200, [{ repository: 'shop', can_open: true }]]);
  const opened = await call('POST', '/pull_request', { remediation_id: made.body.data._id });
  expect(opened.body.data, JSON.stringify(opened.body)).toMatchObject({ number: expect.any(Number) });
  expect(await statusOf(id)).toBe('pr_submitted');
  const branch = provider().issues.find(({ number }) => number === opened.body.data.number)?.head ?? '';
  const changed = await (await provider().git()).readFile(branch, 'src/a.ts');
  expect(changed?.content.toString()).toContain(FIXED);
});
