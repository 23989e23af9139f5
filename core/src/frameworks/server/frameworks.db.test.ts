import { SEVERITIES } from '@breakwater/sdk';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPEN_STATUSES } from '../../findings/model/states.ts';
import { toQueryString } from '../../platform/ui/data/api-client.ts';
import { insertRandomFindings } from '../../testing/random-findings.ts';
import type { FrameworkDetail, FrameworkSummary } from '../api/routes.ts';

let server: TestServer;
type Who = 'admin' | 'developer';

/** A repository whose settings were read, with a finding about one that is wrong. */
const addSettings = async (clientId: string, repositoryId: string): Promise<void> => {
  const { owner } = server.scene;
  const answers = [
    { check: 'required-reviews', state: 'at-risk', detail: '', branch: 'main', url: null },
    { check: 'branch-protection', state: 'ok', detail: '', branch: 'main', url: null },
    { check: 'signed-commits', state: 'unknown', detail: '', branch: 'main', url: null },
  ];
  await owner.query(
    `insert into repository_posture (client_id, repository_id, answers, read_at, next_at) values ($1, $2, $3, now(), now())`,
    [clientId, repositoryId, JSON.stringify(answers)],
  );
  await owner.query(
    `with x as (
       insert into finding_definitions (client_id, digest, tool, rule_id, title)
       values ($1, md5('posture')::uuid, 'posture', 'required-reviews', 'Changes need no review') returning id
     ), o as (
       insert into scan_scopes (client_id, repository_id, tool, last_seen_at) values ($1, $2, 'posture', now()) returning id
     )
     insert into findings (client_id, id, repository_id, scope_id, definition_id, identity, severity, severity_numerical, priority,
       tool, type, category, first_scan_id, date, first_seen)
     select $1, new_id(), $2, o.id, x.id, md5('posture')::uuid, 2, 50, 40, 'posture', 'CI/CD', '', new_id(), now(), now() from x, o`,
    [clientId, repositoryId],
  );
};

beforeAll(async () => {
  server = await startTestServer();
  const { users, scene } = server;
  const known = await insertRandomFindings(scene.owner, {
    clientId: users.clientId,
    users: [users.developer.id],
    count: 500,
    start: 21,
  });
  await addSettings(users.clientId, known.repositories[1]?.id ?? '');
  const other = await createUsers(scene.database, 'Other');
  await insertRandomFindings(scene.owner, {
    clientId: other.clientId,
    users: [other.developer.id],
    count: 80,
    start: 22,
  });
});
afterAll(() => server.close());

const ask = async <T>(path: string, as: Who | 'superadmin' = 'admin'): Promise<T> => {
  const { status, body } = await server.call('GET', path, { as });
  expect({ path, status }).toEqual({ path, status: 200 });
  return body.data;
};

const list = (as: Who = 'admin') => ask<{ _id: string; attributes: FrameworkSummary }[]>('/frameworks', as);
const detail = async (id: string, as: Who = 'admin') =>
  (await ask<{ attributes: FrameworkDetail }>(`/frameworks/${id}`, as)).attributes;

const OPEN = { status: OPEN_STATUSES, false_positive: 'hide', accepted_risk: 'hide', is_duplicate: 'hide' };

const listed = async (filters: Record<string, unknown>, as: Who = 'admin'): Promise<number> => {
  const query = toQueryString({ filters, pagination: { page: 1, pageSize: 1 } });
  const { status, body } = await server.call('GET', `/findings?${query}`, { as });
  expect(status).toBe(200);
  return body.meta.pagination.total;
};

const totalOf = (counts: FrameworkSummary['counts']): number =>
  SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0);

describe.each(['admin', 'developer'] as const)('every number for a %s', (as) => {
  test('of a framework is that of the list under its filter', async () => {
    const rows = await list(as);
    expect(rows).toHaveLength(9);
    for (const { attributes } of rows) {
      for (const severity of SEVERITIES) {
        const filters = { ...OPEN, control: [attributes.filter], severity: [severity] };
        expect([attributes.name, severity, attributes.counts[severity]]).toEqual([
          attributes.name,
          severity,
          await listed(filters, as),
        ]);
      }
    }
    expect(totalOf(rows[0]?.attributes.counts ?? NONE)).toBeGreaterThan(0);
  });

  test.each(['asvs-5', 'pci-dss-4'])('of a control of %s too, open or decided', async (id) => {
    const { controls } = await detail(id, as);
    const issues: unknown[] = [];
    for (const { filter, counts, decided } of controls) {
      const shown = {
        open: totalOf(counts),
        accepted_risk: decided.accepted_risk,
        false_positive: decided.false_positive,
        mitigated: decided.mitigated,
      };
      const control = [filter];
      const expected = {
        open: await listed({ ...OPEN, control }, as),
        accepted_risk: await listed({ control, accepted_risk: 'only' }, as),
        false_positive: await listed({ control, false_positive: 'only' }, as),
        mitigated: await listed({ control, status: ['mitigated'] }, as),
      };
      if (JSON.stringify(shown) !== JSON.stringify(expected)) issues.push({ filter, shown, expected });
    }
    expect(issues).toEqual([]);
    expect(controls.some(({ counts }) => totalOf(counts) > 0)).toBe(true);
  });
});

