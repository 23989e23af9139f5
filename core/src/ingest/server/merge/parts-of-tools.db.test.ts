import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';

/*
 * Two reports of one tool about two parts of one application: neither closes what the other found, and each closes what is gone in its
 * own part. Frames are as the tools write them.
 */
let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

const json = (value: unknown): string => JSON.stringify(value);
const lines = (values: readonly unknown[]): string => values.map(json).join('\n');

/** A report about a part with the results that are numbered. */
type Writer = (part: 'a' | 'b', results: readonly number[]) => string;

const sarif: Writer = (part, results) =>
  json({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Example Scanner', rules: [] } },
        automationDetails: { id: `/language:${part}/2026-11-22` },
        invocations: [{ executionSuccessful: true }],
        results: results.map((n) => ({
          ruleId: `r${n}`,
          message: { text: `Result ${n}` },
          locations: [
            { physicalLocation: { artifactLocation: { uri: `src/${part}${n}.x` }, region: { startLine: n } } },
          ],
        })),
      },
    ],
  });

const opengrep: Writer = (part, results) =>
  json({
    version: '1.0.0',
    errors: [],
    paths: { scanned: [`${part}/1.py`, `${part}/2.py`, `${part}/lib/3.py`] },
    results: results.map((n) => ({
      check_id: `rule.${n}`,
      path: `${part}/${n}.py`,
      start: { line: n, col: 1 },
      end: { line: n, col: 9 },
      extra: { message: 'm', severity: 'ERROR', lines: `use(${n})`, metadata: {} },
    })),
  });

const bandit: Writer = (part, results) =>
  json({
    errors: [],
    generated_at: '2026-11-20T10:00:00Z',
    metrics: { _totals: {}, [`./${part}/1.py`]: {}, [`./${part}/2.py`]: {}, [`./${part}/lib/3.py`]: {} },
    results: results.map((n) => ({
      code: `${n} use(${n})\n`,
      filename: `./${part}/${n}.py`,
      issue_confidence: 'HIGH',
      issue_severity: 'HIGH',
      issue_text: `text ${n}`,
      line_number: n,
      test_id: `B10${n}`,
      test_name: `test_${n}`,
    })),
  });

const trivyVulnerabilities = (results: readonly number[]): string =>
  json({
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: [
      {
        Target: 'package-lock.json',
        Class: 'lang-pkgs',
        Type: 'npm',
        Vulnerabilities: results.map((n) => ({
          VulnerabilityID: `CVE-2026-000${n}`,
          PkgName: `p${n}`,
          InstalledVersion: '1.0.0',
          Severity: 'HIGH',
        })),
      },
    ],
  });
const trivySecrets = (results: readonly number[]): string =>
  json({
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: [
      {
        Target: 'b.env',
        Class: 'secret',
        Secrets: results.map((n) => ({
          RuleID: `key-${n}`,
          Category: 'x',
          Severity: 'HIGH',
          Title: `Key ${n}`,
          StartLine: n,
          EndLine: n,
          Match: 'k=****',
        })),
      },
    ],
  });
/** Two kinds of scans of one folder. */
const trivy: Writer = (part, results) => (part === 'a' ? trivyVulnerabilities(results) : trivySecrets(results));

const gitlab: Writer = (part, results) =>
  json({
    version: '15.0.0',
    scan: {
      type: part === 'a' ? 'sast' : 'secret_detection',
      status: 'success',
      start_time: '2026-11-20T10:00:00',
      end_time: '2026-11-20T10:01:00',
      scanner: { id: `scanner-${part}`, name: 'S', version: '1', vendor: { name: 'v' } },
    },
    vulnerabilities: results.map((n) => ({
      id: `${part}${n}`,
      name: `Name ${n}`,
      description: 'd',
      severity: 'High',
      location: { file: `${part}${n}.py`, start_line: n },
      identifiers: [{ type: 'x', name: `R${n}`, value: `R${n}` }],
    })),
  });

