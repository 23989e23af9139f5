import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { checkmarx } from './parser.ts';
import { packageOf } from './sca.ts';

const read = async (value: unknown) => (await parseText(checkmarx, JSON.stringify(value))).findings;
const cli = (...results: object[]) => ({ results, totalCount: results.length, scanID: 'x' });

describe('checkmarx SAST XML', () => {
  const xml = (query: string, result: string, inner = '') =>
    `<?xml version="1.0" encoding="utf-8"?><CxXMLResults ScanStart="Sunday, February 25, 2018 11:35:52 AM" CheckmarxVersion="9.5.0">
      <Query id="595" cweId="79" name="Stored_XSS" group="Java_High_Risk" Severity="High" Language="CSharp" ${query}>
      <Result FileName="a\\B.cs" Line="39" Column="5" FalsePositive="False" Severity="Low" state="0" ${result}>
      <Path SimilarityId="42">${inner}</Path></Result></Query></CxXMLResults>`;
  const node = (line: number) =>
    `<PathNode><FileName>a\\B.cs</FileName><Line>${line}</Line><Column>5</Column><Name>n${line}</Name><Snippet><Line><Number>${line}</Number><Code> x &lt; ${line};</Code></Line></Snippet></PathNode>`;

  test('a path: place, sink, steps; what people set wins over the query', async () => {
    const categories = 'categories="OWASP Top 10 2017;A7-XSS,FISMA 2014;Input, Output,PCI;6.5"';
    const { findings, info } = await parseText(
      checkmarx,
      xml(categories, 'DeepLink="https://h/x?a=1&amp;b=2"', node(39) + node(47)),
    );
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: '595',
        title: 'Stored_XSS',
        type: 'SAST',
        severity: 'low',
        nativeSeverity: 'Low',
        cwe: [79],
        references: ['https://h/x?a=1&b=2'],
        locations: [
          { path: 'a/B.cs', startLine: 39, startColumn: 5, snippet: 'x < 39;' },
          { path: 'a/B.cs', startLine: 47, startColumn: 5, snippet: 'x < 47;', message: 'n47' },
        ],
        codeFlows: [
          [
            { path: 'a/B.cs', startLine: 39, startColumn: 5, snippet: 'x < 39;', message: 'n39' },
            { path: 'a/B.cs', startLine: 47, startColumn: 5, snippet: 'x < 47;', message: 'n47' },
          ],
        ],
        fingerprint: '42',
        policy: { category: 'Java High Risk' },
        date: '2018-02-25T11:35:52.000Z',
        tags: ['OWASP Top 10 2017: A7-XSS', 'FISMA 2014: Input, Output', 'PCI: 6.5'],
        language: 'csharp',
      },
    ]);
    expect(info).toMatchObject([{ toolVersion: '9.5.0', date: '2018-02-25T11:35:52.000Z' }]);
  });

  test.each([
    ['state="1" Remark="Checked."', { verdict: 'false_positive', reason: 'Not exploitable: Checked.' }],
    ['state="4"', undefined],
    ['Status="Fixed"', { verdict: 'mitigated_externally', reason: 'Fixed' }],
  ])('%s', async (attributes, suppressed) => {
    const text = xml('', '').replace(
      'state="0"',
      attributes.includes('state') ? attributes : `state="0" ${attributes}`,
    );
    expect((await parseText(checkmarx, text)).findings[0]?.suppressed).toEqual(suppressed);
  });

  test('a scan without results, in UTF-16', async () => {
    const text = '\ufeff<?xml version="1.0" encoding="utf-16"?><CxXMLResults ScanId="1"></CxXMLResults>';
    expect((await parseBytes(checkmarx, Buffer.from(text, 'utf16le'))).findings).toEqual([]);
  });
});

