import { readFile } from 'node:fs/promises';
import { FINDING_TYPES, SEVERITIES, type TableMapping } from '@breakwater/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { parseBytes, parseText } from '../../testing/samples.ts';
import { FIELD_NAMES } from './fields.ts';
import { breakwater } from './parser.ts';

const least = { title: 'Weak hash', severity: 'high', type: 'SAST' };
const report = (findings: unknown, rest: object = {}) =>
  JSON.stringify({ format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings, ...rest });

const fileText = (name: string): string => {
  const file = breakwater.files?.find((one) => one.name === name);
  if (file === undefined) throw new Error(`no file ${name}`);
  return file.text;
};

describe('JSON', () => {
  it('takes all fields of a finding', async () => {
    const finding = {
      ...least,
      ...{ rule_id: 'R1', file_path: './src\\a.py', start_line: 3, end_line: 4, start_column: 1, end_column: 9 },
      ...{
        code: 'md5(x)',
        description: 'Long',
        mitigation: 'Use another',
        native_severity: 'P1',
        resource: 'arn:aws:s3:::b',
      },
      ...{
        component: 'lodash',
        component_version: '1',
        fixed_version: '2',
        purl: 'pkg:npm/lodash@1',
        cve: 'cve-2024-1234',
      },
      ...{ aliases: ['GHSA-aaaa-bbbb-cccc'], cwe: [328, 'CWE-79'], cvssv3_score: 7.5, cvssv3_vector: 'CVSS:3.1/AV:N' },
      ...{
        references: ['https://a.example', 'https://b.example'],
        language: 'Python',
        tags: ['a'],
        policy_name: 'CIS',
      },
      ...{
        fingerprint: 'f',
        date: '2026-01-02',
        published: '2024-03-04',
        verdict: 'false_positive',
        verdict_reason: 'Tested',
      },
      ...{ locations: [{ file_path: 'b.py', start_line: 7 }], code_flows: [[{ file_path: 'c.py', message: 'in' }]] },
    };
    const { findings, unreadable } = await parseText(breakwater, report([finding]));
    expect(unreadable).toEqual([]);
    expect(findings[0]).toMatchObject({
      ...{ ruleId: 'R1', title: 'Weak hash', type: 'SAST', severity: 'high', nativeSeverity: 'P1', cwe: [328, 79] },
      locations: [
        { path: 'src/a.py', startLine: 3, endLine: 4, snippet: 'md5(x)' },
        { path: 'b.py', startLine: 7 },
      ],
      codeFlows: [[{ path: 'c.py', message: 'in' }]],
      component: { name: 'lodash', version: '1', fixedVersion: '2', purl: 'pkg:npm/lodash@1', ecosystem: 'npm' },
      ...{ cve: 'CVE-2024-1234', aliases: ['CVE-2024-1234', 'GHSA-aaaa-bbbb-cccc'], cvssScore: 7.5 },
      ...{ references: ['https://a.example', 'https://b.example'], policy: { name: 'CIS' }, tags: ['a'] },
      ...{ suppressed: { verdict: 'false_positive', reason: 'Tested' }, date: '2026-01-02T00:00:00.000Z' },
      published: '2024-03-04T00:00:00.000Z',
    });
  });

  it.each([
    [{ severity: 'sev1' }, '“severity” must be one of critical, high, medium, low, informational: it is “sev1”'],
    [{ type: 'Code' }, '“type” must be one of SAST'],
    [{ title: '' }, '“title” is missing'],
    [{ severity: undefined }, '“severity” is missing'],
    [{ start_line: 'ten' }, '“start_line” must be a whole number from 1: it is “ten”'],
    [{ start_line: 1.5 }, '“start_line” must be a whole number from 1: it is “1.5”'],
    [{ cvssv3_score: 75 }, '“cvssv3_score” must be a number from 0 to 10: it is “75”'],
    [{ date: '22/11/2026' }, '“date” must be a date such as 2026-11-22'],
    [{ cve: 'CVE-1' }, '“cve” must be an id such as CVE-2024-1234'],
    [{ cwe: 'SQL injection' }, '“cwe” must be numbers such as CWE-89'],
    [{ references: 'javascript:alert(1)' }, '“references” must be addresses that begin with https://'],
    [{ verdict: 'maybe' }, '“verdict” must be one of false_positive'],
    [{ secret_hash: 'hunter2' }, '“secret_hash” must be a SHA-256 in hex'],
    [{ description: { text: 'x' } }, '“description” must be a text'],
  ])('a finding with %j is unreadable and says what to write; the rest is imported', async (change, why) => {
    const { findings, unreadable } = await parseText(breakwater, report([{ ...least, ...change }, least]));
    expect(findings).toHaveLength(1);
    expect(unreadable).toEqual([{ kind: 'unreadable', where: 'findings[0]', why: expect.stringContaining(why) }]);
  });

  it('a file without one readable finding is refused', async () => {
    await expect(parseText(breakwater, report([{ title: 'x' }]))).rejects.toThrow(/severity” is missing/);
    await expect(parseText(breakwater, '{"format":"breakwater-findings"}')).rejects.toThrow(/no list “findings”/);
  });

  it('says tool, target, part, files and why the scan is incomplete', async () => {
    const scan = {
      target: 'shop',
      part: 'frontend',
      status: 'incomplete',
      errors: ['a.py'],
      scanned_files: ['./b.py'],
    };
    const { info, coverage, failures } = await parseText(
      breakwater,
      report([], { ...scan, date: '2026-01-02T03:04:05Z' }),
    );
    expect(info).toEqual([{ kind: 'report', toolName: 'Acme', target: 'shop', date: '2026-01-02T03:04:05.000Z' }]);
    expect(coverage).toEqual([
      { kind: 'coverage', part: { part: 'frontend' } },
      { kind: 'coverage', files: ['b.py'] },
    ]);
    expect(failures).toEqual(['The report says that its scan is “incomplete”.', 'a.py']);
  });

  it('gives its findings the name of the scanner, wherever it stands', async () => {
    const text = '{"format":"breakwater-findings","findings":[@],"tool":{"name":"Late"}}'.replace(
      '@',
      JSON.stringify(least),
    );
    const tools = await Promise.all([parseText(breakwater, text), parseText(breakwater, report([least]))]);
    expect(tools.map(({ findings }) => findings[0]?.tool)).toEqual(['Late', 'Acme']);
  });

  it('what surrounds a secret is blanked', async () => {
    const { findings } = await parseText(
      breakwater,
      report([{ ...least, type: 'Secrets', file_path: 'a', code: 'key = "AKIA1234567890ABCDEF"' }]),
    );
    expect(JSON.stringify(findings)).not.toContain('AKIA1234567890ABCDEF');
  });
});

