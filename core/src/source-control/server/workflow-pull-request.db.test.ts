import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startFakeGitea } from '../../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { type ConnectorScene, startConnectorScene } from '../../testing/connectors/connector-scene.ts';

const TOKEN = 'gitea-token-77aa';
let gitea: Awaited<ReturnType<typeof startFakeGitea>>;
let scene: ConnectorScene;
beforeAll(async () => {
  gitea = await startFakeGitea({ token: TOKEN, repositories: 4 });
  scene = await startConnectorScene({
    environment: { GITEA_BASE_URL: String(gitea.url), BREAKWATER_PUBLIC_URL: 'https://breakwater.example' },
  });
  const connected = await api('POST', '/api/oauth/gitea/connector', {
    ...{ oauth_token: TOKEN, protocol: 'https', hosted_domain: 'git.example.com', port: 443 },
  });
  expect(connected.body).toMatchObject({ success: true, data: { state: 'connected' } });
});
afterAll(async () => {
  await scene.close();
  await gitea.close();
});

const api = (method: string, path: string, body?: object, as: 'admin' | 'developer' | 'superadmin' = 'admin') =>
  scene.server.call(method, path, { as, ...(body === undefined ? {} : { body }) });

const add = async (one: object, sourceControl = 'gitea'): Promise<string> => {
  const { status, body } = await api('POST', '/create_repository_with_list', {
    ...{ source_control: sourceControl, data: [one] },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data[0]._id;
};
/** One of the fake's repositories, as imported from its list. The second of them is empty. */
const addKnown = async (index: number, more: { nickname?: string; repository_branch?: string } = {}) => {
  const known = gitea.repositories[index];
  if (known === undefined) throw new Error(`the fake has no repository ${index}`);
  const url = `https://git.example.com/a/shop-${index}.git`;
  return { known, id: await add({ nickname: `shop-${index}`, ...more, url, external_id: String(known.id) }) };
};
const pathOf = (id: string) => `/repositories/${id}/create_workflow_pr`;
const events = async (id: string) =>
  (await api('GET', `/repositories/${id}/history`)).body.data.filter(
    ({ field }: { field: string }) => field === 'workflow_pr',
  );

test('shows what it would hold, opens it once however often it is asked, and never writes over a file', async () => {
  const { known, id } = await addKnown(0);
  const preview = await api('GET', pathOf(id));
  expect(preview.status, JSON.stringify(preview.body)).toBe(200);
  const { branch, into, files, steps } = preview.body.data;
  expect(into).toBe('main');
  expect(files).toMatchObject([{ path: '.gitea/workflows/breakwater.yml', content: expect.stringContaining(id) }]);
  expect(files[0].content).toContain('https://breakwater.example');
  expect(steps.join(' ')).toContain('BREAKWATER_TOKEN');
  const git = await known.git();
  expect([known.issues, [...(await git.branches()).keys()]]).toEqual([[], ['main']]);

  const first = await api('POST', pathOf(id));
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  expect(first.body).toMatchObject({ success: true, data: { files: ['.gitea/workflows/breakwater.yml'], steps } });
  const head = (await git.branches()).get(branch);
  expect((await api('POST', pathOf(id))).body.data).toEqual(first.body.data);
  expect((await git.branches()).get(branch)).toBe(head);
  expect(known.issues.map((one) => [one.head, one.base])).toEqual([[branch, 'main']]);
  expect(known.issues[0]?.body).toContain('BREAKWATER_TOKEN');
  expect(await events(id)).toMatchObject([{ to: first.body.data.url }]);

  await git.commitFiles({ branch: 'main', message: 'add', files: { [files[0].path]: 'name: Ours\n' } });
  const again = await api('POST', pathOf(id));
  expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('is there already')]);
  expect((await api('GET', pathOf(id))).body.data.files).toEqual([]);
  expect(known.issues).toHaveLength(1);
});

test('names that a shell, YAML or a page would read are only names', async () => {
  const branch = `m"]$(id)&<img/src=x>`;
  const { known, id } = await addKnown(2, { nickname: '<img src=x onerror=alert(1)>', repository_branch: branch });
  const git = await known.git();
  const start = (await git.branches()).get('main');
  if (start === undefined) throw new Error('the fake has a commit');
  await git.setBranch(branch, start);
  const { status, body } = await api('POST', pathOf(id));
  expect(status, JSON.stringify(body)).toBe(200);
  expect(known.issues.map(({ base }) => base)).toEqual([branch]);
  const [{ content }] = (await api('GET', pathOf(id))).body.data.files;
  const pushed: unknown = parse(content).on.push.branches;
  // of the signs of a pattern, the closing bracket alone is in it
  expect(pushed).toEqual([branch.replace(']', '\\]')]);
});

test('who may not, and a token that may not, get a reason and write nothing', async () => {
  const { known, id } = await addKnown(3);
  // somebody else's repository, and a role that fixes nothing
  expect((await api('POST', pathOf(id), undefined, 'developer')).status).toBe(404);
  expect((await api('POST', pathOf(id), undefined, 'superadmin')).status).toBe(403);
  known.permissions = { admin: false, push: false, pull: true };
  const refused = await api('POST', pathOf(id));
  expect([refused.status, refused.body.code]).toEqual([409, 'upstream_failed']);
  expect(refused.body.detail).toMatch(/^Gitea: .+/);
  expect(refused.body.detail).not.toContain(TOKEN);
  expect([known.issues, [...(await (await known.git()).branches()).keys()], await events(id)]).toEqual([
    [],
    ['main'],
    [],
  ]);
});

test('a repository without a provider, or without a branch there, is refused with what to do', async () => {
  const byAddress = await add({ nickname: 'plain', url: 'https://git.example.com/plain.git' });
  for (const method of ['GET', 'POST']) {
    const refused = await api(method, pathOf(byAddress));
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('added by its address')]);
  }
  const availabilityOf = async (one: string) => (await api('GET', `${pathOf(one)}/availability`)).body.data;
  const problem = expect.stringContaining('added by its address');
  expect(await availabilityOf(byAddress)).toEqual({ is_available: false, problem });
  const elsewhere = await add({ nickname: 'gitlab', url: 'https://gitlab.com/a/b.git', external_id: '1' }, 'gitlab');
  expect((await availabilityOf(elsewhere)).problem).toMatch(/^GitLab is not connected\./);
  const plain = await add({ nickname: 'git', url: 'https://git.example.com/x.git' }, 'git');
  expect((await api('POST', pathOf(plain))).body).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('by hand'),
  });
  expect((await api('GET', pathOf('0191c2e0-7b1a-7000-8000-000000000001'))).status).toBe(404);
  const { id } = await addKnown(1);
  expect(await availabilityOf(id)).toEqual({ is_available: true, problem: null });
  const empty = await api('POST', pathOf(id));
  expect([empty.status, empty.body.detail]).toEqual([409, expect.stringContaining('has no branch "main"')]);
});