describe('checkmarx One command line', () => {
  const base = { id: 'x', similarityId: '-5', status: 'NEW', state: 'TO_VERIFY', severity: 'HIGH', comments: {} };

  test('packages and images', async () => {
    const found = await read(
      cli(
        {
          ...base,
          type: 'sca',
          id: 'CVE-2022-1234',
          data: {
            packageIdentifier: 'Npm-base64-js-1.0.2',
            packageData: [{ url: 'https://example.com/a' }],
            scaPackageData: { id: 'Npm-base64-js-1.0.2', locations: ['package.json'], isDirectDependency: true },
            recommendedVersion: {},
          },
          vulnerabilityDetails: { cweId: 'CWE-78', cvssScore: 9.8, cveName: 'CVE-2022-1234', cvss: { version: 3 } },
        },
        {
          ...base,
          type: 'containers',
          id: 'CVE-2024-28085',
          data: {
            packageName: 'libuuid1',
            packageVersion: '2.34',
            imageName: 'shop/app',
            imageTag: '1.2',
            imageFilePath: 'Dockerfile',
          },
        },
      ),
    );
    expect(found).toMatchObject([
      {
        type: 'SCA',
        ruleId: 'CVE-2022-1234',
        cwe: [78],
        cvssScore: 9.8,
        component: { name: 'base64-js', version: '1.0.2', ecosystem: 'npm' },
        locations: [{ path: 'package.json' }],
        references: ['https://example.com/a'],
        tags: ['direct'],
      },
      {
        type: 'Container',
        resource: 'shop/app',
        component: { name: 'libuuid1', version: '2.34' },
        cve: 'CVE-2024-28085',
      },
    ]);
    expect(found[0]?.component?.fixedVersion).toBeUndefined();
  });

  test('configuration, secrets, scorecard', async () => {
    const found = await read(
      cli(
        {
          ...base,
          type: 'kics',
          data: {
            queryId: 'fd54 [Taken from query_id]',
            queryName: 'Missing USER',
            fileName: '/Dockerfile',
            line: 3,
            expectedValue: 'A USER',
            value: 'No USER',
            platform: 'Dockerfile',
          },
        },
        {
          ...base,
          type: 'sscs-secret-detection',
          data: { ruleName: 'aws-key', fileName: 'a.env', line: 1, snippet: 'AKIA', value: 'AKIA' },
        },
        { ...base, type: 'sscs-scorecard', data: { ruleName: 'Branch-Protection' } },
      ),
    );
    expect(found).toMatchObject([
      {
        type: 'IaC',
        ruleId: 'fd54',
        title: 'Missing USER',
        mitigation: 'Expected: A USER',
        description: 'Found: No USER',
        locations: [{ path: '/Dockerfile', startLine: 3 }],
      },
      { type: 'Secrets', ruleId: 'aws-key' },
      { type: 'Supply chain' },
    ]);
    expect(JSON.stringify(found)).not.toContain('AKIA');
  });

  test('a verdict with its comment', async () => {
    const [finding] = await read(
      cli({
        ...base,
        type: 'sast',
        state: 'NOT_EXPLOITABLE',
        comments: { comments: 'Dead code' },
        data: { queryName: 'X' },
      }),
    );
    expect(finding?.suppressed).toEqual({ verdict: 'false_positive', reason: 'Not exploitable: Dead code' });
  });
});

