import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parsers } from '../../index.ts';
import { isZip, zipNames } from '../../lib/input/zip.ts';
import { zipOf } from '../../testing/archives.ts';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { fortify } from './parser.ts';
import { severityOf } from './vulnerability.ts';

const withOthers = parsers.find(({ tool }) => tool === 'fortify') ?? fortify;

const FVDL = `<?xml version="1.0" encoding="UTF-8"?>
<FVDL xmlns="xmlns://www.fortifysoftware.com/schema/fvdl" version="1.12">
<CreatedTS date="2025-03-10" time="15:36:03"/>
<Vulnerabilities><Vulnerability>
  <ClassInfo><ClassID>C1</ClassID><Kingdom>Security Features</Kingdom><Type>SQL Injection</Type><AnalyzerName>dataflow</AnalyzerName><DefaultSeverity>4.0</DefaultSeverity></ClassInfo>
  <InstanceInfo><InstanceID>AAAA</InstanceID><InstanceSeverity>4.0</InstanceSeverity><Confidence>5.0</Confidence></InstanceInfo>
  <AnalysisInfo><Unified>
    <ReplacementDefinitions><Def key="PrimaryLocation.file" value="A.java"/></ReplacementDefinitions>
    <Trace><Primary>
      <Entry><NodeRef id="7"/></Entry>
      <Entry><Node isDefault="true"><SourceLocation path="src\\A.java" line="12" lineEnd="12" colStart="4" colEnd="0" snippet="S#1"/><Action type="InCall">query(0)</Action></Node></Entry>
    </Primary></Trace>
  </Unified></AnalysisInfo>
</Vulnerability></Vulnerabilities>
<UnifiedNodePool><Node id="7"><SourceLocation path="src\\A.java" line="10"/><Action>Read id</Action></Node></UnifiedNodePool>
<Description classID="C1"><Abstract>&lt;Content&gt;&lt;Paragraph&gt;In &lt;Replace key="PrimaryLocation.file"/&gt; a query.&lt;AltParagraph&gt;A query.&lt;/AltParagraph&gt;&lt;/Paragraph&gt;&lt;/Content&gt;</Abstract>
  <Explanation>Why &amp;amp; how.</Explanation><Recommendations>&lt;b&gt;Bind&lt;/b&gt; values.</Recommendations>
  <References><Reference><Source>https://example.com/a</Source></Reference></References></Description>
<Snippets><Snippet id="S#1"><File>src/A.java</File><StartLine>10</StartLine><EndLine>13</EndLine><Text>

    run(sql);
}</Text></Snippet></Snippets>
<EngineData><EngineVersion>24.2.0</EngineVersion><RuleInfo><Rule id="C1"><MetaInfo><Group name="Impact">5.0</Group><Group name="Accuracy">5.0</Group><Group name="Probability">4.0</Group><Group name="altcategoryCWE">CWE ID 89, CWE ID 943</Group></MetaInfo></Rule></RuleInfo></EngineData>
</FVDL>`;
const audit = (attributes: string, inner: string) =>
  `<ns2:Audit xmlns:ns2="xmlns://www.fortify.com/schema/audit"><ns2:IssueList><ns2:Issue instanceId="AAAA" ${attributes}>${inner}</ns2:Issue></ns2:IssueList></ns2:Audit>`;
const tag = (value: string) =>
  `<ns2:Tag id="87f2364f-dcd4-49e6-861d-f8d3f351686b"><ns2:Value>${value}</ns2:Value></ns2:Tag>`;

describe('fortify FVDL', () => {
  test('what stands apart in the document is joined', async () => {
    const { findings, info } = await parseText(fortify, FVDL);
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'SQL Injection',
        title: 'SQL Injection',
        type: 'SAST',
        severity: 'critical',
        nativeSeverity: '4.0',
        description: 'In A.java a query.\n\nWhy & how.',
        mitigation: 'Bind values.',
        cwe: [89, 943],
        references: ['https://example.com/a'],
        locations: [
          {
            path: 'src/A.java',
            startLine: 12,
            endLine: 12,
            startColumn: 4,
            message: 'query(0)',
            snippet: '    run(sql);',
          },
        ],
        codeFlows: [
          [
            { path: 'src/A.java', startLine: 10, message: 'Read id' },
            {
              path: 'src/A.java',
              startLine: 12,
              endLine: 12,
              startColumn: 4,
              message: 'query(0)',
              snippet: '    run(sql);',
            },
          ],
        ],
        fingerprint: 'AAAA',
        policy: { category: 'Security Features' },
        tags: ['dataflow'],
      },
    ]);
    expect(info).toEqual([
      { kind: 'report', toolName: 'Fortify', toolVersion: '24.2.0', date: '2025-03-10T15:36:03.000Z' },
    ]);
  });

  test('a gap without a name takes the other paragraph', async () => {
    const { findings } = await parseText(
      fortify,
      FVDL.replace('key="PrimaryLocation.file" value', 'key="Other" value'),
    );
    expect(findings[0]?.description).toBe('A query.\n\nWhy & how.');
  });

  test.each([
    [{ Impact: '5', Accuracy: '5', Probability: '5' }, 'critical'],
    [{ Impact: '5', Accuracy: '1', Probability: '1' }, 'high'],
    [{ Impact: '5', Accuracy: '3.5', Probability: '3.4' }, 'high'],
    [{ Impact: '5', Accuracy: '3.5', Probability: '3.5' }, 'critical'],
    [{ Impact: '1', Accuracy: '5', Probability: '5' }, 'medium'],
    [{ Impact: '1', Accuracy: '1', Probability: '1' }, 'low'],
    [{}, 'high'],
  ])('priority of %j', (rule, expected) => {
    const rating = { severity: '4.0', confidence: '5.0' };
    expect(severityOf(rating, new Map(), new Map(Object.entries(rule)))).toBe(expected);
  });
});

