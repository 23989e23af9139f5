import { afterAll, beforeAll, expect, test } from 'vitest';
import { heardBy } from '../../../../tools/testing/heard-by.ts';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { notify } from '../../notifications/server/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
});
afterAll(() => server.close());

const addRepository = async (nickname: string, owner?: string): Promise<string> => {
  const data = [{ nickname, url: '', ...(owner === undefined ? {} : { owner }) }];
  const made = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data },
  });
  return made.body.data[0]._id;
};

const REPORT = JSON.stringify({
  version: '1.0.0',
  errors: [],
  paths: { scanned: ['a.js'] },
  results: ['one', 'two', 'three'].map((name, index) => ({
    check_id: `rules.${name}`,
    path: 'a.js',
    start: { line: index + 1, col: 1, offset: 0 },
    end: { line: index + 1, col: 9, offset: 9 },
    extra: { message: name, severity: 'ERROR', lines: `${name}()`, metadata: {}, fingerprint: name },
  })),
});

const upload = async (repository: string): Promise<string[]> => {
  const file = Buffer.from(REPORT).toString('base64');
  const answer = await server.call('POST', `/upload_scan/${repository}?wait=60`, {
    as: 'admin',
    body: { tool: 'opengrep', file },
  });
  expect(answer.body.data).toMatchObject({ status: 'done', counts: { total: 3 } });
  const listed = await server.call('GET', `/findings?filters[repository][0]=${repository}`, { as: 'admin' });
  return listed.body.data.map((finding: { _id: string }) => finding._id);
};

const listen = (role: 'developer' | 'cyberoper', work: () => Promise<void>) => heardBy(server, role, work);

test('a developer hears of what is theirs, and of nothing else that happens in the organisation', async () => {
  const { developer, cyberoper, clientId } = server.users;
  const [own, other] = [await addRepository('own', developer.id), await addRepository('other')];
  const theirs = await upload(other);
  const [first = '', second = '', third = ''] = theirs;
  const decide = (id: string, body: object) => server.call('PUT', `/findings/${id}`, { as: 'admin', body });
  const heard = await listen('developer', async () => {
    await decide(first, { verdict: 'valid' });
    await server.call('POST', '/findings/bulk', {
      as: 'admin',
      body: { ids: [first, second], change: { verdict: 'none' } },
    });
    await upload(other);
    const login = { email: cyberoper.email, password: cyberoper.password };
    const { body } = await server.call('POST', '/login', {
      body: login,
      headers: { accept: 'application/vnd.breakwater.token+json' },
    });
    await server.call('POST', '/logout', { as: { token: body.data.access_token } });
    await server.scene.database.forClient(clientId, async (db) => {
      const notice = { clientId, type: 'critical_found', title: 'Secret title' } as const;
      await notify(db, { ...notice, to: { permission: 'findings.triage' } });
      await notify(db, { ...notice, to: { userIds: [cyberoper.id] } });
    });
    await server.call('DELETE', `/repositories/${await addRepository('short-lived')}`, { as: 'admin' });
  });
  expect(heard).toEqual([]);
  const heardOfOwn = await listen('developer', async () => {
    await upload(own);
    expect((await decide(third, { developer_ids: [developer.id] })).status).toBe(200);
  });
  const types = new Set(heardOfOwn.map(({ event }) => event));
  expect([...types]).toEqual(expect.arrayContaining(['scan.progress', 'findings.imported', 'finding.changed']));
  expect(heardOfOwn.filter(({ event }) => event === 'finding.changed').map(({ data }) => data['finding_id'])).toEqual([
    third,
  ]);
});

test('who sees the whole organisation hears of all of it, but not of the sessions and jobs of others', async () => {
  const { admin, clientId } = server.users;
  const repository = await addRepository('seen');
  const heard = await listen('cyberoper', async () => {
    await upload(repository);
    await server.scene.database.forClient(clientId, (db) =>
      notify(db, { clientId, type: 'critical_found', title: 'For triage', to: { permission: 'findings.triage' } }),
    );
    const { body } = await server.call('POST', '/login', {
      body: { email: admin.email, password: admin.password },
      headers: { accept: 'application/vnd.breakwater.token+json' },
    });
    await server.call('POST', '/logout', { as: { token: body.data.access_token } });
  });
  const types = heard.map(({ event }) => event);
  expect(types).toEqual(expect.arrayContaining(['findings.imported', 'scan.completed', 'notification.created']));
  expect(types).not.toContain('session.closed');
});
