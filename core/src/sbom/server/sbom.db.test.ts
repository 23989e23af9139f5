import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let other: TestUsers;
let owned: string;
let shared: string;

interface Part {
  name: string;
  version?: string;
  group?: string;
  ecosystem?: string;
  license?: string;
  needs?: string[];
}

const PARTS: Part[] = [
  { name: 'Express', version: '4.17.1', ecosystem: 'npm', license: 'MIT', needs: ['qs', 'debug'] },
  { name: 'qs', version: '6.7.0', ecosystem: 'npm', license: 'BSD-3-Clause' },
  { name: 'debug', version: '2.6.9', ecosystem: 'npm', license: 'MIT', needs: ['qs'] },
  { name: 'debug', version: '1.0.0', ecosystem: 'pypi' },
  { name: '100%_odd\\name', version: '1' },
  ...Array.from({ length: 120 }, (_, n) => ({
    name: `part-${String(n).padStart(3, '0')}`,
    version: `${n}`,
    ecosystem: 'npm',
  })),
];

const fill = async (clientId: string, ownerId: string | null): Promise<string> => {
  const { owner } = server.scene;
  const made = await owner.query<{ id: string }>(
    `insert into repositories (client_id, nickname, source_control, owner) values ($1, $2, 'git', $3) returning id`,
    [clientId, ownerId === null ? 'shared' : 'owned', ownerId],
  );
  const id = made.rows[0]?.id ?? '';
  const scope = await owner.query(
    `insert into scan_scopes (client_id, repository_id, tool) values ($1, $2, 'cyclonedx') returning id`,
    [clientId, id],
  );
  await owner.query(
    `insert into components (client_id, repository_id, scope_id, digest, name, version, group_name, ecosystem, licenses, license_class, first_seen, last_seen)
     select $1, $2, $3, md5(p.name || coalesce(p.version, '') || coalesce(p.ecosystem, ''))::uuid, p.name, p.version, p.group, p.ecosystem,
       case when p.license is null then '{}' else array[p.license] end,
       case when p.license is null then 'unknown' else 'permissive' end, now(), now()
     from jsonb_to_recordset($4::jsonb) p (name text, version text, "group" text, ecosystem text, license text)`,
    [clientId, id, scope.rows[0].id, JSON.stringify(PARTS)],
  );
  await owner.query(
    `insert into component_edges (client_id, from_id, to_id)
     select $1, a.id, b.id from jsonb_to_recordset($3::jsonb) p (name text, version text, needs jsonb)
     join components a on a.client_id = $1 and a.repository_id = $2 and a.name = p.name and a.version = p.version
     cross join lateral jsonb_array_elements_text(p.needs) need
     join components b on b.client_id = $1 and b.repository_id = $2 and b.name = need and b.ecosystem = 'npm'`,
    [clientId, id, JSON.stringify(PARTS)],
  );
  return id;
};

/** Findings of one package: same and other versions, open and closed, of another ecosystem too. */
const addFindings = async (clientId: string, repositoryId: string): Promise<void> => {
  await server.scene.owner.query(
    `with definition as (
       insert into finding_definitions (client_id, digest, tool, rule_id, title, cve, component, component_version, fixed_version, ecosystem)
       select $1, md5($2::uuid::text || s.cve)::uuid, 'grype', s.cve, s.cve || ' in a package', s.cve, s.component, s.version, '9', s.ecosystem
       from (values ('CVE-1', 'express', '4.17.1', 'npm'), ('CVE-2', 'EXPRESS', '4.18.0', null), ('CVE-3', 'debug', '1.0.0', 'pypi'),
         ('CVE-4', 'express', '4.17.1', 'npm')) s (cve, component, version, ecosystem)
       returning id, cve
     )
     insert into findings (client_id, id, repository_id, scope_id, definition_id, identity, severity, severity_numerical, priority, tool, type,
       category, status, first_scan_id, date, first_seen)
     select $1, new_id(), $2, (select min(id) from scan_scopes where client_id = $1 and repository_id = $2), id, md5(cve || $2::uuid::text)::uuid,
       case cve when 'CVE-2' then 4 else 3 end, 70, case cve when 'CVE-2' then 90 else 70 end, 'grype', 'SCA', 'Vulnerable dependency',
       case cve when 'CVE-4' then 'mitigated' else 'enriched' end, $2, now(), now()
     from definition`,
    [clientId, repositoryId],
  );
};

