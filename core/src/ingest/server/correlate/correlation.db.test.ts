import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

const upload = (tool: string, text: string) => scene.import(tool, text, repositoryId);
/** Rule, and of a duplicate also the rule it repeats. */
const marks = async (): Promise<string[]> =>
  (
    await scene.rows<{ mark: string }>(
      `select s.rule_id || coalesce(' = ' || os.rule_id, '') || case when f.status = 'mitigated' then ' closed' else '' end as mark
       from findings f join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
       left join findings o on o.client_id = f.client_id and o.id = f.duplicate_of
       left join finding_definitions os on os.client_id = o.client_id and os.id = o.definition_id
       where f.repository_id = $1 and f.is_duplicate = (o.id is not null) order by f.id`,
      [repositoryId],
    )
  ).map((row) => row.mark);

test('the same line and a shared weakness make one issue, across and within tools', async () => {
  await upload(
    'scanner',
    report(code('a1', 'x.js', 4, 'q'), code('a2', 'x.js', 4, 'q', { cwe: [89, 20] }), code('a3', 'x.js', 5, 'q')),
  );
  await upload(
    'other',
    report(
      code('b1', 'x.js', 4, 'q', { cwe: [20] }),
      code('b2', 'x.js', 4, 'q', { cwe: [79] }),
      code('b3', 'y.js', 4, 'q'),
    ),
  );
  expect(await marks()).toEqual(['a1', 'a2 = a1', 'a3', 'b1 = a1', 'b2', 'b3']);
});

test('a repository is its own world', async () => {
  await upload('scanner', report(code('a', 'x.js', 4, 'q')));
  const second = await scene.addRepository('a second one');
  expect(await scene.import('other', report(code('b', 'x.js', 4, 'q')), second)).toMatchObject({ duplicate: 0 });
});

test('a vulnerability is known by any shared name, in one package and version', async () => {
  await upload(
    'scanner',
    report(dependency('GHSA-1', '@scope/lib', '1.0', { cve: 'CVE-2024-7', aliases: ['GHSA-1', 'CVE-2024-7'] })),
  );
  await upload(
    'other',
    report(
      dependency('CVE-2024-7', 'lib', 'v1.0'),
      dependency('CVE-2024-7', 'lib', '1.1'),
      dependency('CVE-2024-8', 'lib', '1.0'),
    ),
  );
  expect(await marks()).toEqual(['GHSA-1', 'CVE-2024-7 = GHSA-1', 'CVE-2024-7', 'CVE-2024-8']);
});

test('secrets on one line are one unless their digests differ', async () => {
  await upload(
    'scanner',
    report(secret('a.env', 1, 'aa', { ruleId: 's1' }), secret('a.env', 2, undefined, { ruleId: 's2' })),
  );
  await upload(
    'other',
    report(
      secret('a.env', 1, 'bb', { ruleId: 'o1' }),
      secret('a.env', 1, undefined, { ruleId: 'o2' }),
      secret('a.env', 2, 'cc', { ruleId: 'o3' }),
    ),
  );
  expect((await marks()).sort()).toEqual(['o1', 'o2 = s1', 'o3 = s2', 's1', 's2']);
});

test('credentials in code say the same as a secret on their line, not as each other', async () => {
  await upload(
    'scanner',
    report(code('hard-coded', 'k.js', 3, 'k', { cwe: [798] }), code('key', 'k.js', 3, 'k', { cwe: [321] })),
  );
  expect(await marks()).toEqual(['hard-coded', 'key']);
  await upload('other', report(secret('k.js', 3), secret('k.js', 4)));
  expect(await marks()).toEqual(['hard-coded', 'key = hard-coded', 'api-key = hard-coded', 'api-key']);
});

test('when the original closes, one of its duplicates takes its place; when it returns, it stays a duplicate', async () => {
  const first = report(code('a', 'x.js', 4, 'q'));
  await upload('scanner', first);
  await upload('other', report(code('b1', 'x.js', 4, 'q'), code('b2', 'x.js', 4, 'q', { severity: 'critical' })));
  expect(await marks()).toEqual(['a', 'b1 = a', 'b2 = a']);
  await upload('scanner', '');
  expect(await marks()).toEqual(['a closed', 'b1 = b2', 'b2']);
  await upload('scanner', first);
  expect(await marks()).toEqual(['a = b2', 'b1 = b2', 'b2']);
});

