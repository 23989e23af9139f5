import { afterEach, beforeEach, expect, test } from 'vitest';
import { enqueueDueJobs } from '../../../platform/server/jobs/job-state.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, dependency, openReportTools, report } from '../../../testing/line-report.ts';
import { findRollupDifferences } from '../../../testing/snapshot.ts';
import { applyRepository, rescoreRepository } from './rescore-repository.ts';

let scene: ImportScene;
const enqueued: object[] = [];
const jobs = {
  enqueue: async (_db: unknown, _job: unknown, data: object) => {
    enqueued.push(data);
    return 'id';
  },
};
beforeEach(async () => {
  scene = await createImportScene(await openReportTools());
  enqueued.length = 0;
});
afterEach(() => scene.test.drop());

const SET = `update repositories set exposure = 'internet', data_class = 'sensitive' where id = $1`;
const set = (repositoryId: string) =>
  scene.test.database.forClient(scene.clientId, async (db) => {
    await scene.rows(SET, [repositoryId]);
    await rescoreRepository(db, jobs, { clientId: scene.clientId, repositoryId });
  });
const run = (repositoryId: string) =>
  applyRepository.run(
    { database: scene.test.database },
    { id: 'x', data: { clientId: scene.clientId, repositoryId }, attempt: 1, signal: new AbortController().signal },
  );
const scores = (repositoryId: string) =>
  scene.rows<{ priority: number; priority_parts: { key: string; points: number }[] }>(
    `select s.rule_id, s.component, f.priority, d.priority_parts, b.name as branch from findings f
     join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
     join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
     left join repository_branches b on b.client_id = f.client_id and b.id = f.repository_id
     where coalesce(b.repository_id, f.repository_id) = $1 order by branch, s.rule_id, s.component`,
    [repositoryId],
  );
const asked = () =>
  scene.rows<{ key: string }>(`select key from job_state where job = 'prioritisation.rescore-repository'`);

const TEXT = report(
  dependency('CVE-2026-0001', 'a', '1', { cvssScore: 9.8 }),
  code('r', 'a.js', 1, 'x'),
  code('s', 'b.js', 2, 'y', { severity: 'low', cwe: [] }),
);

test('findings of the repository and its branches get the scores of a fresh import; those of others stay', async () => {
  const [changed, other, fresh] = [
    scene.repositoryId,
    await scene.addRepository('other'),
    await scene.addRepository('fresh'),
  ];
  await scene.rows(SET, [fresh]);
  for (const id of [changed, other, fresh]) {
    await scene.import('scanner', TEXT, id);
    await scene.import('scanner', TEXT, id, 'feature');
  }
  const before = await scores(other);
  await set(changed);
  expect(enqueued).toEqual([{ clientId: scene.clientId, repositoryId: changed }]);
  // both at once take turns
  await Promise.all([run(changed), run(changed)]);
  expect(await scores(changed)).toEqual(await scores(fresh));
  expect(await scores(changed)).not.toEqual(before);
  expect(await scores(other)).toEqual(before);
  const events = await scene.rows<{ reason: string; n: number }>(
    `select reason, count(*)::integer as n from finding_events where kind = 'priority' group by 1`,
  );
  expect(events).toEqual([{ reason: 'Exposure or data of the repository changed', n: 6 }]);
  expect(await asked()).toEqual([]);
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('an import that began before the change is gone through again', async () => {
  await scene.rows(`create function newer() returns trigger language plpgsql security definer as $$ begin
      update repositories set exposure = 'internet', data_class = 'sensitive'; return null; end $$`);
  await scene.rows('create trigger newer after insert on findings for each statement execute function newer()');
  await scene.import('scanner', TEXT);
  expect(await asked()).toEqual([{ key: scene.repositoryId }]);
  expect(await enqueueDueJobs({ database: scene.test.database, jobs }, [applyRepository])).toBe(1);
  expect(enqueued).toEqual([{ clientId: scene.clientId, repositoryId: scene.repositoryId }]);
  const stale = await scores(scene.repositoryId);
  await run(scene.repositoryId);
  const now = await scores(scene.repositoryId);
  expect(now).not.toEqual(stale);
  expect(now[0]?.priority_parts.find(({ key }) => key === 'data')?.points).toBe(5);
  expect(await asked()).toEqual([]);
});

test('of a repository that is gone nothing is left to do', async () => {
  await set(scene.repositoryId);
  await scene.rows('delete from repositories where id = $1', [scene.repositoryId]);
  await run(scene.repositoryId);
  expect(await asked()).toEqual([]);
});
