import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, dependency, openReportTools, report, secret } from '../../../testing/line-report.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());

const stored = (repositoryId: string) =>
  scene.rows<{ rule: string; effort: number; ease: number; impact: number; language: string; guessed: boolean }>(
    `select s.rule_id as rule, effort_for_fixing as effort, exploitability as ease, impact, language, is_language_estimated as guessed
     from findings f join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
     where f.repository_id = $1 order by s.rule_id`,
    [repositoryId],
  );

test('an import estimates effort, ease and impact, and says where the language is a guess', async () => {
  const repositoryId = await scene.addRepository('estimates');
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H';
  const text = report(
    code('a-sql', 'a.py', 1, 'query(x)', { cwe: [89], severity: 'high' }),
    code('b-told', 'b.py', 1, 'y', { language: 'Ruby', severity: 'low', cwe: [] }),
    dependency('c-package', 'left', '1.2.3', {
      severity: 'high',
      cvssVector: vector,
      component: { name: 'left', version: '1.2.3', fixedVersion: '1.2.9', ecosystem: 'npm' },
    }),
    secret('x', 1, 'abc', { ruleId: 'd-secret', severity: 'high' }),
  );
  await scene.import('scanner', text, repositoryId);
  const first = await stored(repositoryId);
  expect(first).toMatchObject([
    { rule: 'a-sql', effort: 25, ease: 78, impact: 75, language: 'python', guessed: true },
    { rule: 'b-told', effort: 40, ease: 25, impact: 25, language: 'ruby', guessed: false },
    { rule: 'c-package', effort: 10, ease: 100, impact: 59 },
    { rule: 'd-secret', effort: 30, ease: 90, impact: 75, language: '', guessed: false },
  ]);
  await scene.import('scanner', text.replace('"fixedVersion":"1.2.9"', '"fixedVersion":"2.0.0"'), repositoryId);
  expect((await stored(repositoryId))[2]).toMatchObject({ rule: 'c-package', effort: 55 });
});
