import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { sarif } from './parser.ts';

function log(run: object): string {
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Checker' } }, ...run }] });
}
async function only(result: object, run: object = {}) {
  const { findings } = await parseText(
    sarif,
    log({ results: [{ message: { text: 'Something is wrong.' }, ...result }], ...run }),
  );
  expect(findings).toHaveLength(1);
  return findings[0];
}
const place = (uri: string, startLine: number) => ({
  physicalLocation: { artifactLocation: { uri }, region: { startLine } },
});

/** Typed, so that what the tests take for SARIF is SARIF. */
const WHOLE: Log = {
  version: '2.1.0',
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  runs: [
    {
      tool: {
        driver: {
          name: 'Checker',
          semanticVersion: '3.1.4',
          rules: [
            {
              id: 'R1',
              help: { text: 'Bind parameters.' },
              helpUri: 'https://rules.example/R1',
              properties: { 'security-severity': '8.1', tags: ['external/cwe/cwe-089'] },
            },
          ],
        },
      },
      invocations: [{ executionSuccessful: true, endTimeUtc: '2024-05-01T10:00:00Z' }],
      artifacts: [{ location: { uri: 'src/db.py' } }],
      results: [
        {
          ruleId: 'R1',
          ruleIndex: 0,
          level: 'error',
          message: { text: 'Query built from input.' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'src/db.py', index: 0 },
                region: { startLine: 4, startColumn: 2, endLine: 5, endColumn: 9, snippet: { text: 'run(q)' } },
              },
            },
          ],
          partialFingerprints: { primaryLocationLineHash: 'abc:1' },
          suppressions: [{ kind: 'external', status: 'accepted', justification: 'Read-only replica.' }],
        },
      ],
    },
  ],
};

test('a whole log', async () => {
  const { findings, info } = await parseText(sarif, JSON.stringify(WHOLE));
  expect(info).toEqual([
    { kind: 'report', toolName: 'Checker', toolVersion: '3.1.4', date: '2024-05-01T10:00:00.000Z' },
  ]);
  expect(findings).toEqual([
    {
      kind: 'finding',
      tool: 'Checker',
      ruleId: 'R1',
      title: 'Query built from input.',
      type: 'SAST',
      severity: 'high',
      nativeSeverity: 'error',
      severityNumerical: 81,
      cvssScore: 8.1,
      description: 'Query built from input.',
      mitigation: 'Bind parameters.',
      cwe: [89],
      references: ['https://rules.example/R1'],
      locations: [{ path: 'src/db.py', startLine: 4, startColumn: 2, endLine: 5, endColumn: 9, snippet: 'run(q)' }],
      fingerprint: 'abc:1',
      suppressed: { verdict: 'accepted_risk', reason: 'Read-only replica.' },
      tags: ['external/cwe/cwe-089'],
    },
  ]);
});

describe('sarif: which results are findings', () => {
  test.each([
    [undefined, 1],
    ['fail', 1],
    ['pass', 0],
    ['open', 0],
    ['review', 0],
    ['informational', 0],
    ['notApplicable', 0],
  ])('kind %s gives %i', async (kind, count) => {
    expect((await parseText(sarif, log({ results: [{ kind, message: { text: 'x' } }] }))).findings).toHaveLength(count);
  });

  test('a result that the baseline has and this scan has not is no finding', async () => {
    expect(
      (await parseText(sarif, log({ results: [{ baselineState: 'absent' }, { baselineState: 'unchanged' }] })))
        .findings,
    ).toHaveLength(1);
  });

  test('one finding per result with all its places, several runs one after the other', async () => {
    expect(await only({ locations: [place('a.c', 1), place('b.c', 2)] })).toMatchObject({
      locations: [{ path: 'a.c' }, { path: 'b.c' }],
    });
    const run = { tool: { driver: { name: 'x' } }, results: [{ ruleId: 'r' }] };
    expect((await parseText(sarif, JSON.stringify({ version: '2.1.0', runs: [run, run] }))).findings).toHaveLength(2);
  });

  test.each([
    [
      'accepted',
      [{ kind: 'external', status: 'accepted', justification: 'tested' }],
      { verdict: 'accepted_risk', reason: 'tested' },
    ],
    ['without status', [{ kind: 'inSource' }], { verdict: 'accepted_risk' }],
    ['under review', [{ kind: 'external', status: 'underReview' }], undefined],
    ['rejected', [{ kind: 'external', status: 'rejected' }], undefined],
    ['none', [], undefined],
  ])('suppressions: %s', async (_name, suppressions, expected) => {
    expect((await only({ suppressions }))?.suppressed).toEqual(expected);
  });
});