beforeAll(async () => {
  server = await startTestServer();
  other = await createUsers(server.scene.database, 'Other');
  const { clientId } = server.users;
  shared = await fill(clientId, null);
  owned = await fill(clientId, server.users.developer.id);
  await fill(other.clientId, null);
  await addFindings(clientId, shared);
});
afterAll(() => server.close());

const list = async (query: string, as: 'admin' | 'developer' = 'admin') =>
  (await server.call('GET', `/sbom-findings?${query}`, { as })).body;
const names = (body: { data: { attributes: { name: string } }[] }) => body.data.map((row) => row.attributes.name);

test('findings are matched by name in any case, and by ecosystem where both say one', async () => {
  const body = await list('search=express&sort_field=findings&sort=desc');
  expect(
    body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
      attributes['repository'],
      attributes['findings'],
      attributes['worst_severity'],
      attributes['other_findings'],
    ]),
  ).toEqual([
    // the critical one is reported for another version
    ['shared', 1, 'high', 1],
    ['owned', 0, null, 0],
  ]);
  const debug = await list('search=debug&filters[vulnerable]=only');
  expect(debug.data.map(({ attributes }: { attributes: Record<string, unknown> }) => attributes['ecosystem'])).toEqual([
    'pypi',
  ]);
  expect((await list('filters[vulnerable]=only')).meta.pagination.total).toBe(2);
  expect((await list('filters[vulnerable]=hide')).meta.pagination.total).toBe(PARTS.length * 2 - 2);
});

test('a component shows its open findings, those of other versions marked, and its neighbours', async () => {
  const { data } = await list('search=express&sort_field=findings&sort=desc');
  const { body } = await server.call('GET', `/sbom-findings/${data[0]._id}`, { as: 'admin' });
  const { attributes } = body.data;
  expect(
    attributes.component_findings.map((of: Record<string, unknown>) => [of['cve'], of['severity'], of['same_version']]),
  ).toEqual([
    ['CVE-2', 'critical', false],
    ['CVE-1', 'high', true],
  ]);
  expect(attributes.depends_on.map((of: { name: string }) => of.name)).toEqual(['debug', 'qs']);
  const qs = attributes.depends_on.find((of: { name: string }) => of.name === 'qs');
  const below = await server.call('GET', `/sbom-findings/${qs._id}`, { as: 'admin' });
  expect(below.body.data.attributes.used_by.map((of: { name: string }) => of.name)).toEqual(['debug', 'Express']);
});

test.each(['name', 'findings', 'last_seen'])(
  'all pages together hold every component once, by %s, both ways',
  async (field) => {
    for (const sort of ['asc', 'desc']) {
      const seen: string[] = [];
      for (let page = 1; page <= 7; page += 1) {
        const body = await list(`sort_field=${field}&sort=${sort}&pagination[page]=${page}&pagination[pageSize]=40`);
        seen.push(...body.data.map((row: { _id: string }) => row._id));
        expect(body.meta.pagination).toMatchObject({ total: PARTS.length * 2, pageCount: 7 });
      }
      expect([seen.length, new Set(seen).size]).toEqual([PARTS.length * 2, PARTS.length * 2]);
    }
  },
);

test('what people type is only text', async () => {
  expect(names(await list(`search=${encodeURIComponent('100%_ODD\\')}`))).toHaveLength(2);
  for (const search of ['%', '_', '\\']) {
    expect(new Set(names(await list(`search=${encodeURIComponent(search)}`)))).toEqual(new Set(['100%_odd\\name']));
  }
  for (const hostile of ["'", '\0', '";--', '漏洞', '\u{1f600}', '{', 'x'.repeat(200)]) {
    const answer = await server.call('GET', `/sbom-findings?search=part-00${encodeURIComponent(hostile)}`, {
      as: 'admin',
    });
    expect(answer.status).toBe(hostile.length > 190 ? 422 : 200);
    const filtered = await server.call('GET', `/sbom-findings?filters[license]=${encodeURIComponent(hostile)}`, {
      as: 'admin',
    });
    expect([filtered.status, filtered.body.meta.pagination.total]).toEqual([200, 0]);
  }
  expect((await server.call('GET', '/sbom-findings?filters[secret]=x', { as: 'admin' })).status).toBe(422);
});

