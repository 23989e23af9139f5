import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE } from '../../../../../host-server/src/container.ts';
import { type ConnectorScene, startConnectorScene } from '../../../testing/connectors/connector-scene.ts';
import type { ServiceAnswer, ServiceRequest } from '../../../testing/connectors/fake-service.ts';
import { enqueueDuePosture } from './posture-jobs.ts';

let scene: ConnectorScene;
beforeAll(async () => {
  scene = await startConnectorScene({ replacesProviders: true, isWorking: true });
  scene.service.behave(gitea);
  const saved = await scene.server.call('POST', '/api/oauth/gitea/connector', {
    as: 'admin',
    body: { oauth_token: 'gitea-token-77aa', protocol: 'https', hosted_domain: 'git.example.com', port: 443 },
  });
  expect(saved.body).toMatchObject({ success: true, data: { state: 'connected' } });
});
afterAll(() => scene.close());

/** Settings of the repositories at the provider. */
const settings = { isProtected: false, isHidden: false, fails: new Set<string>(), workflow: 'uses: a/b@v1' };

const repositoryOf = (id: string) => ({
  ...{ id: Number(id), full_name: `acme/r${id}`, html_url: `https://git.example.com/acme/r${id}`, private: true },
  ...{ clone_url: `https://git.example.com/acme/r${id}.git`, default_branch: 'main', archived: false },
});

/** As much of Gitea as its plugin asks for. */
const gitea = ({ path }: ServiceRequest): ServiceAnswer => {
  const { pathname } = new URL(path, 'http://gitea');
  if (pathname.endsWith('/user')) return { body: { id: 7, login: 'gopher' } };
  if (pathname.endsWith('/repos/search')) return { body: { ok: true, data: [] } };
  const id = /\/repositories\/(\d+)$/.exec(pathname)?.[1];
  if (id !== undefined) return settings.fails.has(id) ? { status: 500 } : { body: repositoryOf(id) };
  if (pathname.endsWith('/branches/main')) {
    if (settings.isHidden) return { status: 403 };
    const { isProtected } = settings;
    return {
      body: {
        ...{ name: 'main', protected: isProtected, effective_branch_protection_name: isProtected ? 'main' : '' },
        ...{ required_approvals: isProtected ? 2 : 0, commit: { id: 'c' } },
      },
    };
  }
  if (pathname.endsWith('/branch_protections/main')) {
    return { body: { required_approvals: 2, require_signed_commits: true, enable_force_push: false } };
  }
  if (pathname.endsWith('/contents/.github/workflows')) {
    return { body: [{ name: 'ci.yml', path: '.github/workflows/ci.yml', type: 'file', sha: 'd' }] };
  }
  if (pathname.endsWith('/raw/.github/workflows/ci.yml')) return { body: `steps:\n  - ${settings.workflow}\n` };
  if (pathname.endsWith('/keys')) return { body: [] };
  return { status: 404, body: {} };
};

const add = async (externalId: string): Promise<string> => {
  const { body } = await scene.server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: {
      source_control: 'gitea',
      data: [{ nickname: `r${externalId}`, url: repositoryOf(externalId).clone_url, external_id: externalId }],
    },
  });
  return body.data[0]._id;
};

const get = (path: string, as: 'admin' | 'developer' = 'admin') => scene.server.call('GET', path, { as });
const postureOf = async (id: string) => (await get(`/repositories/${id}/posture`)).body.data;
const stateOf = async (id: string, check: string) =>
  (await postureOf(id)).checks.find((one: { check: string }) => one.check === check);