const prowlerOf =
  (places: Readonly<Record<'a' | 'b', { account: string; region: string }>>): Writer =>
  (part, results) =>
    json(
      [0, ...results].map((n) => ({
        CheckID: `check_${n}`,
        CheckTitle: `Check ${n}`,
        Status: n === 0 ? 'PASS' : 'FAIL',
        Severity: 'high',
        ServiceName: 's3',
        AccountId: places[part].account,
        Region: places[part].region,
        ResourceId: `bucket-${n}`,
        ResourceArn: `arn:aws:s3:${places[part].region}:${places[part].account}:bucket-${n}`,
        StatusExtended: `text ${n}`,
      })),
    );

const nuclei: Writer = (part, results) =>
  lines(
    results.map((n) => ({
      'template-id': `t${n}`,
      info: { name: `T ${n}`, severity: 'high' },
      host: `https://${part}.example`,
      'matched-at': `https://${part}.example/path/${n}`,
      type: 'http',
    })),
  );

const checkov: Writer = (part, results) =>
  json({
    check_type: part === 'a' ? 'terraform' : 'dockerfile',
    results: {
      passed_checks: [],
      parsing_errors: [],
      failed_checks: results.map((n) => ({
        check_id: `CKV_${n}`,
        check_name: `Check ${n}`,
        check_result: { result: 'FAILED' },
        file_path: `/${part}.x`,
        file_line_range: [n, n + 1],
        resource: `r.${n}`,
      })),
    },
    summary: { passed: 0, failed: results.length, parsing_errors: 0, checkov_version: '3.2.0' },
  });

const kics: Writer = (part, results) =>
  json({
    kics_version: 'v2.1.0',
    files_scanned: 3,
    files_failed_to_scan: 0,
    queries_failed_to_execute: 0,
    paths: [`/path/infra/${part}`],
    total_counter: results.length,
    queries: results.map((n) => ({
      query_name: `Query ${n}`,
      query_id: `id-${n}`,
      severity: 'HIGH',
      platform: 'Terraform',
      category: 'c',
      description: 'd',
      files: [
        {
          file_name: `../../path/infra/${part}/${n}.tf`,
          similarity_id: `${part}${n}`,
          line: n,
          resource_name: `r${n}`,
        },
      ],
    })),
  });

const terrascan: Writer = (part, results) =>
  json({
    results: {
      violations: results.map((n) => ({
        rule_name: `rule${n}`,
        rule_id: `AC_${n}`,
        description: 'd',
        severity: 'HIGH',
        category: 'c',
        file: `${n}.x`,
        line: n,
        resource_name: 'r',
        resource_type: 't',
      })),
      scan_summary: {
        'file/folder': '/tmp/x',
        iac_type: part === 'a' ? 'terraform' : 'k8s',
        violated_policies: results.length,
      },
    },
  });

const dependencyCheck: Writer = (part, results) =>
  json({
    reportSchema: '1.1',
    scanInfo: { engineVersion: '12.0.0' },
    projectInfo: { name: `project ${part}`, reportDate: '2026-11-20T10:00:00Z' },
    dependencies: results.map((n) => ({
      isVirtual: false,
      fileName: `lib${n}.jar`,
      filePath: `/x/lib${n}.jar`,
      packages: [{ id: `pkg:maven/g/lib${n}@1` }],
      vulnerabilities: [{ source: 'NVD', name: `CVE-2026-00${n}`, severity: 'HIGH', description: 'd' }],
    })),
  });

const clamav: Writer = (part, results) =>
  [
    ...[1, 2, 3].map((n) => `/data/${part}/${n}.bin: ${results.includes(n) ? `Win.Test.EICAR-${n} FOUND` : 'OK'}`),
    `/data/${part}/lib/4.bin: OK`,
    '',
    '----------- SCAN SUMMARY -----------',
    `Infected files: ${results.length}`,
    '',
  ].join('\n');

