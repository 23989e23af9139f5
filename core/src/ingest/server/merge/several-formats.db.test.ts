import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';

const SAMPLES = new URL('../../../../../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

/** One scan of each tool in the formats that it writes. */
const SCANS: readonly [tool: string, json: string, ...others: string[]][] = [
  ['bandit', 'made_twenty.json', 'made_twenty.yaml', 'made_twenty.xml'],
  [
    'hadolint',
    'ssf_hadolint_many_files.json',
    'made_many_files.checkstyle.xml',
    'made_many_files.codeclimate.json',
    'made_many_files.gitlab.json',
    'made_many_files.sonarqube.json',
    'made_many_files.tty.txt',
  ],
  [
    'terrascan',
    'e2e_aws_db_instance_json.json',
    'made_aws_db_instance.yaml',
    'made_aws_db_instance.xml',
    'made_aws_db_instance.junit.xml',
  ],
  ['checkov', 'hd_checkov_synthetic.json', 'made_synthetic.junit.xml'],
  ['gitleaks', 'scb_test-report.json', 'made_test-report.junit.xml'],
  ['kics', 'E2E_CLI_036_RESULT_2.json', 'made_E2E_CLI_036.csv'],
  ['eslint', 'recorded_v9_metadata.json', 'recorded_v9.sarif'],
  ['flawfinder', 'recorded_v2.0.19.csv', 'recorded_v2.0.19.sarif'],
];

const CASES = SCANS.flatMap(([tool, json, ...others]) => others.map((other) => [tool, json, other] as const));

test.each(CASES)('%s: %s, then %s', async (tool, json, other) => {
  for (const [one, two] of [
    [json, other],
    [other, json],
  ] as const) {
    const repositoryId = await scene.addRepository(`${one} ${two}`);
    const read = async (file: string): Promise<string> => {
      const text = await readFile(new URL(`${tool}/${file}`, SAMPLES), 'utf8');
      // names of files that were scanned are made up there
      return tool === 'bandit' && file.endsWith('.json') ? JSON.stringify({ ...JSON.parse(text), metrics: {} }) : text;
    };
    const first = await scene.import(tool, await read(one), repositoryId);
    const { total, components } = first;
    expect(total + components).toBeGreaterThan(0);
    const counts = await scene.import(tool, await read(two), repositoryId);
    expect(counts, `${one} → ${two}`).toMatchObject({
      total,
      components,
      new: 0,
      closed: 0,
      held: 0,
      unchanged: total,
    });
  }
});

test('SARIF of a checkout in another folder changes nothing', async () => {
  const repositoryId = await scene.addRepository('checkouts');
  const files = ['src/a.c', 'src/b.c', 'test/x.c'];
  const sarifOf = (root: string): string => {
    const results = files.map((file, n) => ({
      ruleId: `rule ${n}`,
      message: { text: 'Something is wrong.' },
      locations: [{ physicalLocation: { artifactLocation: { uri: root + file }, region: { startLine: 3 } } }],
    }));
    return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Checker' } }, results }] });
  };
  await scene.import('sarif', sarifOf('file:///home/runner/work/app/'), repositoryId);
  const before = await scene.rows('select id, content from findings where repository_id = $1 order by id', [
    repositoryId,
  ]);
  const counts = await scene.import('sarif', sarifOf('file:///builds/group/app/'), repositoryId);
  expect(counts).toMatchObject({ new: 0, closed: 0, held: 0, unchanged: 3 });
  expect(
    await scene.rows('select id, content from findings where repository_id = $1 order by id', [repositoryId]),
  ).toEqual(before);
  const paths = await scene.rows<{ path: string }>(
    `select path from findings f join finding_files p on p.client_id = f.client_id and p.id = f.file_id
     where f.repository_id = $1 order by 1`,
    [repositoryId],
  );
  expect(paths.map(({ path }) => path)).toEqual(files);
});

test('an address is stored as it is, and findings that were stored with one slash keep their identity', async () => {
  const repositoryId = await scene.addRepository('addresses');
  const line = {
    'template-id': 't',
    info: { name: 'n', severity: 'high' },
    'matched-at': 'https://app.example/login',
    host: 'x',
  };
  await scene.import('nuclei', JSON.stringify(line), repositoryId);
  const paths = await scene.rows<{ path: string }>(
    `select path from findings f join finding_files p on p.client_id = f.client_id and p.id = f.file_id where f.repository_id = $1`,
    [repositoryId],
  );
  expect(paths).toEqual([{ path: 'https://app.example/login' }]);
  await scene.rows(
    `update finding_files set path = 'https:/app.example/login' where path = 'https://app.example/login'`,
  );
  expect(await scene.import('nuclei', JSON.stringify(line), repositoryId)).toMatchObject({
    new: 0,
    closed: 0,
    unchanged: 1,
  });
});