describe('an export of findings', () => {
  const row = (attributes: object) => ({
    _id: '0191c2e0-7b1a-7000-8000-000000000001',
    attributes: {
      ...{ title: 'Weak hash', severity: 'high', type: 'SAST', rule_id: 'B303', file_path: 'a.py', start_line: 3 },
      ...{ tool: 'bandit', cwe: [327], cve: null, component: null, verdict: 'none', status: 'enriched', tags: [] },
      ...attributes,
    },
  });
  const text = (...rows: object[]) => JSON.stringify({ data: rows, meta: { total: rows.length, labels: {} } });

  it('is recognised and read by the same fields, and closes nothing', async () => {
    const exported = text(row({}), row({ verdict: 'accepted_risk' }), row({ status: 'mitigated' }));
    expect(breakwater.recognise(Buffer.from(exported))).toBeGreaterThan(0.8);
    const { findings, failures, unreadable } = await parseText(breakwater, exported);
    expect(unreadable).toEqual([]);
    expect(findings.map(({ suppressed }) => suppressed?.verdict)).toEqual([
      undefined,
      'accepted_risk',
      'mitigated_externally',
    ]);
    expect(findings[0]).toMatchObject({
      tool: 'bandit',
      ruleId: 'B303',
      cwe: [327],
      locations: [{ path: 'a.py', startLine: 3 }],
    });
    expect(failures).toHaveLength(1);
  });

  it('without findings is known too', () => {
    expect(breakwater.recognise(Buffer.from(text()))).toBeGreaterThan(0.8);
  });
});

const HEAD = 'title,severity,type,rule_id,file_path,start_line';