test('filters by ecosystem, licence and repository', async () => {
  expect((await list('filters[ecosystem]=pypi')).meta.pagination.total).toBe(2);
  expect((await list('filters[license]=MIT')).meta.pagination.total).toBe(4);
  expect((await list(`filters[repository]=${owned}`)).meta.pagination.total).toBe(PARTS.length);
  await server.call('PUT', `/repositories/${owned}`, { as: 'admin', body: { tags: ['web, public'] } });
  expect((await list(`filters[repository_tag][]=${encodeURIComponent('web, public')}`)).meta.pagination.total).toBe(
    PARTS.length,
  );
  expect((await list('filters[repository_tag]=absent')).meta.pagination.total).toBe(0);
});

test('facets count per class, licence and ecosystem, each without its own filter', async () => {
  const facets = async (query: string, as: 'admin' | 'developer' = 'admin') =>
    (await server.call('GET', `/filter/sbom-findings?${query}`, { as })).body.data;
  const all = await facets('');
  expect(all.license_class.filter((row: { count: number }) => row.count > 0)).toEqual([
    { value: 'permissive', count: 6 },
    { value: 'unknown', count: (PARTS.length - 3) * 2 },
  ]);
  expect(all.license).toEqual([
    { value: 'MIT', count: 4 },
    { value: 'BSD-3-Clause', count: 2 },
  ]);
  expect(all.repository.map((row: { label: string; count: number }) => [row.label, row.count])).toEqual([
    ['owned', PARTS.length],
    ['shared', PARTS.length],
  ]);
  const filtered = await facets('filters[license_class]=permissive&filters[license]=MIT');
  expect(filtered.license_class[0]).toEqual({ value: 'permissive', count: 4 });
  expect(filtered.license).toEqual(all.license);
  expect(filtered.ecosystem).toEqual([{ value: 'npm', count: 4 }]);
  expect((await facets('', 'developer')).license[0]).toEqual({ value: 'MIT', count: 2 });
  expect((await list('filters[license_class]=permissive')).meta.pagination.total).toBe(6);
  expect(
    (await list('filters[license_class]=permissive,weak_copyleft&filters[vulnerable]=only')).meta.pagination.total,
  ).toBe(1);
  expect((await facets('filters[vulnerable]=only')).license).toEqual([{ value: 'MIT', count: 1 }]);
});

test('a component shows how it comes in, where else it is used, and what to upgrade to', async () => {
  const find = async (search: string, repository: string) => {
    const { data } = await list(`search=${search}&filters[repository]=${repository}`);
    return (await server.call('GET', `/sbom-findings/${data[0]._id}`, { as: 'admin' })).body.data.attributes;
  };
  const words = (paths: { name: string }[][]) => paths.map((path) => path.map((step) => step.name).join(' > '));
  const qs = await find('qs', shared);
  expect(words(qs.dependency_paths.paths)).toEqual(['Express > qs', 'Express > debug > qs']);
  expect(qs.dependency_paths.is_cut).toBe(false);
  expect(qs.used_in).toMatchObject([{ repository: 'owned', version: '6.7.0', same_version: true }]);
  expect(qs.upgrade).toEqual({ version: null, covers: 0, unfixed: 0, incomparable: 0, is_major: false });
  const express = await find('express', shared);
  expect(express.dependency_paths.paths).toEqual([]);
  expect(express.upgrade).toEqual({ version: '9', covers: 2, unfixed: 0, incomparable: 0, is_major: true });
});