test('a result that moves away from its line stands for itself again', async () => {
  await upload('scanner', report(code('a', 'x.js', 4, 'q')));
  await upload('other', report(code('b', 'x.js', 4, 'q')));
  await upload('other', report(code('b', 'x.js', 9, 'q')));
  expect(await marks()).toEqual(['a', 'b']);
});

test('who stands for a group stays, also when something worse joins', async () => {
  await upload('scanner', report(code('a', 'x.js', 4, 'q', { severity: 'low' })));
  await upload('other', report(code('b', 'x.js', 4, 'q', { severity: 'critical' })));
  expect(await marks()).toEqual(['a', 'b = a']);
});

test('different CVEs of one vendor advisory are different findings', async () => {
  const aliases = (cve: string) => ({ aliases: [cve, 'RHSA-2023:7836'] });
  await upload(
    'scanner',
    report(
      dependency('CVE-2023-38473', 'avahi', '0.7', aliases('CVE-2023-38473')),
      dependency('CVE-2023-38472', 'avahi', '0.7', aliases('CVE-2023-38472')),
      dependency('CVE-2021-3468', 'avahi', '0.7', aliases('CVE-2021-3468')),
    ),
  );
  expect(await marks()).toEqual(['CVE-2023-38473', 'CVE-2023-38472', 'CVE-2021-3468']);
  await upload(
    'other',
    report(dependency('RHSA-2023:7836', 'avahi', '0.7'), dependency('CVE-2021-3468', 'avahi', '0.7')),
  );
  expect((await marks()).slice(3)).toEqual(['RHSA-2023:7836', 'CVE-2021-3468 = CVE-2021-3468']);
});

test('who has no CVE never stands before one that has, whoever came first', async () => {
  await upload('scanner', report(dependency('GHSA-1', 'lib', '1.0')));
  await upload('other', report(dependency('CVE-2024-7000', 'lib', '1.0', { aliases: ['GHSA-1'] })));
  expect(await marks()).toEqual(['GHSA-1 = CVE-2024-7000', 'CVE-2024-7000']);
});

test('one CVE in two files or images of one tool is two findings; the result of another tool names which of them it repeats', async () => {
  const at = (path: string, resource?: string) =>
    dependency('CVE-2024-7000', 'lib', '1.0', {
      locations: [{ path }],
      ...(resource === undefined ? {} : { resource }),
    });
  await upload(
    'scanner',
    report(
      at('web/package-lock.json'),
      at('api/package-lock.json'),
      at('var/lib/rpm', 'redis:6'),
      at('var/lib/rpm', 'nginx:1'),
    ),
  );
  const cve = 'CVE-2024-7000';
  expect(await marks()).toEqual([cve, cve, cve, cve]);
  await upload('other', report(at('/api/node_modules/lib/package.json'), at('elsewhere/pom.xml')));
  expect((await marks()).slice(4)).toEqual([`${cve} = ${cve}`, cve]);
  const [pair] = await scene.rows<{ path: string; certainty: number }>(
    `select p.path, f.duplicate_certainty as certainty from findings f join findings o on o.id = f.duplicate_of join finding_files p on p.id = o.file_id where f.repository_id = $1`,
    [repositoryId],
  );
  expect(pair).toEqual({ path: 'api/package-lock.json', certainty: 1 });
});

test('results of one line that stand in other columns, or lead to other sinks, are apart', async () => {
  const on = (rule: string, startColumn: number | undefined, endColumn: number | undefined, sink?: number) =>
    code(rule, 'x.js', 4, 'q', {
      locations: [
        {
          path: 'x.js',
          startLine: 4,
          endLine: 4,
          snippet: 'q',
          ...(startColumn === undefined ? {} : { startColumn }),
          ...(endColumn === undefined ? {} : { endColumn }),
        },
      ],
      ...(sink === undefined
        ? {}
        : {
            codeFlows: [
              [
                { path: 'x.js', startLine: 4 },
                { path: 'x.js', startLine: sink },
              ],
            ],
          }),
    });
  await upload(
    'scanner',
    report(on('a', 5, 10), on('a', 20, 25), on('b', 21, 30), on('c', 50, 60, 8), on('d', 50, 60, 9)),
  );
  expect(await marks()).toEqual(['a', 'a', 'b = a', 'c', 'd']);
  // it may be any of them: nothing is merged
  await upload('other', report(on('e', undefined, undefined)));
  expect((await marks()).slice(5)).toEqual(['e']);
});