describe('CSV', () => {
  it.each([',', ';', '\t', '|'])('is read with “%s” between its cells', async (separator) => {
    const csv = [HEAD.replaceAll(',', separator), ['"A ""b"""', 'high', 'SAST', 'R', 'a.py', '3'].join(separator)];
    const { findings, unreadable } = await parseText(breakwater, csv.join('\r\n'));
    expect(unreadable).toEqual([]);
    expect(findings).toMatchObject([{ title: 'A "b"', locations: [{ path: 'a.py', startLine: 3 }] }]);
  });

  it('is read as spreadsheets write it: UTF-16, byte-order mark, line that names the separator, decimal comma', async () => {
    const csv = 'sep=;\r\nTitle;Severity;Type;Rule ID;CVSSv3_Score\r\nÜber;HIGH;sast;R;7,5\r\n';
    for (const bytes of [Buffer.from(`\ufeff${csv}`, 'utf16le'), Buffer.from(`\ufeff${csv}`), Buffer.from(csv)]) {
      const { findings } = await parseBytes(breakwater, bytes);
      expect(findings).toMatchObject([{ title: 'Über', severity: 'high', cvssScore: 7.5 }]);
    }
  });

  it('is read where its rows end in a carriage return alone', async () => {
    const csv = `${HEAD}\rA,high,SAST,R1,a.py,1\r"B\r2",low,SAST,R2,b.py,2\r`;
    const { findings, unreadable } = await parseText(breakwater, csv);
    expect(unreadable).toEqual([]);
    expect(findings.map(({ title }) => title)).toEqual(['A', 'B 2']);
  });

  it('takes formulas as text, blank rows as nothing, short rows of a spreadsheet as they are', async () => {
    const csv = `,,,\n${HEAD},code\n"=1+1",high,SAST,R1,a.py,1,'=cmd()\n,,,,,,\n"=""007""",low,SAST,R2,b.py\n`;
    const { findings, unreadable } = await parseText(breakwater, csv);
    expect(unreadable).toEqual([]);
    expect(findings.map(({ title }) => title)).toEqual(['=1+1', '007']);
    expect(findings[0]?.locations?.[0]?.snippet).toBe('=cmd()');
  });

  it('a wrong row is named with its column, a cut last row is unreadable, the rest is imported', async () => {
    const csv = `${HEAD}\nA,high,SAST,R,a.py,x\nB,high,SAST,R,b.py,1\nC,hig`;
    const { findings, unreadable } = await parseText(breakwater, csv);
    expect(findings.map(({ title }) => title)).toEqual(['B']);
    expect(unreadable).toEqual([
      { kind: 'unreadable', where: 'row 2', why: 'column “start_line” must be a whole number from 1: it is “x”' },
      { kind: 'unreadable', where: 'row 4', why: 'has 2 of 6 cells: the file is cut off' },
    ]);
  });

  it('says of its scan what the JSON says, the same in all rows', async () => {
    const csv = `${HEAD},tool,part,scan_status\nA,low,SAST,R,a,1,Acme,api,incomplete\nB,low,SAST,R,b,1,Other,api,incomplete\n`;
    const { findings, info, coverage, failures, unreadable } = await parseText(breakwater, csv);
    expect(info).toEqual([{ kind: 'report', toolName: 'Acme' }]);
    expect(coverage).toEqual([{ kind: 'coverage', part: { part: 'api' } }]);
    expect(failures).toEqual(['The report says that its scan is incomplete.']);
    expect(findings[0]?.tool).toBe('Acme');
    expect(unreadable[0]?.why).toContain('column “tool” must be the same in all rows');
  });
});

const ACME =
  'Issue Name;Risk Level;Source File;Line No;Weakness\nXSS;Sev 1;src/a.js;3;CWE-79\nWeak;Sev 3;src/b.js;4;\n';
const mapping: TableMapping = {
  tool: 'Acme scanner',
  fields: [
    { field: 'title', column: 'Issue Name' },
    { field: 'severity', column: 'Risk Level' },
    { field: 'file_path', column: 'Source File' },
    { field: 'start_line', column: 'Line No' },
    { field: 'type', value: 'DAST' },
  ],
  severities: [
    { word: 'SEV 1', severity: 'critical' },
    { word: 'sev 3', severity: 'low' },
  ],
};
const parseMapped = async (text: string, using: TableMapping) => {
  const records = [];
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  for await (const record of breakwater.parse(bytes, { signal: new AbortController().signal, mapping: using }))
    records.push(record);
  return records;
};

