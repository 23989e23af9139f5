import { createTestDatabase, type TestDatabase } from '@breakwater/tools/testing/database.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matching } from '../../../testing/known-findings.ts';
import { insertRandomFindings, type KnownFinding, type KnownRepository } from '../../../testing/random-findings.ts';
import { type FindingFilters, GROUP_KEYS, GROUP_SORTS, type GroupKey } from '../../model/filter-catalogue.ts';
import type { Viewer } from '../filter/viewer.ts';
import { findPage } from './find-page.ts';
import { type GroupsRequest, readGroups } from './groups.ts';

let scene: TestDatabase;
let users: TestUsers;
let known: { findings: KnownFinding[]; repositories: KnownRepository[] };

beforeAll(async () => {
  scene = await createTestDatabase();
  users = await createUsers(scene.database, 'Ours');
  const others = await createUsers(scene.database, 'Theirs');
  const people = [users.developer.id, users.cyberoper.id];
  known = await insertRandomFindings(scene.owner, { clientId: users.clientId, users: people, count: 400, start: 1 });
  await insertRandomFindings(scene.owner, {
    clientId: others.clientId,
    users: [others.developer.id],
    count: 50,
    start: 2,
  });
  // a rule is one tool's: its findings say the tool of their definition
  await scene.owner.query(`update findings set tool = 'x'`);
  for (const finding of known.findings) finding.tool = 'x';
});
afterAll(() => scene.drop());

const viewer = (role: 'admin' | 'developer'): Viewer => ({
  clientId: users.clientId,
  userId: users[role].id,
  seesAll: role === 'admin',
});

const keyOf = (finding: KnownFinding, by: GroupKey): string | null => {
  if (by === 'file') return finding.path;
  if (by === 'repository') return finding.repository_id;
  if (by === 'rule') return finding.definition.rule_id;
  return by === 'component'
    ? finding.definition.component
    : (finding.definition.cve ?? finding.definition.aliases[0] ?? null);
};

const read = (request: Partial<GroupsRequest> & { by: GroupKey }) =>
  scene.database.forClient(users.clientId, (db) =>
    readGroups(db, {
      viewer: viewer('admin'),
      filters: {},
      search: '',
      sort: 'count',
      direction: 'desc',
      offset: 0,
      limit: 200,
      ...request,
    }),
  );

const FILTERS: Record<string, FindingFilters> = {
  none: {},
  'states only': { status: ['enriched', 'reopened'], false_positive: 'hide', is_duplicate: 'hide' },
  kinds: { severity: ['high', 'critical'], type: ['SAST', 'SCA', 'IaC'] },
  definitions: { cwe: [79, 80, 200] },
  rows: { priority_gt: 40, tags: ['all'] },
  'file types': { excluded_file_types: ['go'] },
};

test.each(GROUP_KEYS.flatMap((by) => Object.keys(FILTERS).map((name) => [by, name] as const)))(
  'by %s under %s: each group counts, and lists, exactly its findings',
  async (by, name) => {
    const filters = FILTERS[name] ?? {};
    for (const role of ['admin', 'developer'] as const) {
      const request = { viewer: viewer(role), filters, search: '' };
      const expected = new Map<string, KnownFinding[]>();
      for (const finding of matching(known, request)) {
        const key = keyOf(finding, by);
        if (key !== null) expected.set(key, [...(expected.get(key) ?? []), finding]);
      }
      for (const sort of GROUP_SORTS) {
        const { items, total, grouped } = await read({ ...request, by, sort });
        expect(total).toBe(expected.size);
        expect(grouped).toBe([...expected.values()].reduce((sum, group) => sum + group.length, 0));
        expect(new Map(items.map(({ attributes: of }) => [of.key, of.count]))).toEqual(
          new Map([...expected].map(([key, group]) => [key, group.length])),
        );
        for (const { attributes } of items) {
          const group = expected.get(attributes.key) ?? [];
          expect(attributes).toMatchObject({
            highest_priority: Math.max(...group.map((finding) => finding.priority)),
            kev: group.some((finding) => finding.kev),
            repositories: new Set(group.map((finding) => finding.repository_id)).size,
          });
          for (const [severity, count] of Object.entries(attributes.severities)) {
            expect(count).toBe(group.filter((finding) => finding.severity === severity).length);
          }
        }
        const best = items.map(({ attributes: of }) => ({
          count: of.count,
          priority: of.highest_priority,
          name: of.key,
        }));
        if (sort === 'count' || sort === 'priority') {
          expect(best.map((of) => of[sort])).toEqual(best.map((of) => of[sort]).toSorted((a, b) => b - a));
        }
      }
      const { items } = await read({ ...request, by });
      for (const { attributes } of items.slice(0, 4)) {
        const page = await scene.database.forClient(users.clientId, (db) =>
          findPage(db, {
            ...request,
            filters: attributes.filters,
            sortField: 'priority',
            direction: 'desc',
            offset: 0,
            limit: 1,
          }),
        );
        expect([attributes.key, page.total]).toEqual([attributes.key, attributes.count]);
      }
    }
  },
);

test('pages follow each other without a gap, and one past the end is empty but knows the total', async () => {
  const all = await read({ by: 'rule' });
  const paged = [];
  for (let offset = 0; offset < all.total; offset += 5) {
    paged.push(...(await read({ by: 'rule', offset, limit: 5 })).items);
  }
  expect(paged).toEqual(all.items);
  for (const by of ['rule', 'repository'] as const) {
    const { total, grouped } = await read({ by });
    expect(await read({ by, offset: 1000 })).toEqual({ items: [], total, grouped });
  }
});

test('free text narrows groups as it narrows the list', async () => {
  const { grouped, total } = await read({ by: 'file', search: 'src/' });
  const found = matching(known, { viewer: viewer('admin'), filters: {}, search: 'src/' }).filter(
    ({ path }) => path !== null,
  );
  expect([grouped, total]).toEqual([found.length, new Set(found.map(({ path }) => path)).size]);
});
