import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matching } from '../../../testing/known-findings.ts';
import { insertRandomFindings, type KnownFinding } from '../../../testing/random-findings.ts';
import type { FindingFilters } from '../../model/filter-catalogue.ts';
import { runBulkJob } from './run-bulk-job.ts';

let server: TestServer;
let known: Awaited<ReturnType<typeof insertRandomFindings>>;
let theirs: Awaited<ReturnType<typeof insertRandomFindings>>;

beforeAll(async () => {
  server = await startTestServer();
  const { owner, database } = server.scene;
  const { clientId, cyberoper } = server.users;
  known = await insertRandomFindings(owner, { clientId, users: [cyberoper.id], count: 2500, start: 21 });
  const others = await createUsers(database, 'Theirs');
  theirs = await insertRandomFindings(owner, {
    ...{ clientId: others.clientId, users: [others.cyberoper.id], count: 20, start: 22 },
  });
});
afterAll(() => server.close());

const change = (body: object) => server.call('PUT', '/findings/bulk', { as: 'cyberoper', body });
const tagged = async (tag: string): Promise<string[]> =>
  (
    await server.scene.owner.query<{ id: string }>('select id from findings where tags @> array[$1] order by id', [tag])
  ).rows.map(({ id }) => id);
const found = (filters: FindingFilters, search = ''): KnownFinding[] =>
  matching(known, {
    viewer: { clientId: server.users.clientId, userId: server.users.cyberoper.id, seesAll: true },
    filters,
    search,
  });

const bySize = (filtersOf: (finding: KnownFinding) => FindingFilters): FindingFilters[] => {
  const all = new Map(known.findings.map((finding) => [JSON.stringify(filtersOf(finding)), filtersOf(finding)]));
  return [...all.values()].toSorted((a, b) => found(b).length - found(a).length);
};

test('groups are decided about together: what each finds, but what was put back, and findings besides, each once', async () => {
  const [one, two, three] = bySize(({ path }) => (path === null ? {} : { file: [path] })).slice(2, 5);
  if (one === undefined || two === undefined || three === undefined) throw new Error('There are too few files');
  const kept = found(one)[0]?.id ?? '';
  const single = found(three)[0]?.id ?? '';
  const stranger = theirs.findings[0]?.id ?? '';
  const groups = [{ filters: one, search: '', except: [kept] }, { filters: two }];
  const answer = await change({ groups, ids: [single, found(two)[0]?.id, stranger], change: { tags: ['a'] } });
  const expected = [
    ...found(one)
      .map(({ id }) => id)
      .filter((id) => id !== kept),
    ...found(two).map(({ id }) => id),
  ];
  expect(answer.status).toBe(200);
  expect(answer.body.data.done).toBe(expected.length + 1);
  expect(await tagged('a')).toEqual([...expected, single].toSorted());
});

test('more than a thousand are one job, which finds the same', async () => {
  const largest: FindingFilters = { severity: ['critical', 'high', 'medium'] };
  const second: FindingFilters = { severity: ['low', 'informational'] };
  const all = [...found(largest), ...found(second)].map(({ id }) => id);
  const except = all.slice(0, 3);
  const groups = [{ filters: largest, except }, { filters: second }];
  const answer = await change({ groups, change: { tags: ['b'] } });
  if (all.length - 3 <= 1000) throw new Error(`These are ${all.length}: not enough for a job`);
  expect(answer.status).toBe(202);
  await runBulkJob(server.scene.database, {
    ...{ id: '', attempt: 1, signal: new AbortController().signal },
    data: { clientId: server.users.clientId, jobId: answer.body.data.job_id },
  });
  expect(await tagged('b')).toEqual(all.slice(3).toSorted());
});

test('findings are meant in one way', async () => {
  const groups = [{ filters: { severity: ['high'] } }];
  for (const body of [{ groups, filters: {} }, { groups, search: 'x' }, {}, { groups: [] }]) {
    expect((await change({ ...body, change: { tags: ['c'] } })).status).toBe(422);
  }
  expect(await tagged('c')).toEqual([]);
});
