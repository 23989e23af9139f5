import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createUser, type TestUser } from '../../../../../tools/testing/users.ts';
import { enqueueDueJobs } from '../../../platform/server/jobs/job-state.ts';
import { epssFile, kevFile } from '../../../testing/feed-server.ts';
import { createImportScene, DEMO_REPORTS, type ImportScene, readDemo } from '../../../testing/import-scene.ts';
import { code, dependency, openReportTools, report } from '../../../testing/line-report.ts';
import { findRollupDifferences } from '../../../testing/snapshot.ts';
import type { PrioritySettingsChange } from '../../model/settings/priority-settings.ts';
import { checkFeed, replaceFeed } from '../feeds/replace-feed.ts';
import { rescoreClient } from '../rescore.ts';
import { scoreStored } from '../score-stored.ts';
import { rescoreSettings } from './rescore-settings.ts';
import { saveSettings } from './save-settings.ts';
import { applySettings } from './settings-job.ts';
import { runIn } from './stored-rules.ts';

const scenes: ImportScene[] = [];
let scene: ImportScene;
let admin: TestUser;
const enqueued: object[] = [];
const jobs = {
  enqueue: async (_db: unknown, _job: unknown, data: object) => {
    enqueued.push(data);
    return 'id';
  },
};
const open = async (tools?: Awaited<ReturnType<typeof openReportTools>>): Promise<ImportScene> => {
  const opened = await createImportScene(tools);
  scenes.push(opened);
  return opened;
};
beforeEach(async () => {
  scene = await open(await openReportTools());
  admin = await createUser(scene.test.database, scene.clientId, 'admin');
  enqueued.length = 0;
});
afterEach(async () => {
  for (const one of scenes.splice(0)) await one.test.drop();
});

const save = (change: PrioritySettingsChange, where = scene, userId = admin.id): Promise<boolean> =>
  where.test.database.forClient(where.clientId, (db) =>
    saveSettings(db, {
      caller: { ...admin, userId, clientId: where.clientId, sessionHash: Buffer.alloc(0) },
      ...{ jobs, change },
    }),
  );
const rescore = (where = scene) => rescoreSettings(where.test.database, where.clientId, new AbortController().signal);
const use = async (where: ImportScene, source: 'epss' | 'kev', text: string | Buffer): Promise<void> => {
  await replaceFeed(where.test.database, await checkFeed(source, Buffer.from(text)), { origin: 'file', name: 'x' });
};
const rescoreFeed = (where = scene) => rescoreClient(where.test.database, where.clientId, new AbortController().signal);

/** All that rests on weights and public data. */
const scores = (where = scene) =>
  where.rows<{ priority: number }>(
    `select s.tool, s.rule_id, s.component, s.component_version, p.path, l.start_line, f.kev, f.epss, f.priority, d.priority_parts
     from findings f
     join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
     join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
     left join finding_files p on p.client_id = f.client_id and p.id = f.file_id
     left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
     order by s.tool, s.rule_id, s.component, s.component_version, p.path, l.start_line, f.ordinal`,
  );
const priorities = async (where = scene) => (await scores(where)).map(({ priority }) => priority);
const progress = () =>
  scene.rows<object>(`
    select state->'version' as version, state->'done' as done, state->'total' as total, due_at is null as is_done
    from job_state where job = 'prioritisation.rescore'`);

const OWN: PrioritySettingsChange = {
  toggle: true,
  industryStandardFrameworks: { cvss: 10, cwe: 30 },
  exploitabilityFactors: { epss: 40 },
  complianceStandars: { pciDss4: 25, cisBenchmarks: 15 },
};
const EPSS = epssFile('2026-11-20', { 'CVE-2021-23337': 0.4, 'CVE-2020-8203': 0.9, 'CVE-2022-25883': 0.01 });
const KEV = kevFile('2026-11-21', ['CVE-2022-23529']);

test('the sample application scored anew equals its import under the settings, whatever came first', async () => {
  const [before, fresh] = [await open(), await open()];
  const load = async (where: ImportScene) => {
    for (const [tool, name] of DEMO_REPORTS) await where.import(tool, await readDemo(name));
  };
  const users = [before, fresh].map((where) => createUser(where.test.database, where.clientId, 'admin'));
  const [one, other] = await Promise.all(users);
  await load(before);
  const old = await priorities(before);
  expect(await save(OWN, before, one?.id)).toBe(true);
  await use(before, 'epss', EPSS);
  await use(before, 'kev', KEV);
  // both at once take turns
  await Promise.all([rescore(before), rescoreFeed(before)]);
  await save(OWN, fresh, other?.id);
  await use(fresh, 'epss', EPSS);
  await use(fresh, 'kev', KEV);
  await load(fresh);
  expect(await priorities(before)).not.toEqual(old);
  expect(await scores(before)).toEqual(await scores(fresh));
  expect(await findRollupDifferences(before)).toEqual([]);
  const events = await before.rows<{ reason: string }>(
    `select distinct reason from finding_events where kind = 'priority'`,
  );
  expect(events.map(({ reason }) => reason)).toContain('Prioritisation settings, version 1');
});