describe('sarif: severity', () => {
  const rule = (rest: object) => ({ tool: { driver: { name: 'Checker', rules: [{ id: 'R1', ...rest }] } } });

  test.each([
    ['the result', { level: 'note' }, { defaultConfiguration: { level: 'error' } }, 'low', 'note'],
    ['the rule', {}, { defaultConfiguration: { level: 'error' } }, 'high', 'error'],
    ['nobody', {}, {}, 'medium', 'warning'],
    ['level none', { level: 'none' }, {}, 'informational', 'none'],
  ])('level from %s', async (_name, result, descriptor, severity, nativeSeverity) => {
    expect(await only({ ruleId: 'R1', ...result }, rule(descriptor))).toMatchObject({ severity, nativeSeverity });
  });

  test.each([
    ['9.8', 'critical', 98],
    [7, 'high', 70],
    ['5.3', 'medium', 53],
    ['0.1', 'low', 1],
  ])('security-severity %s is %s', async (value, severity, severityNumerical) => {
    const finding = await only({ ruleId: 'R1', level: 'note' }, rule({ properties: { 'security-severity': value } }));
    expect(finding).toMatchObject({ severity, severityNumerical, cvssScore: Number(value), nativeSeverity: 'note' });
  });

  test('security-severity as a word, and a severity among the properties', async () => {
    expect(await only({ ruleId: 'R1' }, rule({ properties: { 'security-severity': 'CRITICAL' } }))).toMatchObject({
      severity: 'critical',
    });
    expect(await only({ level: 'error', properties: { severity: 'low' } })).toMatchObject({
      severity: 'low',
      nativeSeverity: 'error',
    });
  });
});

describe('sarif: rules and messages', () => {
  const rules = [
    { id: 'A' },
    {
      id: 'B',
      shortDescription: { text: 'Second' },
      messageStrings: { default: { text: 'Use of {0} in {1}, {{literally}}' } },
    },
  ];

  test('by index, by id, by parent id, in an extension', async () => {
    const tool = {
      driver: { name: 'x', rules },
      extensions: [{ name: 'ext', rules: [{ id: 'E', helpUri: 'https://e.example/' }] }],
    };
    expect(await only({ ruleIndex: 1 }, { tool })).toMatchObject({ ruleId: 'B' });
    expect(
      await only({ ruleId: 'B/7', message: { id: 'default', arguments: ['eval', 'a.js'] } }, { tool }),
    ).toMatchObject({
      ruleId: 'B/7',
      title: 'Use of eval in a.js, {literally}',
    });
    expect(await only({ rule: { index: 0, toolComponent: { index: 0 } } }, { tool })).toMatchObject({
      ruleId: 'E',
      references: ['https://e.example/'],
    });
    expect(await only({ ruleId: 'B', ruleIndex: 0, message: {} }, { tool })).toMatchObject({ title: 'Second' });
  });

  test('links inside a message keep their text', async () => {
    expect(
      await only({ message: { text: 'Declared [here](1), see [docs](https://d.example) and a[0](x)' } }),
    ).toMatchObject({
      title: 'Declared here, see [docs](https://d.example) and a[0](x)',
    });
  });

  test('weaknesses from taxa, relationships, tags and properties', async () => {
    const taxonomies = [{ name: 'CWE', guid: 'g', taxa: [{ id: '89' }, { id: '22' }] }];
    const descriptor = {
      id: 'R',
      relationships: [{ target: { id: 'CWE-79', toolComponent: { name: 'CWE' } } }],
      properties: { tags: ['external/cwe/cwe-020', 'OWASP-A01:2021'] },
    };
    const tool = { driver: { name: 'x', rules: [descriptor] } };
    const taxa = [
      { index: 1, toolComponent: { guid: 'g' } },
      { id: '7', toolComponent: { name: 'OWASP' } },
    ];
    const finding = await only({ ruleId: 'R', taxa, properties: { cwe: 'CWE-352: CSRF' } }, { tool, taxonomies });
    expect(finding?.cwe).toEqual([22, 79, 20, 352]);
  });

  test('a long message is a description and a short title', async () => {
    const text = 'word '.repeat(100);
    const finding = await only({ message: { text } });
    expect(finding?.title.length).toBeLessThanOrEqual(200);
    expect(finding?.description).toContain(text.trim());
  });
});