test('paths end at what the application names itself and survive circles', async () => {
  const { owner } = server.scene;
  const { clientId } = server.users;
  const made = await owner.query<{ id: string }>(
    `insert into repositories (client_id, nickname, source_control) values ($1, 'circle', 'git') returning id`,
    [clientId],
  );
  const repository = made.rows[0]?.id ?? '';
  await owner.query(
    `with scope as (insert into scan_scopes (client_id, repository_id, tool) values ($1, $2, 'cyclonedx') returning id),
     made as (
       insert into components (client_id, repository_id, scope_id, digest, name, version, direct, first_seen, last_seen)
       select $1, $2, scope.id, md5('circle' || p.name)::uuid, p.name, '1', p.direct, now(), now()
       from scope, (values ('ring-a', true), ('ring-b', false), ('ring-c', false)) p (name, direct) returning id, name
     )
     insert into component_edges (client_id, from_id, to_id)
     select $1, a.id, b.id from made a join made b on (a.name, b.name) in
       (('ring-a', 'ring-b'), ('ring-b', 'ring-c'), ('ring-c', 'ring-b'), ('ring-c', 'ring-a'))`,
    [clientId, repository],
  );
  const { data } = await list(`search=ring&filters[repository]=${repository}`);
  const paths = [];
  for (const { _id } of data) {
    const { body } = await server.call('GET', `/sbom-findings/${_id}`, { as: 'admin' });
    paths.push(
      body.data.attributes.dependency_paths.paths.map((path: { name: string }[]) => path.map((step) => step.name)),
    );
  }
  expect(paths).toEqual([[['ring-a']], [['ring-a', 'ring-b']], [['ring-a', 'ring-b', 'ring-c']]]);
  expect((await server.call('DELETE', `/repositories/${repository}`, { as: 'admin' })).status).toBe(200);
});

test('a developer sees the inventory of what they own; another organisation nothing', async () => {
  expect((await list('', 'developer')).meta.pagination.total).toBe(PARTS.length);
  const { data } = await list('search=express&sort_field=findings&sort=desc');
  const id = data[0]._id;
  for (const as of ['developer' as const, { token: other.admin.token }]) {
    const answer = await server.call('GET', `/sbom-findings/${id}`, { as });
    expect([answer.status, answer.body.code]).toEqual([404, 'component_not_found']);
  }
});

test('a removed repository takes its counts and their history along', async () => {
  const { clientId } = server.users;
  const made = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'doomed', url: '' }] },
  });
  const id = made.body.data[0]._id;
  await server.scene.owner.query(`insert into scan_scopes (client_id, repository_id, tool) values ($1, $2, 'x')`, [
    clientId,
    id,
  ]);
  await addFindings(clientId, id);
  expect((await server.call('DELETE', `/repositories/${id}`, { as: 'admin' })).status).toBe(200);
  const left = await server.scene.owner.query(
    `select (select count(*) from aggregate_sources where client_id = $1 and repository_id = $2)
       + (select count(*) from aggregate_changes d where client_id = $1 and not exists (select from aggregate_sources c where c.client_id = $1 and c.source = d.source))
       + (select count(*) from aggregate_definitions d where client_id = $1 and not exists (select from aggregate_cells c where c.client_id = $1 and c.cell = d.cell)) as rows`,
    [clientId, id],
  );
  expect(Number(left.rows[0].rows)).toBe(0);
  expect((await list('filters[vulnerable]=only')).meta.pagination.total).toBe(2);
});

test('a component says how the code uses it and the newest version that is named, of what its reader may open alone', async () => {
  const { clientId } = server.users;
  const { owner } = server.scene;
  await owner.query(
    `insert into package_imports (client_id, repository_id, ecosystem, commit, imports, declared, aliases, is_dynamic, is_complete)
     values ($1, $2, 'npm', 'c0ffee', $3, array['express', 'debug'], '{}', false, true)`,
    [clientId, owned, JSON.stringify([{ name: 'Express', path: 'src/app.js', line: 4, files: 2 }])],
  );
  await owner.query(
    `update components set version = '3.0.0' where client_id = $1 and repository_id = $2 and name = 'debug' and ecosystem = 'npm'`,
    [clientId, shared],
  );
  const detail = async (search: string, as: 'admin' | 'developer') => {
    const { data } = await list(`search=${search}&filters[repository]=${owned}&filters[ecosystem]=npm`, as);
    return (await server.call('GET', `/sbom-findings/${data[0]._id}`, { as })).body.data.attributes;
  };
  expect(await detail('express', 'admin')).toMatchObject({
    package_use: 'imported',
    package_imported_by: { path: 'src/app.js', line: 4, files: 2 },
  });
  expect(await detail('qs', 'admin')).toMatchObject({ package_use: 'transitive', package_imported_by: null });
  const debug = await detail('debug', 'admin');
  expect(debug).toMatchObject({
    package_use: 'not_imported',
    newest_known: { version: '3.0.0', repository: 'shared' },
  });
  // the other application is not the developer's
  expect((await detail('debug', 'developer')).newest_known).toBeNull();
});
