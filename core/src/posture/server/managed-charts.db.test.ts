import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRandomFindings } from '../../testing/random-findings.ts';

let server: TestServer;
let inside: string;

beforeAll(async () => {
  server = await startTestServer();
  const { clientId, developer } = server.users;
  await insertRandomFindings(server.scene.owner, { clientId, users: [developer.id], count: 200, start: 41 });
  inside = `/manage-clients/charts/${clientId}`;
});
afterAll(() => server.close());

const looks = async (): Promise<number> => {
  const { rows } = await server.scene.owner.query(
    `select count(*)::integer as count from audit_entries where client_id = $1 and kind = 'superadmin.read'`,
    [server.users.clientId],
  );
  return rows[0].count;
};

test.each([
  '/findings_chart?period=12w',
  '/total_findings_chart?filters[severity]=high',
  '/findings_by_repo_chart',
  '/supply_chain_chart',
  '/owasp_chart?edition=2021',
  '/slsa_threats_chart',
  '/owasp_cicd_chart',
  '/found_findings_chart',
  '/backlog_age_chart?filters[tool]=grype',
  '/overdue_chart',
  '/time_to_fix_chart',
])('a superadmin sees %s as the people of the client do, and the look is written down', async (chart) => {
  const before = await looks();
  const seen = await server.call('GET', `${inside}${chart}`, { as: 'superadmin' });
  const own = await server.call('GET', chart, { as: 'admin' });
  expect([seen.status, seen.body]).toEqual([200, own.body]);
  expect(seen.body.data.total).toBeGreaterThan(0);
  expect(await looks()).toBe(before + 1);
});

test('nobody else does, and of a client that is not there nothing is said', async () => {
  for (const as of ['admin', 'cyberoper', 'developer'] as const)
    expect((await server.call('GET', `${inside}/findings_chart`, { as })).status).toBe(403);
  const nowhere = `/manage-clients/charts/${crypto.randomUUID()}/findings_chart`;
  expect((await server.call('GET', nowhere, { as: 'superadmin' })).body.code).toBe('client_not_found');
});

test.each(['csv', 'json', 'sarif'] as const)(
  'the list inside a client is exported as %s, as its own',
  async (format) => {
    const before = await looks();
    const query = '?filters[severity]=high&fields=title,severity,tool';
    const path = `/manage-clients/findings/${server.users.clientId}/download_${format}${query}`;
    const fileOf = async (address: string, token: string) => {
      const answer = await fetch(`${server.baseUrl}/api/v1${address}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      return { status: answer.status, text: await answer.text() };
    };
    const seen = await fileOf(path, server.tokens.superadmin);
    const own = await fileOf(`/download_${format}_findings${query}`, server.tokens.admin);
    expect(seen).toEqual(own);
    expect(seen.status).toBe(200);
    expect(seen.text.length).toBeGreaterThan(500);
    expect(await looks()).toBe(before + 1);
    expect((await fileOf(path, server.tokens.admin)).status).toBe(403);
  },
);