describe('checkmarx reports', () => {
  test('the report service since 2024, with its advice by weakness', async () => {
    const found = await read({
      reportHeader: { projectName: 'p' },
      scanResults: {
        resultsList: [
          {
            queryName: 'SSRF',
            queryPath: 'Go/Go_High_Risk/SSRF',
            cweId: 918,
            vulnerabilities: [
              {
                severity: 'High',
                nodes: [],
                sourceFileName: 'a.go',
                sourceLine: 1,
                destinationFileName: 'b.go',
                destinationLine: 2,
              },
            ],
          },
        ],
      },
      iacScanResults: {
        technology: [
          {
            name: 'Dockerfile',
            queries: [
              {
                queryName: 'Missing USER',
                category: 'Build Process',
                resultsList: [{ severity: 'Low', fileName: 'Dockerfile', firstDetectionDate: { seconds: 1700000000 } }],
              },
            ],
          },
        ],
      },
      vulnerabilityDetails: [{ cweId: 918, generalRecommendations: 'Validate addresses.' }],
    });
    expect(found).toMatchObject([
      {
        ruleId: 'SSRF',
        mitigation: 'Validate addresses.',
        language: 'go',
        locations: [
          { path: 'a.go', startLine: 1 },
          { path: 'b.go', startLine: 2 },
        ],
      },
      { type: 'IaC', ruleId: 'Missing USER', policy: { category: 'Build Process' }, date: '2023-11-14T22:13:20.000Z' },
    ]);
  });

  test('the report service before: packages by name and version', async () => {
    const { findings } = await parseBytes(checkmarx, sampleBytes('checkmarx/checkmarx__sample_report.json'));
    expect(findings.find((finding) => finding.cve === 'CVE-2021-23358')).toMatchObject({
      type: 'SCA',
      component: { name: 'underscore', version: '1.10.2', ecosystem: 'npm' },
      cwe: [94],
    });
  });

  test('the SCA risk report', async () => {
    const found = await read({
      RiskReportSummary: { ProjectName: 'p' },
      Packages: [
        {
          Id: 'Npm-a-1.0.0',
          Name: 'a',
          Version: '1.0.0',
          PackageRepository: 'Npm',
          Locations: ['package.json'],
          IsDirectDependency: true,
        },
      ],
      Vulnerabilities: [
        {
          Id: 'CVE-2021-1234',
          CveName: 'CVE-2021-1234',
          Score: 7.5,
          Severity: 'High',
          Cwe: 'CWE-400',
          References: ['https://example.com'],
          Description: 'Text.',
          PackageId: 'Npm-a-1.0.0',
          FixResolutionText: '1.0.1',
          IsIgnored: true,
        },
        { Id: 'Cxabcdef12-3456', PackageId: 'Maven-org.x:y-2.0', Severity: 'Low' },
      ],
    });
    expect(found).toMatchObject([
      {
        cve: 'CVE-2021-1234',
        component: { name: 'a', version: '1.0.0', ecosystem: 'npm', fixedVersion: '1.0.1' },
        suppressed: { verdict: 'accepted_risk' },
        locations: [{ path: 'package.json' }],
      },
      { ruleId: 'Cxabcdef12-3456', component: { name: 'org.x:y', version: '2.0', ecosystem: 'maven' } },
    ]);
  });

  test("CxFlow's issues: a finding for each path and package", async () => {
    const found = await read({
      xissues: [
        {
          vulnerability: 'XSS',
          severity: 'High',
          cwe: '79',
          filename: 'a.java',
          details: { 88: { falsePositive: true, comment: 'Old' } },
          additionalDetails: {
            results: [
              { source: { file: 'a.java', line: '88' }, sink: { file: 'b.java', line: '7' } },
              { source: { file: 'a.java', line: '90' } },
            ],
          },
        },
        {
          vulnerability: 'CVE-2020-1234',
          scaDetails: [
            {
              finding: { id: 'CVE-2020-1234', severity: 'HIGH', score: 8 },
              vulnerabilityPackage: { id: 'Npm-a-1.0', name: 'a', version: '1.0' },
            },
          ],
        },
      ],
    });
    expect(found).toMatchObject([
      { locations: [{ startLine: 88 }, { path: 'b.java' }], suppressed: { verdict: 'false_positive' } },
      { locations: [{ startLine: 90 }] },
      { type: 'SCA', component: { name: 'a', ecosystem: 'npm' }, cvssScore: 8 },
    ]);
  });

  test('CxOSA with its lists in any order', async () => {
    const vulnerability = {
      id: 'D',
      cveName: 'CVE-2020-1234',
      severity: { name: 'High' },
      libraryId: 'L',
      state: { name: 'NOT_EXPLOITABLE' },
    };
    const library = { id: 'L', name: 'lib', version: '1' };
    for (const lists of [
      [[vulnerability], [library]],
      [[library], [vulnerability]],
    ]) {
      expect(await read(lists)).toMatchObject([
        { component: { name: 'lib', version: '1' }, suppressed: { verdict: 'false_positive' } },
      ]);
    }
    expect(await read([[], [library]])).toEqual([]);
  });

  test('CxOSA without the ids of libraries, and its vulnerabilities alone', async () => {
    const vulnerability = {
      ...{ id: 'D', cveName: 'CVE-2020-1234', severity: { name: 'High' }, sourceFileName: 'lib/a.jar' },
      state: { name: 'TO_VERIFY' },
    };
    const wanted = [{ cve: 'CVE-2020-1234', severity: 'high', locations: [{ path: 'lib/a.jar' }] }];
    for (const report of [[[vulnerability], []], [vulnerability]]) expect(await read(report)).toMatchObject(wanted);
  });
});

test.each([
  ['Npm-underscore-1.10.2', {}, 'underscore', '1.10.2'],
  ['Maven-org.apache.logging.log4j:log4j-1.2-api-2.17.0', {}, 'org.apache.logging.log4j:log4j-1.2-api', '2.17.0'],
  ['Maven-a:b-1.4.17.redhat-00001', {}, 'a:b', '1.4.17.redhat-00001'],
  ['Python-x-y-1.0', { version: '1.0' }, 'x-y', '1.0'],
  ['Go-github.com/a/b-v1.2.3', {}, 'github.com/a/b', 'v1.2.3'],
  ['Npm-nameonly', {}, 'nameonly', undefined],
])('package of %s', (identifier, known, name, version) => {
  expect(packageOf(identifier, known)).toMatchObject(version === undefined ? { name } : { name, version });
});
