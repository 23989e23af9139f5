import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { importRemovals } from '../../../ingest/server/index.ts';
import { removeRepository } from '../../../repositories/server/index.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, dependency, openReportTools, report } from '../../../testing/line-report.ts';
import { findRollupDifferences } from '../../../testing/snapshot.ts';
import type { FindingFilters } from '../../model/filter-catalogue.ts';
import { readFacets } from '../counts/read-facets.ts';
import { findPage } from './find-page.ts';

let scene: ImportScene;
let repositoryId: string;
let person: string;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
  const [user] = await scene.rows<{ id: string }>(
    `insert into users (client_id, email, username, password_hash, role) values ($1, 'a@b.example', 'ada', '', 'developer') returning id`,
    [scene.clientId],
  );
  person = user!.id;
});
afterAll(() => scene.test.drop());
beforeEach(async (context) => {
  repositoryId = await scene.addRepository(context.task.name);
});

interface Row {
  id: string;
  rule: string;
  line: number;
  status: string;
  verdict: string;
  reason: string | null;
  notes: string | null;
  owner: string | null;
  expires: Date | null;
  duplicate_of: string | null;
}
/** Findings of one branch; of the default one where none is named. */
const rows = (branch?: string): Promise<Row[]> =>
  scene.rows<Row>(
    `select f.id, s.rule_id as rule, l.start_line as line, f.status, f.verdict, d.verdict_reason as reason, d.notes, f.issue_owner as owner,
       f.verdict_expires_at as expires, f.duplicate_of
     from findings f join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
     join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
     left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
     left join repository_branches b on b.client_id = f.client_id and b.id = f.repository_id
     where coalesce(b.repository_id, f.repository_id) = $1 and b.name is not distinct from $2 order by l.start_line, f.id`,
    [repositoryId, branch ?? null],
  );
const upload = (text: string, branch?: string, tool = 'scanner') => scene.import(tool, text, repositoryId, branch);
const decide = async (id: string, verdict: string, more = 'null'): Promise<void> => {
  await scene.rows(
    `with f as (update findings set verdict = $2, verdict_expires_at = ${more} where id = $1),
       d as (update finding_details set verdict_reason = 'Seen by me', notes = 'A note' where finding_id = $1)
     insert into finding_events (client_id, finding_id, kind, actor, from_value, to_value) values ($3, $1, 'verdict', $4, 'none', $2)`,
    [id, verdict, scene.clientId, person],
  );
};
const list = (filters: FindingFilters, viewer = { seesAll: true, userId: person }) =>
  scene.test.database.forClient(scene.clientId, async (db) => {
    const request = { viewer: { clientId: scene.clientId, ...viewer }, filters, search: '' };
    const page = await findPage(db, { ...request, sortField: 'priority', direction: 'desc', offset: 0, limit: 100 });
    return { ...page, facets: await readFacets(db, request, ['repository', 'branch', 'verdict', 'severity']) };
  });

const A = code('sql', 'a.js', 10, 'query(x)');
const B = code('xss', 'b.js', 20, 'html(x)');
const C = code('path', 'c.js', 30, 'open(x)');

