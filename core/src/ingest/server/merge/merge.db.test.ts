import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rollupDifferences } from '../../../findings/server/rollups/check-rollups.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, dependency, openReportTools, report, secret } from '../../../testing/line-report.ts';

let scene: ImportScene;
let repositoryId: string;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());
beforeEach(async (context) => {
  repositoryId = await scene.addRepository(context.task.name);
});

interface Row {
  id: string;
  rule: string;
  line: number | null;
  status: string;
  verdict: string;
  version: string | null;
  is_duplicate: boolean;
  duplicate_of: string | null;
  ordinal: number;
  title: string;
}
const rows = (): Promise<Row[]> =>
  scene.rows<Row>(
    `select f.id, s.rule_id as rule, l.start_line as line, f.status, f.verdict, s.component_version as version, f.is_duplicate, f.duplicate_of,
       f.ordinal, s.title
     from findings f join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
     left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
     where f.repository_id = $1 order by f.id`,
    [repositoryId],
  );
const events = async (id: string): Promise<string[]> =>
  (
    await scene.rows<{ text: string }>(
      `select kind || ' ' || coalesce(from_value, '') || '>' || coalesce(to_value, '') as text from finding_events where finding_id = $1 order by kind`,
      [id],
    )
  ).map((row) => row.text);
const upload = (tool: string, text: string) => scene.import(tool, text, repositoryId);
const set = (id: string, change: string) => scene.rows(`update findings set ${change} where id = $1`, [id]);

test('a finding keeps its row, owner and verdict when its line moves', async () => {
  await upload('scanner', report(code('sql', 'a.js', 10, 'query(x)')));
  const [before] = await rows();
  await set(before!.id, `verdict = 'valid', tags = '{mine}', status = 'ready'`);
  const counts = await upload('scanner', report(code('sql', 'a.js', 25, '  query( x )'.replace('( x )', '(x)'))));
  expect(counts).toMatchObject({ total: 1, new: 0, unchanged: 1, closed: 0 });
  expect(await rows()).toEqual([{ ...before, line: 25, verdict: 'valid', status: 'ready' }]);
  expect(await events(before!.id)).toEqual([]);
});

test('equal results keep their own rows and follow the nearest line', async () => {
  await upload('scanner', report(...[10, 20, 30].map((line) => code('sql', 'a.js', line, 'query(x)'))));
  const before = await rows();
  expect(before.map((row) => row.ordinal)).toEqual([0, 1, 2]);
  const counts = await upload('scanner', report(...[21, 31].map((line) => code('sql', 'a.js', line, 'query(x)'))));
  expect(counts).toMatchObject({ new: 0, unchanged: 2, closed: 1 });
  expect((await rows()).map((row) => [row.id, row.line, row.status])).toEqual([
    [before[0]!.id, 10, 'mitigated'],
    [before[1]!.id, 21, 'enriched'],
    [before[2]!.id, 31, 'enriched'],
  ]);
});

test('edited code of the same rule in the same file is the same finding', async () => {
  await upload('scanner', report(code('sql', 'a.js', 10, 'query(x)'), code('sql', 'a.js', 90, 'query(z)')));
  const before = await rows();
  const counts = await upload(
    'scanner',
    report(code('sql', 'a.js', 12, 'query(x, y)'), code('sql', 'a.js', 90, 'query(z)')),
  );
  expect(counts).toMatchObject({ new: 0, unchanged: 2, closed: 0 });
  expect((await rows()).map((row) => [row.id, row.line])).toEqual([
    [before[0]!.id, 12],
    [before[1]!.id, 90],
  ]);
  expect(
    await upload('scanner', report(code('sql', 'a.js', 12, 'query(x, y)'), code('sql', 'a.js', 90, 'query(z)'))),
  ).toMatchObject({ new: 0, closed: 0 });
});

test('results that take each other over and join keep distinct ordinals', async () => {
  await upload('scanner', report(code('sql', 'a.js', 10, 'one()'), code('sql', 'a.js', 20, 'two()')));
  await upload(
    'scanner',
    report(code('sql', 'a.js', 10, 'same()'), code('sql', 'a.js', 20, 'same()'), code('sql', 'a.js', 30, 'same()')),
  );
  expect((await rows()).map((row) => row.ordinal).sort()).toEqual([0, 1, 2]);
});

