import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeGitea, startFakeGitea } from '../../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { type ConnectorScene, startConnectorScene } from '../../testing/connectors/connector-scene.ts';

const TOKEN = 'gitea-token-1';

let gitea: Awaited<ReturnType<typeof startFakeGitea>>;
let scene: ConnectorScene;
let repositoryId: string;

const provider = (): FakeGitea['repositories'][number] => {
  const [repository] = gitea.repositories;
  if (repository === undefined) throw new Error('no repository');
  return repository;
};

type As = 'admin' | 'cyberoper' | 'developer';
const call = (method: string, path: string, body?: unknown, as: As = 'admin') =>
  scene.server.call(method, path, { as, ...(body === undefined ? {} : { body }) });

/** Repeats until it holds. */
const until = async <T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> => {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

/** Has the settings read, and waits for it. */
const readSettings = async (): Promise<void> => {
  const body = { scan_type: 'posture', repositories: [repositoryId] };
  const asked = await call('POST', '/request_repo_scan', body);
  const [id] = asked.body.data.scan_requests;
  await until(
    async () => (await call('GET', `/scan_requests/${id}`)).body.data.attributes.status,
    (status) => status === 'done',
  );
};

/** Id of the finding about a setting. */
const findingOf = async (check: string): Promise<string> => {
  const { body } = await call('GET', `/repositories/${repositoryId}/posture`);
  return body.data.checks.find((one: { check: string }) => one.check === check).finding_id;
};
const statusOf = async (id: string): Promise<string> =>
  (await call('GET', `/findings/${id}`)).body.data.attributes.status;

beforeAll(async () => {
  gitea = await startFakeGitea({ token: TOKEN });
  scene = await startConnectorScene({ isWorking: true });
  const values = { oauth_token: TOKEN, protocol: 'http', hosted_domain: '127.0.0.1', port: Number(gitea.url.port) };
  await scene.save('gitea', values);
  const data = [
    ...[{ nickname: 'shop', url: `${gitea.url.origin}/acme/repo-1.git`, external_id: String(provider().id) }],
  ];
  const made = await call('POST', '/create_repository_with_list', { source_control: 'gitea', data });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  repositoryId = made.body.data[0]._id;
  await readSettings();
});
afterAll(async () => {
  await scene.close();
  await gitea.close();
});

test('a setting is shown as it becomes, changed by an admin, audited, and its finding closed by the next reading', async () => {
  const id = await findingOf('required-reviews');
  const made = await call('POST', `/remediation/${id}`, undefined, 'cyberoper');
  expect(made.body.data?.attributes, JSON.stringify(made.body)).toMatchObject({
    ...{ processing_status: 'ready', remediation_type: 'issue', code_diff: null },
    settings: [
      { setting: 'Protection of "main"', from: 'none', to: 'a rule of its own' },
      { setting: 'Direct pushes to "main"', from: 'by all who may write', to: 'by nobody: by pull request' },
      { setting: 'Approvals that a change of "main" needs', from: '0', to: '1' },
    ],
  });
  expect(await statusOf(id)).toBe('ready');
  expect(provider().protection).toBeNull();
  const address = `/remediation/${made.body.data._id}/settings`;
  for (const as of ['cyberoper', 'developer'] as const)
    expect((await call('POST', address, undefined, as)).status).toBe(403);

  const applied = await call('POST', address);
  expect(applied.body.data?.attributes, JSON.stringify(applied.body)).toMatchObject({ processing_status: 'applied' });
  expect(provider().protection).toEqual({ enable_push: false, required_approvals: 1, require_signed_commits: false });
  expect(applied.body.data.attributes.history[0]).toMatchObject({
    ...{ kind: 'set_settings', to: 'applied', detail: expect.stringContaining('needs: 0 → 1') },
  });
  // asked twice, done once
  expect((await call('POST', address)).body.data.attributes.processing_status).toBe('applied');
  await until(
    () => statusOf(id),
    (status) => status === 'mitigated',
  );
  const entries = await scene.rows<{ subject: string; details: { settings?: string[] } }>(
    `select subject, details from audit_entries where kind = 'connector.settings-changed' order by id`,
  );
  expect(entries[0]).toMatchObject({
    subject: 'Required reviews: change the settings of shop',
    details: { settings: expect.arrayContaining(['Approvals that a change of "main" needs: 0 → 1']) },
  });
});

test('a missing right is said with what to grant, and changes nothing', async () => {
  const id = await findingOf('signed-commits');
  gitea.known.scopes = ['read:user', 'read:repository'];
  const made = await call('POST', `/remediation/${id}`);
  expect(made.body.data.attributes.processing_status).toBe('ready');
  const refused = await call('POST', `/remediation/${made.body.data._id}/settings`);
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(JSON.stringify(refused.body)).toContain('Make a token with write access to \\"repository\\"');
  expect(await statusOf(id)).toBe('ready');
  expect(provider().protection).toMatchObject({ require_signed_commits: false });
  gitea.known.scopes = ['read:user', 'write:repository', 'write:issue'];
  const applied = await call('POST', `/remediation/${made.body.data._id}/settings`);
  expect(applied.body.data?.attributes.processing_status, JSON.stringify(applied.body)).toBe('applied');
});

test('a user of the token without the role is told so while the fix is generated', async () => {
  provider().protection = null;
  await readSettings();
  const id = await findingOf('force-pushes');
  provider().permissions = { admin: false, push: true, pull: true };
  const made = await call('POST', `/remediation/${id}`);
  expect(made.body.data.attributes).toMatchObject({
    ...{ processing_status: 'failed', failure: expect.stringContaining('The user of the token may not write') },
  });
  expect(made.body.data.attributes.failure).toContain('Administrator');
});