const NONE = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };

test('a developer counts less than an admin', async () => {
  const of = async (as: Who) => (await list(as)).reduce((sum, { attributes }) => sum + totalOf(attributes.counts), 0);
  expect(await of('developer')).toBeLessThan(await of('admin'));
});

test('a setting counts for the controls that it bears on, with how it stands where it was read', async () => {
  const { controls, settings } = await detail('pci-dss-4');
  const reviews = settings.find(({ check }) => check === 'required-reviews');
  expect(reviews).toMatchObject({ ok: 0, at_risk: 1, unknown: 0, open: 1, label: 'Required reviews' });
  expect(reviews?.last_seen).not.toBeNull();
  expect(settings.find(({ check }) => check === 'branch-protection')).toMatchObject({ ok: 1, at_risk: 0, open: 0 });
  expect(settings.find(({ check }) => check === 'admins-without-two-factor')).toMatchObject({
    ok: 0,
    last_seen: null,
  });
  expect(await listed({ ...OPEN, tool: ['posture'], rule: ['required-reviews'] })).toBe(1);
  const changes = controls.find(({ id }) => id === '6.5.1');
  expect(changes).toMatchObject({ state: 'partly_assessed', counts: { ...NONE, medium: 1 } });
  // what no provider let anybody see is not assessed
  const signed = (await detail('nist-800-53')).settings.find(({ check }) => check === 'signed-commits');
  expect(signed).toMatchObject({ ok: 0, at_risk: 0, last_seen: null });
});

test('what no scanner of its families ever reported on is not assessed', async () => {
  const empty = await createUsers(server.scene.database, 'Empty');
  const as = { token: empty.admin.token };
  const { body } = await server.call('GET', '/frameworks/pci-dss-4', { as });
  const { controls, families, states, counts } = body.data.attributes;
  expect(controls.map((one: { state: string }) => one.state)).toEqual(controls.map(() => 'not_assessed'));
  expect(states).toEqual({ assessed: 0, partly_assessed: 0, not_assessed: controls.length });
  expect(counts).toEqual(NONE);
  expect(families.every((one: { last_seen: string | null }) => one.last_seen === null)).toBe(true);

  // a report without a finding: of bandit it is known what it looks for, of trivy it is not
  const made = await server.call('POST', '/create_repository_with_list', {
    as,
    body: { source_control: 'git', data: [{ nickname: 'clean', url: 'https://git.example.test/clean.git' }] },
  });
  const repositoryId = made.body.data[0]._id;
  for (const tool of ['bandit', 'trivy'])
    await server.scene.owner.query(
      'insert into scan_scopes (client_id, repository_id, tool, last_seen_at) values ($1, $2, $3, now())',
      [empty.clientId, repositoryId, tool],
    );
  const after = await server.call('GET', '/frameworks/pci-dss-4', { as });
  const seen = after.body.data.attributes.families.filter(
    (one: { last_seen: string | null }) => one.last_seen !== null,
  );
  expect(seen).toEqual([{ family: 'SAST', tools: ['bandit'], last_seen: expect.any(String) }]);
  const stateOf = (id: string): string =>
    after.body.data.attributes.controls.find((one: { id: string }) => one.id === id).state;
  expect([stateOf('6.2.4'), stateOf('6.3.3'), stateOf('8.2.8')]).toEqual([
    'partly_assessed',
    'not_assessed',
    'partly_assessed',
  ]);
});

test('the frameworks that the organisation names among its regulations come first', async () => {
  expect((await list()).map(({ attributes }) => attributes.is_named)).not.toContain(true);
  const company = { regulations: { applicable_regulations: ['PCI-DSS v4.0.1', 'EU DORA'] } };
  expect((await server.call('PUT', '/client', { as: 'admin', body: { company } })).status).toBe(200);
  const rows = await list();
  expect(rows.slice(0, 3).map(({ _id, attributes }) => [_id, attributes.is_named])).toEqual([
    ['dora', true],
    ['pci-dss-4', true],
    ['cis-controls-8', false],
  ]);
});

test('a superadmin reads the same inside a client, which is logged', async () => {
  const { clientId } = server.users;
  expect(await ask(`/manage-clients/frameworks/${clientId}`, 'superadmin')).toEqual(await list());
  const { attributes } = await ask<{ attributes: FrameworkDetail }>(
    `/manage-clients/frameworks/${clientId}/asvs-5`,
    'superadmin',
  );
  expect(attributes).toEqual(await detail('asvs-5'));
  const logged = await server.scene.owner.query(
    `select count(*)::integer as count from audit_entries where client_id = $1 and kind = 'superadmin.read' and details ->> 'path' like '%/frameworks/%'`,
    [clientId],
  );
  expect(logged.rows).toEqual([{ count: 2 }]);
  expect((await server.call('GET', `/manage-clients/frameworks/${clientId}`, { as: 'admin' })).status).toBe(403);
});

test('an unknown framework is not found, an unknown control lists nothing', async () => {
  const { status, body } = await server.call('GET', '/frameworks/hipaa', { as: 'admin' });
  expect([status, body.code]).toEqual([404, 'framework_not_found']);
  expect(await listed({ control: ['hipaa:1'] })).toBe(0);
});