describe('fortify FPR', () => {
  const fpr = (parts: Record<string, string>) => parseBytes(fortify, zipOf(parts));

  test.each([
    [audit('suppressed="true"', ''), { verdict: 'accepted_risk', reason: 'Suppressed in Fortify' }],
    [audit('', tag('Not an Issue')), { verdict: 'false_positive', reason: 'Not an issue' }],
    [audit('', tag('Exploitable')), undefined],
  ])('decisions of people: %s', async (text, suppressed) => {
    const { findings } = await fpr({ 'audit.xml': text, 'src-archive/A.java': 'x', 'audit.fvdl': FVDL });
    expect(findings[0]?.suppressed).toEqual(suppressed);
  });

  test('it is known by the names in it', () => {
    expect(fortify.recognise(zipOf({ VERSION: '1', 'audit.fvdl': FVDL }))).toBeGreaterThan(0.9);
    expect(fortify.recognise(zipOf({ 'security.csv': 'x' }))).toBe(0);
    expect(zipNames(zipOf({ 'a/b.txt': 'x' }))).toEqual(['a/b.txt']);
    expect(isZip(sampleBytes('fortify/hello_world_no_metainfo.fpr'))).toBe(true);
  });

  test('an archive of something else, or a damaged one, is refused', async () => {
    await expect(fpr({ 'a.txt': 'x', 'b.txt': 'y' })).rejects.toMatchObject({ code: 'report_wrong_tool' });
    const bytes = zipOf({ 'audit.fvdl': FVDL });
    await expect(parseBytes(fortify, bytes.subarray(0, bytes.length - 30))).rejects.toMatchObject({
      code: 'report_malformed',
    });
  });

  test('a bomb is refused while it is unpacked', async () => {
    const bomb = zipOf({ 'audit.fvdl': `<FVDL>${' '.repeat(40 * 1024 * 1024)}</FVDL>` });
    expect(bomb.length).toBeLessThan(200_000);
    await expect(parseBytes(fortify, bomb)).rejects.toMatchObject({ code: 'report_too_complex' });
  });

  test('entities in it are refused', async () => {
    const text = '<?xml version="1.0"?><!DOCTYPE FVDL [<!ENTITY a "b">]><FVDL>&a;</FVDL>';
    await expect(fpr({ 'audit.fvdl': text })).rejects.toMatchObject({ code: 'report_malformed' });
  });

  test('the results of WebInspect in it', async () => {
    const scan = sampleBytes('fortify/webinspect_4_2_many_findings.xml').toString('utf8');
    expect((await fpr({ 'webinspect.xml': scan, VERSION: '1' })).findings).toHaveLength(15);
  });
});