/** Repeats until it holds. */
const until = async <T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> => {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

/** Asks for a reading, and waits for its end. */
const readNow = async (id: string) => {
  const body = { scan_type: 'posture', repositories: [id] };
  const asked = await scene.server.call('POST', '/request_repo_scan', { as: 'admin', body });
  expect(asked.status, JSON.stringify(asked.body)).toBe(202);
  const [request] = asked.body.data.scan_requests;
  const ended = await until(
    async () => (await get(`/scan_requests/${request}`)).body.data.attributes,
    ({ status }) => ['done', 'failed', 'cancelled'].includes(status),
  );
  return ended;
};

const findings = async (id: string) => {
  const query = `filters[repository]=${id}&fields[]=rule_id&fields[]=status&fields[]=type&fields[]=owasp_cicd&fields[]=slsa_threats&fields[]=tool`;
  const { body } = await get(`/findings?${query}`);
  return new Map(
    body.data.map(({ attributes }: { attributes: { rule_id: string } }) => [attributes.rule_id, attributes]),
  );
};

test('what is set wrong is a finding until it is right; what cannot be seen leaves it as it is', async () => {
  const id = await add('1');
  expect(await readNow(id)).toMatchObject({ status: 'done', tools: [{ tool: 'posture', status: 'done' }] });
  const told = await until(
    async () => (await scene.server.scene.owner.query('select title from notifications')).rows,
    (rows) => rows.length > 0,
  );
  expect(told).toEqual([{ title: 'Imported: Source-control posture on r1' }]);
  const first = await findings(id);
  expect([...first.keys()].sort()).toEqual([
    'branch-protection',
    'force-pushes',
    'required-reviews',
    'signed-commits',
    'unpinned-actions',
  ]);
  expect(first.get('unpinned-actions')).toMatchObject({
    ...{ type: 'CI/CD', tool: 'posture', status: 'enriched' },
    ...{ owasp_cicd: ['CICD-SEC-3', 'CICD-SEC-8'], slsa_threats: ['D', 'E'] },
  });
  expect(first.get('branch-protection')).toMatchObject({ owasp_cicd: ['CICD-SEC-1'], slsa_threats: ['A'] });
  expect(await stateOf(id, 'branch-protection')).toMatchObject({
    ...{ state: 'at-risk', branch: 'main', detail: 'Nothing protects "main".', finding_id: expect.any(String) },
    url: 'https://git.example.com/acme/r1/settings/branches',
  });
  // neither open nor right: Gitea does not tell
  expect(await stateOf(id, 'admins-without-two-factor')).toMatchObject({ state: 'unknown', finding_id: null });
  expect(await stateOf(id, 'stale-deploy-keys')).toMatchObject({ state: 'ok' });

  // the token lost its right, and one setting that is still seen was mended
  Object.assign(settings, { isHidden: true, workflow: `uses: a/b@${'c'.repeat(40)}` });
  expect(await readNow(id)).toMatchObject({ status: 'done' });
  const hidden = await findings(id);
  expect(hidden.get('branch-protection')).toMatchObject({ status: 'enriched' });
  expect(hidden.get('unpinned-actions')).toMatchObject({ status: 'mitigated' });
  expect(await stateOf(id, 'branch-protection')).toMatchObject({ state: 'unknown', finding_id: expect.any(String) });

  Object.assign(settings, { isHidden: false, isProtected: true });
  expect(await readNow(id)).toMatchObject({ status: 'done' });
  expect([...(await findings(id)).values()].map((one) => (one as { status: string }).status)).toEqual(
    Array(5).fill('mitigated'),
  );
  Object.assign(settings, { isProtected: false });
  await readNow(id);
  expect((await findings(id)).get('force-pushes')).toMatchObject({ status: 'reopened' });
});

test('new repositories are read without being asked; one that fails keeps the reason and holds nobody up', async () => {
  settings.fails.add('2');
  const [failing, sound] = [await add('2'), await add('3')];
  const posture = scene.server.container.get(SERVICE.posture);
  const jobs = scene.server.container.get(SERVICE.jobs);
  const log = scene.server.container.get(SERVICE.log);
  await enqueueDuePosture({ posture, jobs, log });
  const read = await until(
    () => postureOf(sound),
    (one) => one.read_at !== null,
  );
  expect(read).toMatchObject({ is_available: true, problem: null });
  const failed = await until(
    () => postureOf(failing),
    (one) => one.problem !== null,
  );
  expect(failed).toMatchObject({ is_available: true, read_at: null, checks: [] });
  expect(failed.problem).toContain('Gitea');
  // neither is due again
  expect(await scene.rows('select from repository_posture where next_at <= now()')).toEqual([]);
  const asked = await readNow(failing);
  expect(asked).toMatchObject({ status: 'failed', code: 'scanner_failed', detail: failed.problem });
});

test('a repository without a provider is refused with the reason, and says it', async () => {
  const { body } = await scene.server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'plain', url: 'https://git.example.com/plain.git' }] },
  });
  const id = body.data[0]._id;
  expect(await postureOf(id)).toMatchObject({
    is_available: false,
    checks: [],
    problem: expect.stringMatching(/no settings/),
  });
  const refused = await scene.server.call('POST', '/request_repo_scan', {
    as: 'admin',
    body: { scan_type: 'posture', repositories: [id] },
  });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('settings of plain')]);
  expect((await get(`/repositories/${id}/posture`, 'developer')).status).toBe(404);
});