describe('sarif: places', () => {
  test('an artifact by index, escapes in relative addresses, those of files in their folder, those of the web as written', async () => {
    const artifacts = [{ location: { uri: 'src/zero.c' } }, { location: { uri: 'src/a%20b.c' } }];
    expect(
      await only({ locations: [{ physicalLocation: { artifactLocation: { index: 1 } } }] }, { artifacts }),
    ).toMatchObject({ locations: [{ path: 'src/a b.c' }] });
    expect(await only({ locations: [place('file:///src/a.c', 3)] })).toMatchObject({
      locations: [{ path: 'a.c', startLine: 3 }],
    });
    expect(await only({ locations: [place('https://app.example/a%20b?x=%2F', 3)] })).toMatchObject({
      locations: [{ path: 'https://app.example/a%20b?x=%2F' }],
    });
    expect(await only({ locations: [{ logicalLocations: [{ fullyQualifiedName: 'ns::f' }] }] })).toMatchObject({
      locations: [{ path: 'ns::f' }],
    });
  });

  describe('files of a checkout', () => {
    const pathsOf = async (text: string) =>
      (await parseText(sarif, text)).findings.map((finding) => finding.locations?.[0]?.path);
    const at = (root: string, paths: readonly string[]) =>
      paths.map((path) => ({ locations: [place(root + path, 1)] }));
    const FILES = ['src/a.c', 'src/b c.c', 'test/deep/x.c'];

    test.each([
      'file:///home/runner/work/app/',
      'file:///tmp/other%20place/',
      'file:///C:/agent/1/s/',
      'file://build/x/',
    ])('below %s are named from the folder that they have in common', async (root) =>
      expect(await pathsOf(log({ results: at(root, FILES) }))).toEqual(FILES),
    );

    test('of which the report is large, or names its tool last, or has many results in few bytes', async () => {
      const many = Array.from({ length: 3_000 }, (_, n) => `m${n % 7}/file${n}.c`);
      const results = at('file:///w/app/', many);
      expect(await pathsOf(log({ results }))).toEqual(many);
      const last = JSON.stringify({ version: '2.1.0', runs: [{ results, tool: { driver: { name: 'Checker' } } }] });
      expect(await pathsOf(last)).toEqual(many);
    });

    test('are named from the folder that the run declares, however few they are', async () => {
      const results = at('file:///w/app/', ['src/a.c']);
      expect(await pathsOf(log({ results, originalUriBaseIds: { SRCROOT: { uri: 'file:///w/app/' } } }))).toEqual([
        'src/a.c',
      ]);
      const invocations = [{ executionSuccessful: true, workingDirectory: { uri: 'file:///w/app' } }];
      expect(await pathsOf(log({ results, invocations }))).toEqual(['src/a.c']);
      expect(await pathsOf(log({ results, artifacts: [{ location: { uri: 'file:///w/app/b.c' } }] }))).toEqual([
        'src/a.c',
      ]);
      const elsewhere = [{ executionSuccessful: true, workingDirectory: { uri: 'file:///opt/tool' } }];
      expect(await pathsOf(log({ results, invocations: elsewhere }))).toEqual(['a.c']);
    });

    test('outside of what the run declares stay where they are', async () => {
      const results = [...at('file:///w/app/', ['src/a.c']), ...at('file:///usr/include/', ['x.h'])];
      const originalUriBaseIds = { SRCROOT: { uri: 'file:///w/app/' }, TEMP: { uri: 'file:///' } };
      expect(await pathsOf(log({ results, originalUriBaseIds }))).toEqual(['src/a.c', '/usr/include/x.h']);
      expect(await pathsOf(log({ results }))).toEqual(['/w/app/src/a.c', '/usr/include/x.h']);
    });

    test('of two runs are named by their own', async () => {
      const run = (name: string, root: string) => ({ tool: { driver: { name } }, results: at(root, FILES) });
      const text = JSON.stringify({ version: '2.1.0', runs: [run('one', 'file:///a/'), run('two', 'file:///b/c/')] });
      expect(await pathsOf(text)).toEqual([...FILES, ...FILES]);
    });
  });

  test('code flows, their steps by index too', async () => {
    const threadFlowLocations = [{ location: { ...place('b.c', 5), message: { text: 'then' } } }];
    const codeFlows = [{ threadFlows: [{ locations: [{ location: place('a.c', 1) }, { index: 0 }] }] }];
    expect((await only({ codeFlows }, { threadFlowLocations }))?.codeFlows).toEqual([
      [
        { path: 'a.c', startLine: 1 },
        { path: 'b.c', startLine: 5, message: 'then' },
      ],
    ]);
  });

  test.each([
    ['full', { fingerprints: { 'matchBasedId/v1': 'abc' } }, 'abc'],
    [
      'partial',
      { partialFingerprints: { primaryLocationLineHash: 'def:1', primaryLocationStartColumnFingerprint: '4' } },
      'def:1',
    ],
    ['wrapped', { fingerprints: { csvRowSha256: { value: 'ghi' } } }, 'ghi'],
    ['commit data', { partialFingerprints: { commitSha: '1', email: 'a@b.c' } }, undefined],
    ['withheld', { fingerprints: { 'matchBasedId/v1': 'requires login' } }, undefined],
  ])('fingerprint: %s', async (_name, result, expected) => {
    expect((await only(result))?.fingerprint).toBe(expected);
  });
});

