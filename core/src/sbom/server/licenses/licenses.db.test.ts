import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRollupDifferences } from '../../../testing/snapshot.ts';
import { DEFAULT_POLICY } from '../../model/license-policy.ts';

let server: TestServer;
let repository: string;
let others: TestUsers;

const newRepository = async (clientId: string): Promise<string> => {
  const { rows } = await server.scene.owner.query<{ id: string }>(
    `insert into repositories (client_id, nickname, source_control) values ($1, 'shop', 'git') returning id`,
    [clientId],
  );
  return rows[0]?.id ?? '';
};

beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  // checks begin with the import or the change that asks for them, not when somebody looks for what is due
  await server.scene.owner.query(`delete from pgboss.schedule where name = 'jobs.enqueue-due'`);
  await server.scene.owner.query(`delete from pgboss.job where name = 'jobs.enqueue-due'`);
  repository = await newRepository(server.users.clientId);
  others = await createUsers(server.scene.database, 'Other');
});
afterAll(() => server.close());

const upload = async (tool: string, name: string, content: object): Promise<void> => {
  const body = new FormData();
  body.append('tool', tool);
  body.append('file', new Blob([JSON.stringify(content)]), name);
  const answer = await fetch(`${server.baseUrl}/api/v1/upload_scan/${repository}?wait=60`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.tokens.admin}` },
    body,
  });
  expect(await answer.json()).toMatchObject({ data: { status: 'done' } });
};

const PARTS: Record<string, string[]> = {
  'agpl@1.0.0': ['AGPL-3.0-only'],
  'agpl@2.0.0': ['AGPL-3.0-only'],
  'choice@1.0.0': ['MIT OR GPL-3.0-only'],
  'both@1.0.0': ['Apache-2.0 AND GPL-2.0-only'],
  'free@1.0.0': ['MIT'],
  'silent@1.0.0': [],
};

const inventory = (parts = PARTS) =>
  upload('cyclonedx', 'bom.json', {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    components: Object.entries(parts).map(([ref, licenses]) => {
      const [name, version] = ref.split('@');
      const expression = licenses[0];
      return {
        ...{ type: 'library', 'bom-ref': ref, name, version, purl: `pkg:npm/${ref}` },
        ...(expression === undefined ? {} : { licenses: [{ expression }] }),
      };
    }),
  });

const found = async () =>
  (
    await server.scene.owner.query<{ text: string }>(
      `select u.component || ' ' || u.rule_id || ' ' || f.severity || ' ' || case when f.is_duplicate then 'duplicate' else f.status end
         || case when f.verdict = 'none' then '' else ' ' || f.verdict end as text
       from findings f join finding_definitions u on u.client_id = f.client_id and u.id = f.definition_id
       where f.client_id = $1 and f.tool = 'breakwater-license' and f.type = 'License' order by text`,
      [server.users.clientId],
    )
  ).rows.map((row) => row.text);

/** Until every check that was asked for is done, and its import with it. */
const settled = async (): Promise<string[]> => {
  for (;;) {
    const { rows } = await server.scene.owner.query(
      `select 1 from job_state where due_at is not null union all select 1 from scans where status in ('queued', 'running', 'parsing', 'merging')`,
    );
    if (rows.length === 0) return found();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

const put = (body: unknown, as: 'admin' | 'cyberoper' | 'developer' = 'admin') =>
  server.call('PUT', '/license_policy', { as, body });

test('findings follow the inventory, the policy and what people decide', async () => {
  await inventory();
  expect(await settled()).toEqual(['agpl AGPL-3.0-only 2 enriched', 'both GPL-2.0-only 2 enriched']);
  await server.scene.owner.query(
    `update findings set verdict = 'accepted_risk' where id in (select f.id from findings f join finding_definitions u
       on u.client_id = f.client_id and u.id = f.definition_id where u.component = 'both')`,
  );
  const scans = async () => (await server.scene.owner.query('select 1 from scans')).rows.length;
  const before = await scans();
  await inventory();
  await settled();
  // the same licences once more are no import of ours
  expect(await scans()).toBe(before + 1);
  const licenses = [{ license: 'AGPL-3.0', verdict: 'forbidden' }];
  expect(await put({ classes: { ...DEFAULT_POLICY.classes, unknown: 'review' }, licenses })).toMatchObject({
    status: 200,
  });
  expect(await settled()).toEqual([
    'agpl AGPL-3.0-only 3 enriched',
    'both GPL-2.0-only 2 enriched accepted_risk',
    'silent no-license 2 enriched',
  ]);
  const { 'agpl@1.0.0': _, 'agpl@2.0.0': __, ...rest } = PARTS;
  await inventory(rest);
  expect((await settled())[0]).toBe('agpl AGPL-3.0-only 3 mitigated');
  await inventory();
  expect((await settled())[0]).toBe('agpl AGPL-3.0-only 3 reopened');
  await upload('trivy', 'trivy.json', {
    SchemaVersion: 2,
    ArtifactName: 'shop',
    ArtifactType: 'filesystem',
    Results: [
      {
        Target: 'Node.js',
        Class: 'license',
        Licenses: [
          { Severity: 'CRITICAL', Category: 'forbidden', PkgName: 'agpl', Name: 'AGPL-3.0-only', Confidence: 1 },
        ],
      },
    ],
  });
  const { rows } = await server.scene.owner.query(
    `select tool, is_duplicate from findings f where type = 'License' and exists (
       select from finding_definitions u where u.client_id = f.client_id and u.id = f.definition_id and u.component = 'agpl') order by tool`,
  );
  expect(rows).toEqual([
    { tool: 'breakwater-license', is_duplicate: false },
    { tool: 'trivy', is_duplicate: true },
  ]);
  expect(
    await findRollupDifferences({
      rows: async (text, values = []) => (await server.scene.owner.query(text, values)).rows,
    }),
  ).toEqual([]);
});

test('a policy is written by admins only, whole, and for their own organisation', async () => {
  const policy = { classes: DEFAULT_POLICY.classes, licenses: [{ license: ' MIT ', verdict: 'forbidden' }] };
  expect((await put(policy, 'cyberoper')).status).toBe(403);
  expect((await put(policy, 'developer')).status).toBe(403);
  expect((await server.call('GET', '/license_policy', { as: 'developer' })).status).toBe(403);
  expect((await server.call('GET', '/license_policy', { as: 'cyberoper' })).status).toBe(200);
  expect(await put(policy)).toMatchObject({
    status: 200,
    body: { data: { attributes: { licenses: [{ license: 'MIT', verdict: 'forbidden' }] } } },
  });
  const { unknown: _, ...missing } = DEFAULT_POLICY.classes;
  for (const wrong of [
    {},
    [],
    { ...policy, more: 1 },
    { ...policy, classes: missing },
    { ...policy, classes: { ...DEFAULT_POLICY.classes, permissive: 'banned' } },
    { ...policy, licenses: [{ license: '  ', verdict: 'allowed' }] },
    { ...policy, licenses: [{ license: 'x'.repeat(201), verdict: 'allowed' }] },
    { ...policy, licenses: Array.from({ length: 501 }, (_, n) => ({ license: `L-${n}`, verdict: 'allowed' })) },
  ]) {
    expect((await put(wrong)).status, JSON.stringify(wrong).slice(0, 80)).toBe(422);
  }
  const twice = ['GPL-3.0', 'GPL-3.0-only'].map((license) => ({ license, verdict: 'allowed' }));
  expect(await put({ ...policy, licenses: twice })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'licenses', 1], msg: 'GPL-3.0-only stands in the list twice.' }] },
  });
  const answer = await fetch(`${server.baseUrl}/api/v1/license_policy`, {
    headers: { authorization: `Bearer ${others.admin.token}` },
  });
  expect(await answer.json()).toMatchObject({ data: { attributes: { ...DEFAULT_POLICY, updated_at: null } } });
});

test('a removed application takes what was asked for it along', async () => {
  await inventory();
  await settled();
  const asked = async () =>
    (await server.scene.owner.query('select 1 from job_state where key = $1', [repository])).rows.length;
  expect(await asked()).toBe(1);
  expect((await server.call('DELETE', `/repositories/${repository}`, { as: 'admin' })).status).toBe(200);
  expect(await asked()).toBe(0);
});
