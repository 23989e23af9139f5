import { expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { pmd } from './parser.ts';

const xml = (...inner: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<pmd xmlns="http://pmd.sourceforge.net/report/2.0.0" version="7.7.0" timestamp="2024-11-22T10:00:00.000">${inner.join('')}</pmd>`;
const json = (fields: object) =>
  JSON.stringify({
    formatVersion: 0,
    pmdVersion: '7.7.0',
    timestamp: '2024-11-22T10:00:00.000Z',
    files: [],
    ...fields,
  });
const violation = (attributes = '') =>
  `<file name="src/A.java"><violation beginline="3" endline="4" begincolumn="5" endcolumn="9" rule="EmptyCatchBlock" ruleset="Error Prone" ${attributes}>\nAvoid empty catch blocks\n</violation></file>`;

test('a violation, with the page of its rule', async () => {
  const { findings, info } = await parseText(
    pmd,
    xml(violation('externalInfoUrl="https://docs.pmd-code.org/rule" priority="1"')),
  );
  expect(findings).toEqual([
    {
      kind: 'finding',
      ruleId: 'EmptyCatchBlock',
      title: 'Avoid empty catch blocks',
      type: 'SAST',
      severity: 'high',
      nativeSeverity: 'High',
      description: 'Avoid empty catch blocks',
      references: ['https://docs.pmd-code.org/rule'],
      locations: [{ path: 'src/A.java', startLine: 3, endLine: 4, startColumn: 5, endColumn: 9 }],
      policy: { category: 'Error Prone' },
    },
  ]);
  expect(info).toMatchObject([{ toolName: 'PMD', toolVersion: '7.7.0' }]);
});

test('CSV, XML and JSON give the same findings, below the checkout', async () => {
  const identity = async (file: string) =>
    (await parseBytes(pmd, sampleBytes(`pmd/${file}`))).findings
      .filter(({ suppressed }) => suppressed === undefined)
      .map(({ ruleId, title, severity, locations }) => [ruleId, title, severity, locations?.[0]?.path]);
  const csv = await identity('many_vulns.csv');
  expect(csv[0]?.at(-1)).toBe('.mvn/wrapper/MavenWrapperDownloader.java');
  expect(await identity('made_many.xml')).toEqual(csv);
  expect(await identity('made_many.json')).toEqual(csv);
});

test('files that could not be analysed and rules that did not run make the scan incomplete', async () => {
  const failures = ['src/B.java: ParseException', 'The rule Slow did not run: no such property'];
  const fromXml = await parseText(
    pmd,
    xml(
      '<error filename="src/B.java" msg="ParseException"><![CDATA[at …]]></error>',
      '<configerror rule="Slow" msg="no such property"/>',
    ),
  );
  expect(fromXml.failures).toEqual(failures);
  const fromJson = await parseText(
    pmd,
    json({
      processingErrors: [{ filename: 'src/B.java', message: 'ParseException', detail: 'at …' }],
      configurationErrors: [{ rule: 'Slow', ruleset: 'x', message: 'no such property' }],
    }),
  );
  expect(fromJson.failures).toEqual(failures);
});

test('what the code suppresses comes in as suppressed, with its reason', async () => {
  const { findings } = await parseBytes(pmd, sampleBytes('pmd/made_many.json'));
  expect(findings.filter(({ suppressed }) => suppressed !== undefined)).toMatchObject([
    { locations: [{ startLine: 40 }], suppressed: { verdict: 'accepted_risk', reason: 'checked by hand' } },
  ]);
});

test('the name of a file behind its violations', async () => {
  const files = [{ violations: [{ rule: 'A', description: 'a', beginline: 2, priority: 5 }], filename: 'src/A.java' }];
  expect((await parseText(pmd, json({ files }))).findings).toMatchObject([
    { severity: 'low', locations: [{ path: 'src/A.java', startLine: 2 }] },
  ]);
});

test('no violation', async () => {
  for (const none of [xml(), json({}), 'Problem,Package,File,Priority,Line,Description,Rule set,Rule\n'])
    expect((await parseText(pmd, none)).findings).toEqual([]);
});

test('a priority that is none of PMD, and a violation without a rule', async () => {
  const { findings } = await parseText(pmd, xml(violation('priority="constructor"')));
  expect(findings).toMatchObject([{ severity: 'informational' }]);
  await expect(
    parseText(pmd, xml('<file name="a"><violation beginline="1">x</violation></file>')),
  ).rejects.toMatchObject({ code: 'report_wrong_tool' });
});

test('SARIF of PMD is known; copied code is a report of another tool', async () => {
  const run = {
    tool: { driver: { name: 'PMD', version: '7.7.0', rules: [{ id: 'EmptyCatchBlock' }] } },
    results: [
      {
        ruleId: 'EmptyCatchBlock',
        message: { text: 'Avoid empty catch blocks' },
        level: 'error',
        locations: [
          { physicalLocation: { artifactLocation: { uri: 'src/A.java' }, region: { startLine: 3, startColumn: 5 } } },
        ],
      },
    ],
  };
  const sarif = JSON.stringify({ version: '2.1.0', runs: [run] });
  expect(pmd.recognise(Buffer.from(sarif))).toBeGreaterThan(0.8);
  expect((await parseText(pmd, sarif)).findings).toMatchObject([
    { ruleId: 'EmptyCatchBlock', severity: 'high', locations: [{ path: 'src/A.java', startLine: 3 }] },
  ]);
  expect(pmd.recognise(Buffer.from('<?xml version="1.0"?>\n<pmd-cpd><duplication lines="9"/></pmd-cpd>'))).toBe(0);
});

test('SARIF names files below the checkout, as the other formats do', async () => {
  const at = (uri: string) => ({
    ruleId: 'DataClass',
    message: { text: 'x' },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 3 } } }],
  });
  const files = ['/builds/team/shop/.mvn/wrapper/A.java', '/builds/team/shop/src/main/java/com/B.java'];
  const run = { tool: { driver: { name: 'PMD' } }, results: files.map((file) => at(`file://${file}`)) };
  const fromSarif = await parseText(pmd, JSON.stringify({ version: '2.1.0', runs: [run] }));
  const violations = files.map((name) => `<file name="${name}"><violation rule="DataClass">x</violation></file>`);
  const fromXml = await parseText(pmd, xml(...violations));
  const paths = ['.mvn/wrapper/A.java', 'src/main/java/com/B.java'];
  for (const { findings } of [fromSarif, fromXml])
    expect(findings.map(({ locations }) => locations?.[0]?.path)).toEqual(paths);
});