describe('fortify XML', () => {
  test('an issue that two sections list is one', async () => {
    const { findings } = await parseBytes(fortify, sampleBytes('fortify/fortify_few_findings_count_chart.xml'));
    expect(new Set(findings.map((finding) => finding.fingerprint)).size).toBe(findings.length);
  });

  test('folder where there is no priority, analysis, source, weakness', async () => {
    const issue = `<Issue iid="A" ruleID="R"><Category>Cross-Site Scripting: Stored</Category><Folder>Critical</Folder><Kingdom>K</Kingdom>
      <Abstract>Text.</Abstract><Tag><Name>Analysis</Name><Value>Not an Issue</Value></Tag><ExternalCategory type="CWE">CWE ID 79</ExternalCategory>
      <Primary><FileName>a.jsp</FileName><FilePath>web/a.jsp</FilePath><LineStart>4</LineStart></Primary>
      <Source><FileName>B.java</FileName><FilePath>src/B.java</FilePath><LineStart>2</LineStart></Source></Issue>`;
    const text = `<ReportDefinition type="standard"><TemplateName>Fortify Developer Workbook</TemplateName><ReportSection><SubSection><IssueListing><Chart><GroupingSection><groupTitle>Cross-Site Scripting: Stored (11 Hidden)</groupTitle>
      <MajorAttributeSummary><MetaInfo><Name>Recommendations</Name><Value>Encode.</Value></MetaInfo></MajorAttributeSummary>${issue}</GroupingSection></Chart></IssueListing></SubSection></ReportSection></ReportDefinition>`;
    expect((await parseText(fortify, text)).findings).toMatchObject([
      {
        severity: 'critical',
        nativeSeverity: 'Critical',
        cwe: [79],
        mitigation: 'Encode.',
        suppressed: { verdict: 'false_positive' },
        locations: [{ path: 'web/a.jsp', startLine: 4 }],
        codeFlows: [[{ path: 'src/B.java' }, { path: 'web/a.jsp' }]],
      },
    ]);
  });

  test('comments and instructions before the root are passed over, once each', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(
      fortify.recognise(bytes(`<?xml version="1.0"?>\n<!-- a > b -->\n<!---->${FVDL.slice(FVDL.indexOf('<FVDL'))}`)),
    ).toBe(0.98);
    // took for ever: a comment could end in as many places as there are comments
    expect(fortify.recognise(bytes(`${'<!---->'.repeat(2000)}x`))).toBe(0);
    expect(fortify.recognise(bytes(`${'<!---->'.repeat(60)}x`))).toBe(0);
    expect(fortify.recognise(bytes('<!-- never closed <FVDL>'))).toBe(0);
  });

  test.each([
    ['can crash the program by dereferencing a null pointer on line 28.', 28],
    ['The call to read() at a.jsp line 7 might allow an attacker to crash it.', 7],
    ['The data came in at Other.java line 9.', undefined],
    ['It draws a line 5 pixels wide.', undefined],
  ])('a line that stands in the sentence alone: %s', async (sentence, startLine) => {
    const issue = (line: string) =>
      `<Issue iid="A" ruleID="R"><Category>Null Dereference</Category><Folder>High</Folder><Abstract>${sentence}</Abstract>
      <Primary><FileName>a.jsp</FileName><FilePath>web/a.jsp</FilePath>${line}</Primary></Issue>`;
    const report = (line: string) =>
      `<ReportDefinition type="standard"><TemplateName>Fortify Developer Workbook</TemplateName><ReportSection><SubSection><IssueListing><Chart><GroupingSection>${issue(line)}</GroupingSection></Chart></IssueListing></SubSection></ReportSection></ReportDefinition>`;
    const linesOf = async (line: string) =>
      (await parseText(fortify, report(line))).findings[0]?.locations?.map((location) => location.startLine);
    expect(await linesOf('')).toEqual([startLine]);
    expect(await linesOf('<LineStart>4</LineStart>')).toEqual([4]);
  });

  test('WebInspect shows what it sent and what came back, of the issue or of its session', async () => {
    const { findings } = await parseBytes(fortify, sampleBytes('fortify/webinspect_4_2_many_findings.xml'));
    expect(
      findings.every(({ http }) => /^GET \/accounts\/login\/.{0,60} HTTP\/1\.1\r?\n/.test(http?.request ?? '')),
    ).toBe(true);
    expect(findings.every(({ http }) => /^HTTP\/1\.1 \d{3} /.test(http?.response ?? ''))).toBe(true);
    const session = `<Sessions><Session><URL>https://h/a</URL><RawRequest>GET /a HTTP/1.1</RawRequest><RawResponse>HTTP/1.1 200 OK</RawResponse><Issues><Issue><VulnerabilityID>5</VulnerabilityID><Name>XSS</Name></Issue></Issues></Session></Sessions>`;
    expect((await parseText(fortify, session)).findings[0]?.http).toEqual({
      request: 'GET /a HTTP/1.1',
      response: 'HTTP/1.1 200 OK',
    });
  });

  test("WebInspect's full export, with weaknesses; queries are not part of the place", async () => {
    const text = `<Sessions><Session requestid="1"><URL>https://h/a?id=1</URL><Issues><Issue id="x"><VulnerabilityID>5649</VulnerabilityID><Severity>4</Severity><Name>XSS</Name>
      <Classifications><Classification kind="CWE" identifier="79">CWE-79</Classification></Classifications></Issue></Issues></Session></Sessions>`;
    expect((await parseText(fortify, text)).findings).toMatchObject([
      { ruleId: '5649', severity: 'critical', type: 'DAST', cwe: [79], locations: [{ path: 'https://h/a' }] },
    ]);
    expect(fortify.recognise(Buffer.from(text))).toBeGreaterThan(0.5);
  });

  test('in UTF-16', async () => {
    const text = FVDL.replace('encoding="UTF-8"', 'encoding="UTF-16"');
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect((await parseBytes(fortify, bytes)).findings).toHaveLength(1);
    expect(fortify.recognise(bytes)).toBeGreaterThan(0.9);
  });

  test('what is no XML is refused by name', async () => {
    await expect(
      parseBytes(fortify, readFileSync(new URL('../../../../package.json', import.meta.url))),
    ).rejects.toMatchObject({
      code: 'report_malformed',
    });
    await expect(parseBytes(withOthers, sampleBytes('grype/am_grype-report.json'))).rejects.toMatchObject({
      code: 'report_wrong_tool',
      message: expect.stringContaining('Grype'),
    });
  });
});