const checkmarx: Writer = (part, results) =>
  `<?xml version="1.0" encoding="utf-8"?>
<CxXMLResults ProjectName="Project ${part}" ScanStart="Friday, November 20, 2026 10:00:00 AM" CheckmarxVersion="9">
${results
  .map(
    (n) => `<Query id="${n}" cweId="79" name="Query_${n}" group="g" Severity="High" Language="Java" LanguageHash="1">
<Result NodeId="${n}" FileName="src/${n}.java" Status="New" Line="${n}" Column="1" FalsePositive="False" Severity="High" state="0">
<Path ResultId="1" PathId="${n}" SimilarityId="${n}"><PathNode><FileName>src/${n}.java</FileName><Line>${n}</Line><Column>1</Column>
<NodeId>1</NodeId><Name>x</Name><Type></Type><Length>1</Length><Snippet><Line><Number>${n}</Number><Code>use(${n})</Code></Line></Snippet></PathNode></Path>
</Result></Query>`,
  )
  .join('\n')}
</CxXMLResults>`;

/** Two linters in a format that many write. */
const checkstyleOfLinters: Writer = (part, results) =>
  `<?xml version="1.0" encoding="utf-8"?><checkstyle version="4.3">${results
    .map(
      (n) => `<file name="src/${n}.js"><error line="${n}" column="1" severity="error" message="Result ${n}"
        source="${part === 'a' ? 'eslint.rules.no-eval' : 'stylelint.rules.color-no-hex'}" /></file>`,
    )
    .join('')}</checkstyle>`;

const codeclimateOfLinters: Writer = (part, results) =>
  json(
    results.map((n) => ({
      type: 'issue',
      engine_name: part === 'a' ? 'rubocop' : 'eslint',
      check_name: `${part}-check-${n}`,
      description: `Result ${n}`,
      categories: ['Style'],
      severity: 'minor',
      location: { path: `src/${n}.x`, lines: { begin: n, end: n } },
    })),
  );

const WRITERS: readonly (readonly [name: string, tool: string, write: Writer])[] = [
  ['SARIF of two languages', 'sarif', sarif],
  ['OpenGrep on two folders', 'opengrep', opengrep],
  ['Bandit on two folders', 'bandit', bandit],
  ['Trivy for packages and for secrets', 'trivy', trivy],
  ['two scans of a GitLab pipeline', 'gitlab', gitlab],
  [
    'Prowler on two accounts',
    'prowler',
    prowlerOf({
      a: { account: '111111111111', region: 'eu-west-1' },
      b: { account: '222222222222', region: 'eu-west-1' },
    }),
  ],
  [
    'Prowler on two regions',
    'prowler',
    prowlerOf({
      a: { account: '111111111111', region: 'eu-west-1' },
      b: { account: '111111111111', region: 'us-east-2' },
    }),
  ],
  ['Nuclei on two hosts', 'nuclei', nuclei],
  ['Checkov for two frameworks', 'checkov', checkov],
  ['KICS on two folders', 'kics', kics],
  ['Terrascan for two types', 'terrascan', terrascan],
  ['Dependency-Check of two projects', 'owasp-dependency-check', dependencyCheck],
  ['ClamAV on two folders', 'clamav', clamav],
  ['Checkmarx of two projects', 'checkmarx', checkmarx],
  ['checkstyle of two linters', 'checkstyle', checkstyleOfLinters],
  ['Code Climate of two linters', 'codeclimate', codeclimateOfLinters],
];

describe('two parts of one tool', () => {
  test.each(WRITERS)('%s', async (name, tool, write) => {
    const repositoryId = await scene.addRepository(name);
    const upload = (part: 'a' | 'b', ...results: number[]) => scene.import(tool, write(part, results), repositoryId);
    expect(await upload('a', 1, 2, 3)).toMatchObject({ total: 3, new: 3 });
    expect(await upload('b', 1, 2, 3), 'the other part').toMatchObject({ total: 3, new: 3, closed: 0 });
    expect(await upload('a', 1, 2, 3), 'the first again').toMatchObject({
      new: 0,
      unchanged: 3,
      reopened: 0,
      closed: 0,
    });
    expect(await upload('b', 1, 2, 3), 'the other again').toMatchObject({
      new: 0,
      unchanged: 3,
      reopened: 0,
      closed: 0,
    });
    expect(await upload('a', 1, 3), 'one gone in the first').toMatchObject({ unchanged: 2, closed: 1 });
    expect(await upload('b', 1, 2), 'one gone in the other').toMatchObject({ unchanged: 2, closed: 1 });
  });
});