test('a branch neither closes nor opens what another has, and lists are of the default one', async () => {
  await upload(report(A, B));
  const counts = await upload(report(A, C), 'feature/x');
  expect(counts).toMatchObject({ new: 2, closed: 0, unchanged: 0 });
  expect((await rows()).map((row) => [row.rule, row.status])).toEqual([
    ['sql', 'enriched'],
    ['xss', 'enriched'],
  ]);
  expect(await upload(report(C), 'feature/x')).toMatchObject({ new: 0, closed: 1 });
  expect(await upload(report(A, B), 'main'), 'the default branch by its name').toMatchObject({ new: 0, unchanged: 2 });
  expect((await rows('feature/x')).map((row) => [row.rule, row.status])).toEqual([
    ['sql', 'mitigated'],
    ['path', 'enriched'],
  ]);

  const of = (branch: string[] | undefined, more: FindingFilters = {}) =>
    list({ repository: [repositoryId], ...(branch === undefined ? {} : { branch }), ...more });
  const shown = await of(undefined);
  const ids = async (branch?: string) => (await rows(branch)).map((row) => row.id).sort();
  expect([...shown.ids].sort()).toEqual(await ids());
  expect(shown.facets['severity']).toEqual([{ value: 'high', label: 'High', count: 2 }]);
  expect(shown.facets['branch']).toEqual([
    { value: 'feature/x', label: 'feature/x', count: 2 },
    { value: 'main', label: 'main', count: 2 },
  ]);
  const branch = await of(['feature/x']);
  expect([...branch.ids].sort()).toEqual(await ids('feature/x'));
  expect(branch.facets['repository']).toEqual([{ value: repositoryId, label: expect.any(String), count: 2 }]);
  expect((await of(['main'])).ids.sort()).toEqual(await ids());
  expect((await of(['main', 'feature/x'])).total).toBe(4);
  expect((await of(['feature/y', "'; --\0"])).total).toBe(0);
  expect((await of(['feature/x'], { status: ['mitigated'] })).total).toBe(1);
  expect((await list({})).ids.every((id) => !branch.ids.includes(id))).toBe(true);

  const mine = { seesAll: false, userId: person };
  expect((await list({ branch: ['feature/x'], repository: [repositoryId] }, mine)).total).toBe(0);
  await scene.rows('update repositories set owner = $2 where id = $1', [repositoryId, person]);
  expect((await list({ branch: ['feature/x'], repository: [repositoryId] }, mine)).total).toBe(2);
  expect((await list({ repository: [repositoryId] }, mine)).total).toBe(2);
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('a verdict goes along: from a branch to the default one, from there to the next', async () => {
  await upload(report(B));
  await upload(report(A, B), 'feature/x');
  const [found] = await rows('feature/x');
  await decide(found!.id, 'false_positive');
  await scene.rows('update findings set issue_owner = $2 where id = $1', [found!.id, person]);
  expect(await upload(report(A, B))).toMatchObject({ new: 1, unchanged: 1 });
  const [merged] = await rows();
  expect(merged).toMatchObject({
    rule: 'sql',
    verdict: 'false_positive',
    reason: 'Seen by me',
    notes: 'A note',
    owner: person,
  });
  const history = await scene.rows(
    'select actor, from_value, to_value, reason from finding_events where finding_id = $1',
    [merged!.id],
  );
  expect(history).toEqual([
    {
      actor: person,
      from_value: 'none',
      to_value: 'false_positive',
      reason: 'Taken over from branch feature/x: Seen by me',
    },
  ]);
  // the branch is opened again, the default one is undecided: what was decided on the default branch goes first
  await decide(merged!.id, 'accepted_risk', `now() + interval '1 day'`);
  await upload(report(A, B), 'feature/y');
  const [next] = await rows('feature/y');
  expect(next).toMatchObject({ verdict: 'accepted_risk', reason: 'Seen by me' });
  expect(next!.expires).not.toBeNull();
  expect((await rows('feature/y'))[1]).toMatchObject({ rule: 'xss', verdict: 'none' });
  expect(await upload(report(A, B), 'feature/y'), 'again').toMatchObject({ new: 0, unchanged: 2 });
  expect((await rows('feature/y'))[0]).toMatchObject({ verdict: 'accepted_risk' });
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('an expired acceptance, a duplicate and what a report suppresses stay where they are', async () => {
  await upload(report(A, B, { ...C, suppressed: { verdict: 'false_positive' } }), 'feature/x');
  const [a, b, c] = await rows('feature/x');
  expect(c!.verdict).toBe('false_positive');
  await decide(a!.id, 'accepted_risk', `now() - interval '1 hour'`);
  await decide(b!.id, 'duplicate');
  await upload(report(A, B, C));
  expect((await rows()).map((row) => [row.verdict, row.reason])).toEqual([
    ['none', null],
    ['none', null],
    ['none', null],
  ]);
});

test('of equal results each takes its own verdict, whichever are left', async () => {
  const same = (line: number) => code('sql', 'a.js', line, 'query(x)');
  await upload(report(same(10), same(200), same(400)));
  const before = await rows();
  await decide(before[1]!.id, 'false_positive');
  await upload(report(same(200), same(400)), 'feature/x');
  expect((await rows('feature/x')).map((row) => [row.line, row.verdict])).toEqual([
    [200, 'false_positive'],
    [400, 'none'],
  ]);
  await upload(report(same(10), same(202)), 'feature/y');
  expect((await rows('feature/y')).map((row) => [row.line, row.verdict])).toEqual([
    [10, 'none'],
    [202, 'false_positive'],
  ]);
});

test('duplicates are told within one branch, the inventory is that of the default one', async () => {
  const component = { kind: 'component', ref: 'one', name: 'left-pad', version: '1.0.0', ecosystem: 'npm' } as const;
  await upload(report(dependency('CVE-2026-1', 'left-pad', '1.0.0'), component));
  const counts = await upload(report(dependency('CVE-2026-1', 'left-pad', '1.0.0')), 'feature/x', 'other');
  expect(counts).toMatchObject({ new: 1, duplicate: 0, components: 0 });
  await upload(report({ ...component, name: 'right-pad' }), 'feature/x');
  await upload(report(), 'feature/x');
  const names = await scene.rows('select name, removed_at from components where client_id = $1', [scene.clientId]);
  expect(names).toEqual([{ name: 'left-pad', removed_at: null }]);
  await upload(report(dependency('CVE-2026-1', 'left-pad', '1.0.0')), 'feature/x');
  expect((await rows('feature/x')).filter((row) => row.duplicate_of !== null)).toHaveLength(1);
  expect((await rows()).filter((row) => row.duplicate_of !== null)).toEqual([]);
});

test('an import of a branch is taken back alone, and a repository goes with its branches', async () => {
  await upload(report(A));
  await upload(report(A), 'feature/x');
  const last = await scene.store('scanner', report(B), repositoryId, 'feature/x');
  expect(await scene.run(last)).toMatchObject({ outcome: 'done' });
  const [undo] = await scene.rows<{ id: string }>(
    `insert into scans (client_id, repository_id, report_id, requested_tool, tool, scope_id, branch, undoes)
     select client_id, repository_id, (select report_id from scans where id < $1 and branch is not null and repository_id = $2 order by id desc limit 1),
       requested_tool, tool, scope_id, branch, id from scans where id = $1 returning id`,
    [last, repositoryId],
  );
  expect(await scene.run(undo!.id)).toMatchObject({ outcome: 'done' });
  expect((await rows('feature/x')).map((row) => [row.rule, row.status])).toEqual([['sql', 'enriched']]);
  expect((await rows()).map((row) => [row.rule, row.status])).toEqual([['sql', 'enriched']]);
  await scene.test.database.forClient(scene.clientId, async (db) => {
    await removeRepository(db, { clientId: scene.clientId, id: repositoryId, removals: importRemovals });
    const left =
      await sql`select 1 from findings where client_id = ${scene.clientId} and scope_id not in (select id from scan_scopes)`.execute(
        db,
      );
    expect(left.rows).toEqual([]);
  });
  expect(await scene.rows('select 1 from repository_branches where repository_id = $1', [repositoryId])).toEqual([]);
  expect(await findRollupDifferences(scene)).toEqual([]);
});
