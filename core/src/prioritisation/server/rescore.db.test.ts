import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { NormalizedFinding } from '@breakwater/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createUser } from '../../../../tools/testing/users.ts';
import { epssFile, kevFile } from '../../testing/feed-server.ts';
import { createImportScene, DEMO_REPORTS, type ImportScene, readDemo } from '../../testing/import-scene.ts';
import { code, dependency, openReportTools, report } from '../../testing/line-report.ts';
import { findRollupDifferences } from '../../testing/snapshot.ts';
import type { FeedSource } from '../model/feeds.ts';
import { enqueueRescores } from './feed-jobs.ts';
import { checkFeed, replaceFeed } from './feeds/replace-feed.ts';
import { rescoreClient } from './rescore.ts';
import { scoreStored } from './score-stored.ts';

const scenes: ImportScene[] = [];
let scene: ImportScene;
const open = async (tools?: Awaited<ReturnType<typeof openReportTools>>): Promise<ImportScene> => {
  const opened = await createImportScene(tools);
  scenes.push(opened);
  return opened;
};
beforeEach(async () => {
  scene = await open(await openReportTools());
});
afterEach(async () => {
  for (const one of scenes.splice(0)) await one.test.drop();
});

const use = async (where: ImportScene, source: FeedSource, bytes: Buffer | string): Promise<void> => {
  await replaceFeed(where.test.database, await checkFeed(source, Buffer.from(bytes)), { origin: 'file', name: 'x' });
};
const rescore = (where = scene) => rescoreClient(where.test.database, where.clientId, new AbortController().signal);

/** All that rests on public data. */
const scores = (where = scene) =>
  where.rows(
    `select s.tool, s.rule_id, s.component, s.component_version, p.path, l.start_line, f.kev, f.epss, f.priority, f.exploitability, f.impact,
       f.effort_for_fixing, d.priority_parts, s.epss as definition_epss, s.epss_percentile, s.epss_date, s.kev_added
     from findings f
     join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
     join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
     left join finding_files p on p.client_id = f.client_id and p.id = f.file_id
     left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
     order by s.tool, s.rule_id, s.component, s.component_version, p.path, l.start_line, f.ordinal`,
  );
const addUsers = async () => {
  const [admin, cyberoper] = await Promise.all(
    (['admin', 'cyberoper', 'developer'] as const).map((role) => createUser(scene.test.database, scene.clientId, role)),
  );
  if (admin === undefined || cyberoper === undefined) throw new Error('no users');
  return { admin, cyberoper };
};
const events = () =>
  scene.rows<{ text: string }>(
    `select kind || ' ' || from_value || '>' || to_value || ' ' || reason as text from finding_events order by id`,
  );

test('the sample application scored anew equals its import with the new data', async () => {
  const cves = ['CVE-2021-23337', 'CVE-2020-8203', 'CVE-2022-25883', 'CVE-2023-26136', 'CVE-2022-23529'];
  const epss = epssFile('2026-11-20', Object.fromEntries(cves.map((cve, index) => [cve, 0.2 * index + 0.1])));
  const kev = kevFile('2026-11-21', ['CVE-2020-8203', 'CVE-2022-23529']);
  const load = async (where: ImportScene) => {
    for (const [tool, name] of DEMO_REPORTS) await where.import(tool, await readDemo(name));
  };
  const [before, fresh] = [await open(), await open()];
  await load(before);
  const old = await scores(before);
  for (const where of [before, fresh]) {
    await use(where, 'epss', epss);
    await use(where, 'kev', kev);
  }
  await load(fresh);
  await rescore(before);
  expect(await scores(before)).not.toEqual(old);
  expect(await scores(before)).toEqual(await scores(fresh));
  expect(await findRollupDifferences(before)).toEqual([]);
});

const predicted = (epss: NormalizedFinding['epss']) => (epss === undefined ? {} : { epss });
const THREE = report(
  dependency('CVE-2026-0001', 'a', '1', predicted({ probability: 0.9, percentile: 0.9, date: '2026-11-25' })),
  dependency('CVE-2026-0002', 'b', '1', predicted({ probability: 0.9 })),
  dependency('GHSA-x', 'c', '1', { aliases: ['cve-2026-0003'] }),
  code('r', 'a.js', 1, 'x'),
);