test('severity, title and description are no part of a finding’s identity', async () => {
  await upload('scanner', report(code('sql', 'a.js', 10, 'query(x)')));
  const [before] = await rows();
  await upload(
    'scanner',
    report(code('sql', 'a.js', 10, 'query(x)', { severity: 'low', title: 'Said better', description: 'Longer' })),
  );
  const after = await rows();
  expect(after).toHaveLength(1);
  expect(after[0]).toMatchObject({ id: before!.id, title: 'Said better' });
  expect(await events(before!.id)).toContain('severity high>low');
});

test('a severity that a person set stays over imports; what the report says is kept beside it', async () => {
  await upload('scanner', report(code('sql', 'a.js', 10, 'query(x)')));
  const [before] = await rows();
  await set(
    before!.id,
    `severity = 1, severity_numerical = 25, priority = 7, reported_severity = 3, reported_severity_numerical = 75`,
  );
  await upload('scanner', report(code('sql', 'a.js', 30, 'query(x)', { severity: 'critical' })));
  const kept = await scene.rows(
    `select f.severity, f.priority, f.reported_severity, l.start_line
     from findings f join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id where f.id = $1`,
    [before!.id],
  );
  expect(kept).toEqual([{ severity: 1, priority: 7, reported_severity: 4, start_line: 30 }]);
  expect(await events(before!.id)).toEqual([]);
});

test('what is gone is closed, what comes back is reopened, with history', async () => {
  const both = report(code('sql', 'a.js', 10, 'query(x)'), code('xss', 'b.js', 5, 'html(x)'));
  await upload('scanner', both);
  expect(await upload('scanner', report(code('sql', 'a.js', 10, 'query(x)')))).toMatchObject({
    closed: 1,
    unchanged: 1,
  });
  expect(await upload('scanner', both)).toMatchObject({ reopened: 1, unchanged: 1, new: 0 });
  const reopened = (await rows()).find((row) => row.rule === 'xss');
  expect(reopened?.status).toBe('reopened');
  expect(await events(reopened!.id)).toEqual(['closed enriched>mitigated', 'reopened mitigated>reopened']);
});

test('an empty report closes everything of its scope and nothing else', async () => {
  await upload('scanner', report(code('sql', 'a.js', 10, 'query(x)')));
  await upload('other', report(code('xss', 'b.js', 5, 'html(x)')));
  expect(await upload('scanner', '')).toMatchObject({ total: 0, closed: 1 });
  expect((await rows()).map((row) => [row.rule, row.status])).toEqual([
    ['sql', 'mitigated'],
    ['xss', 'enriched'],
  ]);
});

test('reports about another target close nothing', async () => {
  const about = (target: string) => ({ kind: 'report', target }) as const;
  await upload('scanner', report(about('image a'), code('sql', 'a.js', 10, 'query(x)')));
  expect(await upload('scanner', report(code('sql', 'a.js', 10, 'query(x)'), about('image b')))).toMatchObject({
    new: 1,
    closed: 0,
  });
});

test('two tools that write the same format close nothing of each other', async () => {
  const by = (toolName: string) => ({ kind: 'report', toolName }) as const;
  await upload('sarif', report(by('CodeQL'), code('sql', 'a.js', 10, 'query(x)')));
  expect(await upload('sarif', report(by('ESLint'), code('xss', 'b.js', 10, 'html(x)')))).toMatchObject({
    new: 1,
    closed: 0,
  });
});

test('what a result says of its tool is the tool shown, and identity and scope stay those of the importer', async () => {
  const tools = () =>
    scene.rows(
      'select distinct f.tool, x.tool as defined from findings f join finding_definitions x on x.id = f.definition_id where f.repository_id = $1 order by 1',
      [repositoryId],
    );
  const result = (tool?: string) => report(code('sql', 'a.js', 10, 'query(x)', tool === undefined ? {} : { tool }));
  await upload('sarif', result());
  const [before] = await rows();
  await set(before!.id, `verdict = 'valid'`);
  expect(await tools()).toEqual([{ tool: 'sarif', defined: 'sarif' }]);
  expect(await upload('sarif', result('ESLint'))).toMatchObject({ new: 0, unchanged: 1, closed: 0 });
  expect(await rows()).toMatchObject([{ id: before!.id, verdict: 'valid' }]);
  expect(await tools()).toEqual([{ tool: 'ESLint', defined: 'ESLint' }]);
  for (const { statement } of rollupDifferences())
    expect((await scene.test.owner.query(statement, [scene.clientId])).rows).toEqual([]);
});

