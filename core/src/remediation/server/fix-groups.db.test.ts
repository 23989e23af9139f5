import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENGLISH } from '../../platform/model/translator.ts';
import { insertRandomFindings } from '../../testing/random-findings.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const { owner, database } = server.scene;
  for (const { clientId, developer } of [server.users, await createUsers(database, 'Other')]) {
    await insertRandomFindings(owner, { clientId, users: [developer.id], count: 300, start: 1 });
  }
  // three packages, each with advisories of two fixed versions; every fifth definition is a rule without a fix
  await owner.query(
    `update finding_definitions set ecosystem = 'npm', component_version = '1.0.0', purl = null,
       component = case when id % 5 = 0 then null else 'left-pad-' || id % 3 end,
       fixed_version = case when id % 2 = 0 then '1.2.0' else '1.4.0' end`,
  );
});
afterAll(() => server.close());

type As = 'admin' | 'developer';
const get = (path: string, as: As = 'admin') => server.call('GET', path, { as });
const FILTERS = 'filters[status]=enriched&filters[status]=reopened&filters[is_duplicate]=hide';

interface Group {
  _id: string;
  attributes: { count: number; highest_priority: number; severities: Record<string, number>; repositories: number };
}
interface Row {
  _id: string;
  attributes: { priority: number; repository_id: string };
}

/** All pages, one row at a time where `limit` says so. */
const pages = async <T>(path: string, limit: number, as: As = 'admin'): Promise<T[]> => {
  const all: T[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const answer = await get(`${path}&limit=${limit}${after === '' ? '' : `&after=${after}`}`, as);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    all.push(...answer.body.data);
    after = answer.body.meta.next;
  }
  return all;
};
const keyOf = (key: string): string => encodeURIComponent(key);

test.each(['admin', 'developer'] as const)('groups of %s hold what the list holds, each finding once', async (as) => {
  const { body } = await get(`/fixes?${FILTERS}`, as);
  const groups: Group[] = body.data;
  expect(groups.length).toBeGreaterThan(0);
  const list = await get(`/findings?${FILTERS}&pagination[pageSize]=1`, as);
  expect(body.meta.grouped + body.meta.ungrouped).toBe(list.body.meta.pagination.total);
  expect(body.meta.total).toBe(groups.length);
  const seen = new Set<string>();
  for (const { _id, attributes } of groups) {
    const rows = await pages<Row>(`/fixes/findings?key=${keyOf(_id)}&${FILTERS}`, 7, as);
    expect(rows).toHaveLength(attributes.count);
    expect(Object.values(attributes.severities).reduce((sum, count) => sum + count, 0)).toBe(attributes.count);
    expect(new Set(rows.map((row) => row.attributes.repository_id)).size).toBe(attributes.repositories);
    const priorities = rows.map((row) => row.attributes.priority);
    expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
    expect(priorities[0]).toBe(attributes.highest_priority);
    for (const row of rows) {
      expect(seen.has(row._id)).toBe(false);
      seen.add(row._id);
    }
  }
  expect(seen.size).toBe(body.meta.grouped);
});

test('the fix of a finding is the group of its repository that has it; others have none', async () => {
  const { body } = await get(`/fixes?${FILTERS}`);
  const [group]: Group[] = body.data;
  const rows = await pages<Row>(`/fixes/findings?key=${keyOf(group?._id ?? '')}&${FILTERS}`, 50);
  const [first] = rows;
  const repository = first?.attributes.repository_id ?? '';
  const own = await get(`/fixes?${FILTERS}&filters[repository]=${repository}`);
  const expected = own.body.data.find((one: Group) => one._id === group?._id);
  const { data } = (await get(`/findings/${first?._id}/fix?${FILTERS}`)).body;
  expect(data).toEqual({
    ...{ kind: 'upgrade', label: expected.attributes.label, said: expected.attributes.said },
    closes: expected.attributes.count,
  });
  expect(ENGLISH.say(data.said)).toBe(data.label);
  expect(data.closes).toBe(rows.filter((row) => row.attributes.repository_id === repository).length);
  const { rows: without } = await server.scene.owner.query<{ id: string }>(
    `select f.id from findings f join finding_definitions x on x.id = f.definition_id and x.client_id = f.client_id
     where x.component is null and f.client_id = $1 limit 1`,
    [server.users.clientId],
  );
  expect((await get(`/findings/${without[0]?.id}/fix`)).body.data).toBeNull();
  expect((await get('/findings/0191c2e0-7b1a-7000-8000-00000000ffff/fix')).status).toBe(404);
});

test('pages hold every group once, highest priority first', async () => {
  const whole: Group[] = (await get(`/fixes?${FILTERS}`)).body.data;
  expect(await pages<Group>(`/fixes?${FILTERS}`, 1)).toEqual(whole);
  const priorities = whole.map(({ attributes }) => attributes.highest_priority);
  expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
});

test('filters and free text narrow the groups', async () => {
  const { body } = await get(`/fixes?${FILTERS}&filters[severity]=critical`);
  for (const { attributes } of body.data) expect(attributes.severities.critical).toBe(attributes.count);
  expect((await get(`/fixes?${FILTERS}&search=nothing-has-this-name`)).body).toEqual({
    data: [],
    meta: { total: 0, grouped: 0, ungrouped: 0, next: null },
  });
});

test('what is no page and no fix is refused', async () => {
  const forged = Buffer.from('{"best":"1; drop table findings","count":1,"key":"a"}').toString('base64url');
  for (const after of ['x', forged, '%00']) expect((await get(`/fixes?after=${after}`)).status).toBe(422);
  const [group] = (await get('/fixes')).body.data;
  expect((await get(`/fixes/findings?key=${keyOf(group._id)}&after=${forged}`)).status).toBe(422);
  expect((await get('/fixes/findings?key=npm:unknown@1')).status).toBe(404);
  expect((await get('/fixes?limit=101')).status).toBe(422);
});