describe('sarif: family', () => {
  const typeFor = async (name: string, ruleId: string, tags: string[] = [], family?: string) => {
    const text = log({
      tool: { driver: { name, rules: [{ id: ruleId, properties: { tags } }] } },
      results: [{ ruleId, message: { text: 'x' } }],
    });
    return (await parseText(sarif, text, family)).findings[0]?.type;
  };

  test.each([
    ['CodeQL', 'js/xss', ['security', 'external/cwe/cwe-079'], 'SAST'],
    ['gitleaks', 'aws-key', [], 'Secrets'],
    ['Trivy', 'CVE-2024-1', ['vulnerability'], 'SCA'],
    ['Trivy', 'DS002', ['misconfiguration'], 'IaC'],
    ['Trivy', 'aws', ['secret'], 'Secrets'],
    ['Checkov', 'CKV_AWS_1', [], 'IaC'],
    ['Dockle', 'CIS-DI-0001', [], 'Container'],
    ['Grype', 'GHSA-aaaa-bbbb-cccc-pad', [], 'SCA'],
  ])('%s %s %j is %s', async (tool, rule, tags, type) => {
    expect(await typeFor(tool, rule, tags)).toBe(type);
  });

  test('the chosen catalogue entry tells images from folders', async () => {
    expect(await typeFor('Trivy', 'CVE-2024-1', ['vulnerability'], 'Container')).toBe('Container');
  });

  test("a package named in Trivy's message", async () => {
    const { findings } = await parseBytes(sarif, sampleBytes('sarif/trivy_alpine-310.sarif'));
    expect(findings[0]).toMatchObject({
      component: { name: 'libcrypto1.1', version: '1.1.1c-r0', fixedVersion: '1.1.1d-r0' },
      mitigation: 'Upgrade libcrypto1.1 to 1.1.1d-r0.',
    });
  });
});