test('a false positive and a running acceptance come back as what they are', async () => {
  const three = report(...['a', 'b', 'c'].map((rule) => code(rule, `${rule}.js`, 1, 'x()')));
  await upload('scanner', three);
  const before = await rows();
  await set(before[0]!.id, `verdict = 'false_positive'`);
  await set(before[1]!.id, `verdict = 'accepted_risk', verdict_expires_at = now() + interval '1 day'`);
  await set(before[2]!.id, `verdict = 'accepted_risk', verdict_expires_at = now() - interval '1 day'`);
  await upload('scanner', '');
  expect(await upload('scanner', three)).toMatchObject({ reopened: 1, unchanged: 2, new: 0 });
  expect((await rows()).map((row) => [row.status, row.verdict])).toEqual([
    ['enriched', 'false_positive'],
    ['enriched', 'accepted_risk'],
    ['reopened', 'none'],
  ]);
});

test('what a report suppresses is suppressed until a person decides', async () => {
  const plain = code('sql', 'a.js', 10, 'query(x)');
  const hidden = { ...plain, suppressed: { verdict: 'false_positive', reason: 'nosem' } } as const;
  expect(await upload('scanner', report(hidden))).toMatchObject({ total: 1, suppressed: 1 });
  expect((await rows())[0]?.verdict).toBe('false_positive');
  await upload('scanner', report(plain));
  expect((await rows())[0]?.verdict).toBe('none');
  const [row] = await rows();
  await set(row!.id, `verdict = 'valid'`);
  await scene.rows(
    `insert into finding_events (client_id, finding_id, kind, actor, from_value, to_value) values ($1, $2, 'verdict', new_id(), 'none', 'valid')`,
    [scene.clientId, row!.id],
  );
  await upload('scanner', report(hidden));
  expect((await rows())[0]?.verdict).toBe('valid');
});

test('an update that is still vulnerable keeps the finding; two versions side by side are two', async () => {
  await upload('scanner', report(dependency('CVE-2024-1', 'lib', '1.0'), dependency('CVE-2024-1', 'lib', '2.0')));
  const before = await rows();
  expect(before).toHaveLength(2);
  const counts = await upload(
    'scanner',
    report(dependency('CVE-2024-1', 'lib', '2.0'), dependency('CVE-2024-1', 'lib', '3.0')),
  );
  expect(counts).toMatchObject({ new: 0, closed: 0, unchanged: 2 });
  expect((await rows()).map((row) => [row.id, row.version])).toEqual([
    [before[0]!.id, '3.0'],
    [before[1]!.id, '2.0'],
  ]);
});

test('another secret at the same place is another finding', async () => {
  await upload('scanner', report(secret('a.env', 3, 'aaa')));
  expect(await upload('scanner', report(secret('a.env', 3, 'bbb')))).toMatchObject({ new: 1, closed: 1 });
});

test('unreadable records are listed, the rest is imported, nothing is called gone', async () => {
  await upload('scanner', report(code('sql', 'a.js', 10, 'query(x)')));
  const scanId = await scene.store('scanner', report('?', code('xss', 'b.js', 5, 'html(x)')), repositoryId);
  expect(await scene.run(scanId)).toMatchObject({ outcome: 'done', counts: { new: 1, closed: 0, unreadable: 1 } });
  const [scan] = await scene.rows('select unreadable, status from scans where id = $1', [scanId]);
  expect(scan).toEqual({ unreadable: [{ where: 'line 1', why: 'not understood' }], status: 'done' });
});

test('a broken report imports nothing and says why', async () => {
  const scanId = await scene.store('scanner', report(code('sql', 'a.js', 10, 'query(x)'), 'BROKEN'), repositoryId);
  expect(await scene.run(scanId)).toMatchObject({
    outcome: 'failed',
    failure: { code: 'report_malformed', detail: 'The report is cut off.' },
  });
  expect(await rows()).toEqual([]);
  expect(await scene.rows('select status, code, detail from scans where id = $1', [scanId])).toEqual([
    { status: 'failed', code: 'report_malformed', detail: 'The report is cut off.' },
  ]);
});