describe('a mapping of columns', () => {
  it('reads a table of a scanner that is not known, under the name that it gives', async () => {
    expect(await parseMapped(ACME, mapping)).toMatchObject([
      {
        kind: 'finding',
        tool: 'Acme scanner',
        title: 'XSS',
        ruleId: 'XSS',
        type: 'DAST',
        severity: 'critical',
        nativeSeverity: 'Sev 1',
      },
      { kind: 'finding', title: 'Weak', severity: 'low', locations: [{ path: 'src/b.js', startLine: 4 }] },
      { kind: 'report', toolName: 'Acme scanner' },
    ]);
  });

  it.each([
    [{ field: 'title', column: 'Gone' }, /no column “Gone”.*Issue Name, Risk Level/],
    [{ field: 'constructor', column: 'Issue Name' }, /names a field “constructor”/],
  ])('that does not fit is refused: %j', async (field, message) => {
    await expect(parseMapped(ACME, { ...mapping, fields: [field] })).rejects.toThrow(message);
  });

  it('is proposed from the names of the columns and what they hold, and shown with the first findings', async () => {
    const preview = await breakwater.tables?.preview(Buffer.from(ACME), { isWhole: true });
    expect(preview).toMatchObject({
      ...{ separator: ';', columns: ['Issue Name', 'Risk Level', 'Source File', 'Line No', 'Weakness'] },
      words: [
        { word: 'Sev 1', severity: null },
        { word: 'Sev 3', severity: null },
      ],
    });
    expect(Object.fromEntries(preview?.proposal.fields.map((one) => [one.field, one]) ?? [])).toEqual({
      title: { field: 'title', column: 'Issue Name' },
      severity: { field: 'severity', column: 'Risk Level' },
      file_path: { field: 'file_path', column: 'Source File' },
      start_line: { field: 'start_line', column: 'Line No' },
      cwe: { field: 'cwe', column: 'Weakness' },
      type: { field: 'type', value: 'SAST' },
    });
    expect(preview?.records[0]).toMatchObject({ where: 'row 2', why: expect.stringContaining('“Risk Level”') });
    const mapped = await breakwater.tables?.preview(Buffer.from(ACME), { isWhole: true, mapping });
    expect(mapped?.words.map(({ severity }) => severity)).toEqual(['critical', 'low']);
    expect(mapped?.records.map(({ kind }) => kind)).toEqual(['finding', 'finding']);
  });

  it('of a table whose first line names the separator begins below the names of the columns', async () => {
    const preview = await breakwater.tables?.preview(Buffer.from(`sep=;\r\n${ACME}`), { isWhole: true, mapping });
    expect(preview?.words.map(({ word }) => word)).toEqual(['Sev 1', 'Sev 3']);
    expect(preview?.rows[0]?.[0]).toBe('XSS');
  });

  it('a beginning that ends in a row leaves that row out', async () => {
    const head = Buffer.from(`${ACME}Cut off;Sev`);
    const preview = await breakwater.tables?.preview(head, { isWhole: false, mapping });
    expect(preview?.records).toHaveLength(2);
  });

  it('is not offered for what is no table', async () => {
    for (const text of ['{"a":1,"b":2}', '<a>1,2</a>', 'only one column\n1\n', '', 'x'])
      expect(breakwater.tables?.isTable(Buffer.from(text)), text).toBe(false);
    await expect(breakwater.tables?.preview(Buffer.from('one\n'), { isWhole: true })).rejects.toThrow(/is no table/);
    expect(breakwater.recognise(Buffer.from(ACME))).toBe(0);
    expect(breakwater.tables?.isTable(Buffer.from(ACME))).toBe(true);
  });
});

describe('schema and templates', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  const validate = ajv.compile(JSON.parse(fileText('schema.json')));

  it('the JSON template is valid, and both templates say the same findings', async () => {
    expect(validate(JSON.parse(fileText('template.json'))), JSON.stringify(validate.errors)).toBe(true);
    const [json, csv] = await Promise.all(
      ['template.json', 'template.csv'].map((name) => parseText(breakwater, fileText(name))),
    );
    expect(csv?.findings).toEqual(json?.findings);
    expect(json?.findings).toHaveLength(2);
  });

  it('what the schema takes is read whole, and what it refuses of the required fields is not', async () => {
    const finding = fc.record(
      {
        title: fc.string({ minLength: 1, maxLength: 50 }).filter((text) => text.replaceAll('\0', '').trim() !== ''),
        severity: fc.constantFrom(...SEVERITIES, 'bad'),
        type: fc.constantFrom(...FINDING_TYPES, 'Bad'),
        start_line: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constant('no')),
        cwe: fc.oneof(fc.integer({ min: 1, max: 99_999 }), fc.constantFrom('CWE-79', 'none of ours')),
        cvssv3_score: fc.oneof(fc.double({ min: 0, max: 10, noNaN: true }), fc.constant(11)),
        date: fc.constantFrom('2026-11-22', '2026-11-22T10:00:00Z', 'yesterday'),
      },
      { requiredKeys: ['title', 'severity', 'type'] },
    );
    await fc.assert(
      fc.asyncProperty(finding, async (one) => {
        const text = report([least, one]);
        const { unreadable } = await parseText(breakwater, text);
        expect(unreadable.length, JSON.stringify(one)).toBe(validate(JSON.parse(text)) ? 0 : 1);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('the page of the documentation names every field', async () => {
    const page = await readFile(new URL('../../../../../../docs/report-format.md', import.meta.url), 'utf8');
    for (const field of FIELD_NAMES) expect(page).toContain(`| \`${field}\` |`);
  });
});