test('switched off again, every priority is what it was', async () => {
  const text = report(
    dependency('CVE-2026-0001', 'a', '1', { cvssScore: 9.8 }),
    code('r', 'a.js', 1, 'x'),
    code('s', 'b.js', 2, 'y', { severity: 'low', cwe: [] }),
  );
  await scene.import('scanner', text);
  const before = await scores();
  await save(OWN);
  await rescore();
  const own = await scores();
  expect(own).not.toEqual(before);
  expect(await save({ toggle: false })).toBe(true);
  await rescore();
  expect(await scores()).toEqual(before);
  // numbers that do not count change no priority; the switch brings them back
  expect(await save({ exploitabilityFactors: { epss: 40 } })).toBe(false);
  expect(await save({ exploitabilityFactors: { epss: 41 } })).toBe(false);
  expect(await save({ exploitabilityFactors: { epss: 40 }, toggle: true })).toBe(true);
  await rescore();
  expect(await scores()).toEqual(own);
  expect(enqueued.length).toBe(3);
});

test('a severity of a person and a feed are scored with the settings of the organisation, and only of it', async () => {
  await scene.import('scanner', report(dependency('CVE-2026-0001', 'a', '1', { cvssScore: 9.8 })));
  const [otherClient] = await scene.rows<{ id: string }>(
    `insert into clients (organization_name) values ('Other') returning id`,
  );
  const others = { ...scene, clientId: otherClient?.id ?? '' };
  await save(OWN);
  await rescore();
  const [finding] = await scene.rows<{ id: string; priority: number }>('select id, priority from findings');
  const id = finding?.id ?? '';
  const scored = await scene.test.database.forClient(scene.clientId, (db) =>
    scoreStored(runIn(db), scene.clientId, [{ id, severity: 'low', isOwn: true }]),
  );
  expect(scored.get(id)?.parts[0]).toMatchObject({ key: 'severity', of: 6 });
  const none = await others.test.database.forClient(others.clientId, (db) =>
    scoreStored(runIn(db), others.clientId, [{ id, severity: 'low', isOwn: true }]),
  );
  expect(none.size).toBe(0);
  await use(scene, 'epss', epssFile('2026-11-20', { 'CVE-2026-0001': 0.25 }));
  await rescoreFeed();
  const [row] = await scene.rows<{ parts: { key: string; of: number }[] }>(
    'select priority_parts as parts from finding_details',
  );
  expect(row?.parts.find(({ key }) => key === 'severity')?.of).toBe(6);
  // the other organisation has no settings of its own, and nothing to be gone through
  expect(await enqueueDueJobs({ database: scene.test.database, jobs }, [applySettings])).toBe(0);
  const rules = await others.test.database.forClient(others.clientId, (db) =>
    db.selectFrom('priority_settings').selectAll().execute(),
  );
  expect(rules).toEqual([]);
});

test('an import that began with older settings is gone through again', async () => {
  await scene.import('scanner', report(code('r', 'a.js', 1, 'x')));
  await save(OWN);
  await rescore();
  expect(await progress()).toEqual([{ version: 1, done: 1, total: 1, is_done: true }]);
  // the settings grow while the next report is read
  await scene.rows(`create function newer() returns trigger language plpgsql security definer as $$ begin
      update priority_settings set version = 2; update job_state set state = state || '{"version": 2}' where job = 'prioritisation.rescore'; return null; end $$`);
  await scene.rows('create trigger newer after insert on findings for each statement execute function newer()');
  await scene.import('other', report(code('q', 'z.js', 1, 'x')));
  expect(await progress()).toEqual([{ version: 2, done: 0, total: 2, is_done: false }]);
  expect(await enqueueDueJobs({ database: scene.test.database, jobs }, [applySettings])).toBe(1);
  await rescore();
  expect(await progress()).toEqual([{ version: 2, done: 2, total: 2, is_done: true }]);
});

test('a scoring that is killed goes on where it stood; settings that are saved meanwhile begin it anew', async () => {
  const many = Array.from({ length: 4000 }, (_, index) => code('r', `f${index}.js`, 1, `x${index}`));
  await scene.import('scanner', report(...many));
  await save(OWN);
  const child = path.join(import.meta.dirname, '../../../testing/processes/rescore-child.ts');
  const done = async () =>
    (
      await scene.rows<{ done: number }>(
        `select state->'done' as done from job_state where job = 'prioritisation.rescore'`,
      )
    )[0]?.done ?? 0;
  const running = spawn(process.execPath, [child, scene.test.url, scene.clientId, 'settings'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(running, 'exit');
  while (running.exitCode === null && (await done()) === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  running.kill('SIGKILL');
  await gone;
  const stood = await done();
  expect(stood).toBeGreaterThan(0);
  expect(stood).toBeLessThan(4000);
  expect(stood % 500).toBe(0);
  await Promise.all([rescore(), rescore()]);
  const job = () =>
    scene.rows<object>('select status, position, total, detail from client_jobs order by created_at, id');
  expect(await job()).toEqual([{ status: 'done', position: 4000, total: 4000, detail: null }]);
  const twice = `select count(*)::integer as n from (select finding_id from finding_events group by 1 having count(*) > 1) t`;
  expect(await scene.rows<object>(twice)).toEqual([{ n: 0 }]);
  await save({ industryStandardFrameworks: { cvss: 90 } });
  await save({ industryStandardFrameworks: { cvss: 95 } });
  await rescore();
  expect(await job()).toEqual([
    { status: 'done', position: 4000, total: 4000, detail: null },
    { status: 'cancelled', position: 0, total: 4000, detail: 'Newer settings were saved before it ended.' },
    { status: 'done', position: 4000, total: 4000, detail: null },
  ]);
  expect(new Set(await priorities()).size).toBe(1);
  expect(await findRollupDifferences(scene)).toEqual([]);
});
