import { createServer, type Server } from 'node:http';
import { startTestService } from '@breakwater/sdk/testing';
import { expect, test } from 'vitest';
import { startFakeGitea } from '../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { createFakeJira } from '../../plugins/tickets/src/server/testing/fake-jira.ts';
import { ADMIN, type ApiClient, setUp, signIn } from '../harness/api.ts';
import { emptyFolder, removeFolder, startServer } from '../harness/server.ts';

const TOKEN = 'gitea-token-made-for-tests-only';
const FLASK = {
  ...{ title: 'Flask leaks session cookies', severity: 'high', type: 'SCA', rule_id: 'CVE-2023-30861' },
  ...{ file_path: 'requirements.txt', component: 'flask', component_version: '1.0.0', fixed_version: '2.3.2' },
  ...{ purl: 'pkg:pypi/flask@1.0.0', ecosystem: 'pypi' },
};
const PATIENCE = { timeout: 480_000, interval: 500 } as const;

/** Takes tickets on a port. @returns what it took, and the server */
const startReceiver = async (port: number): Promise<{ taken: string[]; server: Server; port: number }> => {
  const taken: string[] = [];
  const server = createServer((request, response) => {
    if (request.headers['x-breakwater-event'] === 'remediation.ticket')
      taken.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  return { taken, server, port: typeof address === 'object' && address !== null ? address.port : port };
};
const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

/** Jira that makes issues and, until it is let answer, says nothing of it. */
const startJira = async () => {
  const jira = createFakeJira({ edition: 'cloud', token: TOKEN });
  const made = Promise.withResolvers<void>();
  const state = { isSilent: true };
  const service = await startTestService(async (request) => {
    const answer = await jira.answer(request);
    if (!state.isSilent || request.method !== 'POST' || !request.path.endsWith('/issue')) return answer;
    made.resolve();
    return { ends: 'held' };
  });
  const values = {
    ...{ base_url: service.url.origin, email: 'ada@example.com', api_token: TOKEN },
    ...{ project: 'SEC', issue_type: 'Bug' },
  };
  return { jira, state, values, made: made.promise, close: () => service.close() };
};

/** The organisation with its provider, one finding that has a fix, and a webhook whose receiver is down. @returns the remediation */
const prepare = async (api: ApiClient, gitea: Awaited<ReturnType<typeof startFakeGitea>>, hook: string) => {
  const values = { oauth_token: TOKEN, protocol: 'http', hosted_domain: '127.0.0.1', port: Number(gitea.url.port) };
  expect((await api.call('PUT', '/connectors/gitea', { values })).body.data.attributes.state).toBe('connected');
  const [repository] = gitea.repositories;
  const git = await repository?.git();
  await git?.commitFiles({ branch: 'main', message: 'Add the shop', files: { 'requirements.txt': 'flask==1.0.0\n' } });
  const url = `${gitea.url.origin}/acme/repo-1.git`;
  const shop = { nickname: 'shop', url, repository_branch: 'main', external_id: String(repository?.id) };
  const made = await api.call('POST', '/create_repository_with_list', { source_control: 'gitea', data: [shop] });
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings: [FLASK] };
  await api.upload(made.body.data[0]._id, 'acme.json', new TextEncoder().encode(JSON.stringify(report)));
  const [finding] = (await api.get('/findings')).body.data;
  const mapping = { summary: '{{finding.title}}' };
  const saved = await api.call('PUT', '/client', { issue_webhook: { url: hook, mapping } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const generated = await api.call('POST', `/remediation/${finding._id}`);
  expect(generated.body.data.attributes.processing_status, JSON.stringify(generated.body)).toBe('ready');
  return { id: generated.body.data._id, git };
};

const stateOf = async (api: ApiClient, connector: string) =>
  (await api.get(`/connectors/${connector}`)).body.data.attributes.state;

test('kill -9 between commit and pull request, after Jira made an issue, while the ticket webhook is down: one of each', {
  timeout: 900_000,
}, async () => {
  const gitea = await startFakeGitea({ token: TOKEN });
  const { jira, ...jiraService } = await startJira();
  const dataDirectory = await emptyFolder();
  const options = { dataDirectory, environment: { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true' } };
  let server = await startServer(options);
  const down = await startReceiver(0);
  await close(down.server);
  let receiver = down;
  try {
    const api = await setUp(server);
    const { id, git } = await prepare(api, gitea, `http://127.0.0.1:${down.port}/in`);
    expect(await stateOf(api, 'webhook')).toBe('retrying');

    const { body: connected } = await api.call('PUT', '/connectors/jira_cloud', { values: jiraService.values });
    expect(connected.data.attributes.state, JSON.stringify(connected)).toBe('connected');

    const asked = Promise.withResolvers<void>();
    gitea.faults.add({
      when: ({ method, path }) => method === 'POST' && path.endsWith('/pulls'),
      fault: {
        answer: () => {
          asked.resolve();
          return { ends: 'held' };
        },
      },
    });
    void api.call('POST', '/pull_request', { remediation_id: id }).catch(() => undefined);
    await asked.promise;
    const toJira = { remediation_id: id, connector_id: 'jira_cloud' };
    void api.call('POST', '/webhook/send_ticket', toJira).catch(() => undefined);
    await jiraService.made;
    const sent = await api.call('POST', '/webhook/send_ticket', { remediation_id: id });
    expect(sent.body.data, JSON.stringify(sent.body)).toMatchObject({ status: 'pending', status_code: null });
    await server.kill();

    gitea.faults.clear();
    jiraService.state.isSilent = false;
    expect(jira.issues).toHaveLength(1);
    receiver = await startReceiver(down.port);
    server = await startServer(options);
    const later = await signIn(server, ADMIN.username, ADMIN.password);
    const read = async () => (await later.get(`/remediation/${id}`)).body.data.attributes;
    await expect.poll(async () => (await read()).processing_status, PATIENCE).toBe('pr_submitted');
    await expect.poll(() => receiver.taken, PATIENCE).toHaveLength(1);
    await expect.poll(() => stateOf(later, 'webhook'), PATIENCE).toBe('connected');
    const branches = [...((await git?.branches())?.keys() ?? [])].filter((name) => name.startsWith('breakwater/'));
    expect(branches).toEqual([(await read()).fix_branch]);
    expect(await git?.log(`refs/heads/${branches[0]}`, { without: 'refs/heads/main' })).toHaveLength(1);
    expect(gitea.repositories[0]?.issues).toHaveLength(1);
    expect((await later.call('POST', '/webhook/send_ticket', { remediation_id: id })).body.data.status).toBe(
      'delivered',
    );
    expect(receiver.taken).toEqual([sent.body.data.delivery_id]);
    const inJira = async () => (await read()).tickets.find((one: { ticket: object | null }) => one.ticket !== null);
    await expect.poll(inJira, PATIENCE).toMatchObject({ connector_id: 'jira_cloud', ticket: { key: 'SEC-1' } });
    expect((await later.call('POST', '/webhook/send_ticket', toJira)).body).toMatchObject({ success: true });
    expect(jira.issues).toHaveLength(1);
  } finally {
    await server.stop();
    await close(receiver.server);
    await gitea.close();
    await jiraService.close();
    await removeFolder(dataDirectory);
  }
});