describe('reports of linters in a format that many write', () => {
  const numbers = (count: number): number[] => [...Array(count).keys()].map((n) => n + 1);

  test('what a linter leaves out is held back as without a part: it may have looked elsewhere', async () => {
    const repositoryId = await scene.addRepository('one linter, two folders');
    await scene.import('checkstyle', checkstyleOfLinters('a', [1, 2, 3]), repositoryId);
    expect(await scene.import('checkstyle', checkstyleOfLinters('a', [7, 8, 9]), repositoryId)).toMatchObject({
      new: 3,
      closed: 0,
      held: 3,
    });
  });

  test('a report without results is about the only linter, and a small one closes nothing of a large one', async () => {
    const repositoryId = await scene.addRepository('large and small');
    const upload = (part: 'a' | 'b', count: number) =>
      scene.import('codeclimate', codeclimateOfLinters(part, numbers(count)), repositoryId);
    await upload('a', 2);
    expect(await upload('a', 0)).toMatchObject({ closed: 0, held: 2 });
    await upload('b', 12);
    expect(await upload('a', 2), 'the small one').toMatchObject({ unchanged: 2, closed: 0, held: 0 });
    expect(await upload('b', 12), 'the large one').toMatchObject({ unchanged: 12, closed: 0, held: 0 });
  });
});

const bom = (root: string, names: readonly string[]): string =>
  json({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { type: 'application', name: root, 'bom-ref': 'root' } },
    components: names.map((name) => ({ type: 'library', name, version: '1', 'bom-ref': name })),
  });
const spdx = (root: string, names: readonly string[]): string =>
  json({
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'document',
    creationInfo: { created: '2026-11-20T10:00:00Z', creators: ['Tool: example-1.0'] },
    packages: [root, ...names].map((name) => ({
      SPDXID: `SPDXRef-${name}`,
      name,
      versionInfo: '1',
      downloadLocation: 'NOASSERTION',
    })),
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: `SPDXRef-${root}` },
    ],
  });
const syft = (root: string, names: readonly string[]): string =>
  json({
    artifacts: names.map((name) => ({
      id: name,
      name,
      version: '1',
      type: 'npm',
      foundBy: 'x',
      purl: `pkg:npm/${name}@1`,
    })),
    artifactRelationships: [],
    source: { id: '1', name: root, type: 'directory', metadata: { path: root } },
    descriptor: { name: 'syft', version: '1.0.0' },
    schema: { version: '16.0.0' },
  });

describe('the inventories of two applications', () => {
  test.each([
    ['cyclonedx', bom],
    ['spdx', spdx],
    ['syft', syft],
  ] as const)('%s', async (tool, write) => {
    const repositoryId = await scene.addRepository(tool);
    const listed = async () =>
      (
        await scene.rows<{ name: string }>(
          'select name from components where repository_id = $1 and removed_at is null and name like $2 order by name',
          [repositoryId, 'lib%'],
        )
      ).map(({ name }) => name);
    await scene.import(tool, write('shop', ['lib-1', 'lib-2', 'lib-3', 'lib-4']), repositoryId);
    await scene.import(tool, write('stock', ['lib-8', 'lib-9']), repositoryId);
    expect(await listed()).toEqual(['lib-1', 'lib-2', 'lib-3', 'lib-4', 'lib-8', 'lib-9']);
    await scene.import(tool, write('shop', ['lib-1']), repositoryId);
    expect(await listed()).toEqual(['lib-1', 'lib-8', 'lib-9']);
  });
});