test('an error of an importer fails the scan without a word of the error', async () => {
  const scanId = await scene.store('scanner', report('BUG'), repositoryId);
  const outcome = await scene.run(scanId);
  expect(outcome).toMatchObject({
    outcome: 'failed',
    failure: { code: 'internal' },
    cause: expect.stringContaining('TypeError'),
  });
  const [scan] = await scene.rows<{ detail: string }>('select detail from scans where id = $1', [scanId]);
  expect(scan?.detail).not.toContain('undefined');
});

test('the same scan twice has one effect', async () => {
  const scanId = await scene.store('scanner', report(code('sql', 'a.js', 10, 'query(x)')), repositoryId);
  const outcomes = await Promise.all([scene.run(scanId), scene.run(scanId), scene.run(scanId)]);
  expect(outcomes.filter((outcome) => outcome.outcome === 'done')).toHaveLength(1);
  expect(await rows()).toHaveLength(1);
});

test('the same report imported by two at once is imported once', async () => {
  const text = report(...Array.from({ length: 300 }, (_, n) => code(`r${n % 7}`, `f${n % 11}.js`, n, `x${n % 50}()`)));
  const scans = [await scene.store('scanner', text, repositoryId), await scene.store('scanner', text, repositoryId)];
  const outcomes = await Promise.all(scans.map((scanId) => scene.run(scanId)));
  expect(outcomes.map((outcome) => (outcome.outcome === 'done' ? outcome.counts.new : -1)).sort()).toEqual([0, 300]);
  expect(await rows()).toHaveLength(300);
});

test('NUL and half characters in a report are stored without them', async () => {
  const text = code('sql', 'a\u0000.js', 1, 'x\u0000\ud800y', {
    description: '\\ tab\t\u0000 line\nend',
    policy: { name: 'p\u0000\udc00' },
  });
  await upload('scanner', report(text));
  const [row] = await scene.rows<{ description: string; code: string; policy: { name: string } }>(
    'select d.description, d.code, d.policy from finding_details d join findings f on f.id = d.finding_id where f.repository_id = $1',
    [repositoryId],
  );
  expect(row).toEqual({ description: '\\ tab\t line\nend', code: 'x\ufffdy', policy: { name: 'p\ufffd' } });
});

test('absurd lengths, dates and numbers are cut or left out, and stop no import', async () => {
  const long = '\u{1f600}'.repeat(5000);
  const absurd = code(long, `${long}.js`, 2 ** 40, long, {
    title: long,
    cve: long,
    component: { name: long, version: long, ecosystem: long, purl: long },
    type: 'SCA',
    date: '+275760-01-01T00:00:00Z',
    cvssScore: -1,
    epss: { probability: Number.NaN },
    severityNumerical: 1e9,
    tags: [long],
    cwe: [-1, 2 ** 40],
  });
  const info = { kind: 'report', date: 'yesterday', target: long } as const;
  const inventory = { kind: 'component', ref: long, name: long, version: long, group: long } as const;
  const counts = await upload('scanner', report(info, absurd, inventory));
  expect(counts).toMatchObject({ new: 1, components: 1 });
});

test('the day on which a vulnerability was made public is kept current, and changes nothing of its findings', async () => {
  const say = (published: string | undefined) =>
    upload('scanner', report(dependency('CVE-2024-77', 'dated', '1.0', published === undefined ? {} : { published })));
  const known = async () =>
    (
      await scene.rows<{ day: string | null }>(
        `select published_on as day from finding_definitions where cve = 'CVE-2024-77'`,
      )
    ).map(({ day }) => day);
  expect(await say('2024-03-04T23:30:00-05:00')).toMatchObject({ new: 1 });
  const [before] = await rows();
  expect(await known()).toEqual(['2024-03-05']);
  expect(await say('2024-03-06T00:00:00Z')).toMatchObject({ total: 1, new: 0, unchanged: 1, closed: 0 });
  expect(await known()).toEqual(['2024-03-06']);
  expect(await rows()).toEqual([before]);
  expect(await events(before!.id)).toEqual([]);
  await say('some day');
  expect(await known()).toEqual([null]);
});
