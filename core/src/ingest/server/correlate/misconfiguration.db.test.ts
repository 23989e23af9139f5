import type { NormalizedFinding } from '@breakwater/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, openReportTools, report, secret } from '../../../testing/line-report.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());

const check = (
  ruleId: string,
  path: string,
  [startLine, endLine]: readonly [number, number],
  more: Partial<NormalizedFinding> = {},
): NormalizedFinding => ({
  ...{ kind: 'finding', ruleId, title: ruleId, type: 'IaC', severity: 'medium' },
  locations: [{ path, startLine, endLine }],
  ...more,
});
const CERTAINTY = ['', 'likely', 'certain', 'person'];
const marks = async (repositoryId: string): Promise<string[]> =>
  (
    await scene.rows<{ rule: string; original: string | null; certainty: number | null }>(
      `select s.rule_id as rule, os.rule_id as original, f.duplicate_certainty as certainty
       from findings f join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
       left join findings o on o.client_id = f.client_id and o.id = f.duplicate_of
       left join finding_definitions os on os.client_id = o.client_id and os.id = o.definition_id
       where f.repository_id = $1 order by f.id`,
      [repositoryId],
    )
  ).map(({ rule, original, certainty }) =>
    original === null ? rule : `${rule} = ${original}, ${CERTAINTY[certainty ?? 0]}`,
  );

test('failed checks of two tools about one resource are one issue, also where one begins paths with a slash', async () => {
  const repositoryId = await scene.addRepository('configuration');
  const checkov = report(
    check('CKV_AWS_18', '/s3.tf', [1, 20], { resource: 'aws_s3_bucket.logs' }),
    check('CKV_AWS_21', '/s3.tf', [1, 20], { resource: 'aws_s3_bucket.logs' }),
    check('CKV_DOCKER_2', '/Dockerfile', [1, 30]),
  );
  const kics = report(
    check('f861041c', 's3.tf', [5, 5], { title: 'S3 Bucket Logging Disabled', resource: 'aws_s3_bucket[logs]' }),
    check('AVD-AWS-0090', 's3.tf', [1, 20]),
    check('DS026', 'Dockerfile', [1, 1]),
    check('DS002', 'Dockerfile', [1, 1]),
  );
  await scene.import('scanner', checkov, repositoryId);
  await scene.import('other', kics, repositoryId);
  const all = [
    ...['CKV_AWS_18', 'CKV_AWS_21', 'CKV_DOCKER_2', 'f861041c = CKV_AWS_18, certain'],
    ...['AVD-AWS-0090 = CKV_AWS_21, likely', 'DS026 = CKV_DOCKER_2, likely', 'DS002'],
  ];
  expect(await marks(repositoryId)).toEqual(all);
  await scene.import(
    'scanner',
    report(check('CKV_AWS_18', '/s3.tf', [40, 60], { resource: 'aws_s3_bucket.data' })),
    repositoryId,
  );
  // the same check of another resource is another finding
  expect((await marks(repositoryId)).slice(3)).toEqual(['f861041c', 'AVD-AWS-0090', 'DS026', 'DS002', 'CKV_AWS_18']);
  expect(await scene.rows('select 1 from findings where not is_duplicate and duplicate_certainty is not null')).toEqual(
    [],
  );
});

test('one line and weakness are certain; a secret without digest is likely the one of its line', async () => {
  const repositoryId = await scene.addRepository('certainty');
  await scene.import(
    'scanner',
    report(code('a', 'x.js', 4, 'q'), secret('k.js', 1, 'aa', { ruleId: 's' })),
    repositoryId,
  );
  await scene.import(
    'other',
    report(
      code('b', 'x.js', 4, 'q'),
      secret('k.js', 1, undefined, { ruleId: 't' }),
      code('c', 'k.js', 1, 'k', { cwe: [798] }),
    ),
    repositoryId,
  );
  expect(await marks(repositoryId)).toEqual(['a', 's', 'b = a, certain', 't = s, likely', 'c = s, likely']);
});