test("scores, history and the choice between a report's own prediction and ours follow the data", async () => {
  await scene.import('scanner', THREE);
  const epss = async () =>
    (await scene.rows<{ epss: number | null }>('select epss from findings order by id')).map((row) => row.epss);
  expect(await epss()).toEqual([0.9, 0.9, null, null]);
  await use(
    scene,
    'epss',
    epssFile('2026-11-20', { 'CVE-2026-0001': 0.1, 'CVE-2026-0002': 0.2, 'CVE-2026-0003': 0.6 }),
  );
  await rescore();
  expect(await epss()).toEqual([0.9, 0.2, 0.6, null]);
  const texts = (await events()).map((row) => row.text);
  expect(texts.length).toBe(2);
  expect(texts[0]).toMatch(/^priority \d+>\d+ EPSS of 2026-11-20, KEV of 2026-07-23$/);
  await rescore();
  expect((await events()).length).toBe(2);
  await use(scene, 'epss', epssFile('2026-11-26', { 'CVE-2026-0001': 0.3 }));
  await rescore();
  expect(await epss()).toEqual([0.3, 0.9, null, null]);
  await use(scene, 'kev', kevFile('2026-11-26', ['CVE-2026-0003']));
  await rescore();
  const [known] = await scene.rows<object>(
    'select floor(priority) as priority, kev, exploitability from findings where kev',
  );
  expect(known).toMatchObject({ priority: 90, kev: true, exploitability: 95 });
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('a severity that a person set is scored anew without the CVSS of the report', async () => {
  await scene.import('scanner', report(dependency('CVE-2026-0009', 'a', '1', { cvssScore: 9.8 })));
  const [finding] = await scene.rows<{ id: string; priority: number }>('select id, priority from findings');
  if (finding === undefined) throw new Error('no finding');
  await scene.rows(
    'update findings set reported_severity = severity, reported_severity_numerical = severity_numerical, severity = 1',
  );
  await use(scene, 'epss', epssFile('2026-11-20', { 'CVE-2026-0009': 0.001 }));
  await rescore();
  const query = async (text: string, values: unknown[]) => (await scene.test.owner.query(text, values)).rows;
  const expected = await scoreStored(query, scene.clientId, [{ id: finding.id, severity: 'low', isOwn: true }]);
  const [after] = await scene.rows<{ priority: number }>('select priority from findings');
  expect(after?.priority).toBe(expected.get(finding.id)?.priority);
  expect(after?.priority).toBeLessThan(finding.priority);
});

test('newer data and the severity of a person count together with how the code uses a package', async () => {
  await scene.import('scanner', THREE);
  await scene.rows(`insert into package_uses (client_id, repository_id, definition_id, use)
    select client_id, repository_id, definition_id, 'not_imported' from findings`);
  await use(
    scene,
    'epss',
    epssFile('2026-11-24', { 'CVE-2026-0001': 0.1, 'CVE-2026-0002': 0.1, 'CVE-2026-0003': 0.1 }),
  );
  await rescore();
  const findings = await scene.rows<{ id: string; priority: number; reason: string }>(
    `select f.id, f.priority, p->>'reason' as reason
     from findings f join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
     cross join lateral jsonb_array_elements(d.priority_parts) p
     join finding_definitions x on x.client_id = f.client_id and x.id = f.definition_id and x.component is not null
     where p->>'key' = 'exploitability'`,
  );
  expect(findings.length).toBe(3);
  for (const { reason } of findings) expect(reason).toMatch(/; no source file imports \w+$/);
  const query = async (text: string, values: unknown[]) => (await scene.test.owner.query(text, values)).rows;
  const same = findings.map(({ id }) => ({ id, severity: 'high', isOwn: false }) as const);
  const stored = await scoreStored(query, scene.clientId, same);
  for (const { id, priority } of findings) expect(stored.get(id)?.priority).toBe(priority);
});

test('those who triage are notified once of open findings that a newer catalogue lists', async () => {
  const users = await addUsers();
  const notices = () =>
    scene.rows<{ user_id: string; title: string; link: string }>(
      `select user_id, title, link from notifications where notification_type = 'kev_match' order by id, user_id`,
    );
  await use(scene, 'kev', kevFile('2026-11-20', ['CVE-2026-0001']));
  await scene.import('scanner', THREE);
  await rescore();
  // the import itself tells of what is listed already
  expect(await notices()).toEqual([]);
  await use(scene, 'kev', kevFile('2026-11-21', ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003']));
  // a report that comes first knows the newer catalogue as well, and finds nothing new
  await scene.import('scanner', THREE);
  await rescore();
  const sent = await notices();
  expect(sent.map((row) => row.user_id).sort()).toEqual([users.admin.id, users.cyberoper.id].sort());
  expect(sent[0]).toMatchObject({
    title: '2 findings are now known to be exploited',
    link: '/findings/all?kev=only',
  });
  await use(scene, 'kev', kevFile('2026-11-22', ['CVE-2026-0001']));
  await rescore();
  await use(scene, 'kev', kevFile('2026-11-23', ['CVE-2026-0001', 'CVE-2026-0002']));
  await rescore();
  await use(scene, 'epss', epssFile('2026-11-24', { 'CVE-2026-0001': 0.1 }));
  await rescore();
  expect((await notices()).length).toBe(2);
});

test('nobody is notified of findings that are closed', async () => {
  await addUsers();
  await scene.import('scanner', THREE);
  // a report without any vulnerable dependency would not close those that are known
  await scene.import('scanner', report(dependency('CVE-2026-0009', 'd', '1'), code('r', 'a.js', 1, 'x')));
  await use(scene, 'kev', kevFile('2026-11-21', ['CVE-2026-0002']));
  await rescore();
  expect(await scene.rows('select 1 from notifications')).toEqual([]);
});

test('an import that began with older data is gone through again', async () => {
  await use(scene, 'epss', epssFile('2026-11-20', { 'CVE-2026-0001': 0.1 }));
  await rescore();
  const finished = () =>
    scene.rows<object>(`
      select due_at is null as done, state->'after' = '0' as "isAtStart" from job_state where job = 'reference.rescore'`);
  expect(await finished()).toMatchObject([{ done: true }]);
  await scene.import('scanner', THREE);
  expect(await finished()).toMatchObject([{ done: true }]);
  // the version grows while the next report is read
  await scene.rows(`create function newer() returns trigger language plpgsql security definer as $$ begin
      update reference_feeds set version = version + 1; return null; end $$`);
  await scene.rows('create trigger newer after insert on findings for each statement execute function newer()');
  await scene.import('scanner', report(dependency('CVE-2026-0009', 'z', '1')), await scene.addRepository('other'));
  expect(await finished()).toEqual([{ done: false, isAtStart: true }]);
});

test('findings that share a definition with a newer import are scored too', async () => {
  await scene.import('scanner', report(dependency('CVE-2026-0001', 'a', '1')));
  await use(scene, 'epss', epssFile('2026-11-20', { 'CVE-2026-0001': 0.9 }));
  // writes the new data into the definition that both findings share
  await scene.import('scanner', report(dependency('CVE-2026-0001', 'a', '1')), await scene.addRepository('other'));
  await rescore();
  const rows = await scene.rows<{ epss: number | null; priority: number }>('select epss, priority from findings');
  expect(rows.map((row) => row.epss)).toEqual([0.9, 0.9]);
  expect(new Set(rows.map((row) => row.priority)).size).toBe(1);
});

test('every client with old scores is enqueued once, and none where all are done', async () => {
  const enqueued: object[] = [];
  const jobs = {
    enqueue: async (_db: unknown, _job: unknown, data: object) => {
      enqueued.push(data);
      return 'id';
    },
  };
  expect(await enqueueRescores({ database: scene.test.database, jobs })).toBe(0);
  await use(scene, 'kev', kevFile('2026-11-21', ['CVE-2026-0001']));
  expect(await enqueueRescores({ database: scene.test.database, jobs })).toBe(1);
  await rescore();
  expect(await enqueueRescores({ database: scene.test.database, jobs })).toBe(0);
  await use(scene, 'kev', kevFile('2026-11-22', ['CVE-2026-0001']));
  expect(await enqueueRescores({ database: scene.test.database, jobs })).toBe(1);
  expect(enqueued).toEqual([{ clientId: scene.clientId }, { clientId: scene.clientId }]);
});

test('a scoring that is killed goes on where it stood and ends as an undisturbed one', async () => {
  const many = Array.from({ length: 1500 }, (_, index) => `CVE-2026-${10_000 + index}`);
  await scene.import('scanner', report(...many.map((cve, index) => dependency(cve, `p${index}`, '1'))));
  await use(scene, 'epss', epssFile('2026-11-20', Object.fromEntries(many.map((cve, index) => [cve, index / 1500]))));
  const child = path.join(import.meta.dirname, '../../testing/processes/rescore-child.ts');
  const cursor = async () =>
    (
      await scene.rows<{ after: number }>(
        `select state->'after' as after from job_state where job = 'reference.rescore'`,
      )
    )[0]?.after ?? 0;
  let last = 0;
  for (let kill = 0; kill < 2; kill += 1) {
    const running = spawn(process.execPath, [child, scene.test.url, scene.clientId], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const gone = once(running, 'exit');
    while (running.exitCode === null && (await cursor()) <= last)
      await new Promise((resolve) => setTimeout(resolve, 2));
    running.kill('SIGKILL');
    await gone;
    expect(await cursor()).toBeGreaterThan(last);
    last = await cursor();
  }
  await Promise.all([rescore(), rescore()]);
  const [result] = await scene.rows<object>(
    `select count(*)::integer as all, count(f.epss)::integer as scored, count(distinct s.epss_date)::integer as dates,
       (select count(*)::integer from (select finding_id from finding_events group by 1 having count(*) > 1) twice) as twice,
       (select due_at is null from job_state where job = 'reference.rescore') as done
     from findings f join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id`,
  );
  expect(result).toEqual({ all: 1500, scored: 1500, dates: 1, twice: 0, done: true });
  expect(await findRollupDifferences(scene)).toEqual([]);
});
