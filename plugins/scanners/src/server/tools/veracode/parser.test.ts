import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { veracode } from './parser.ts';

const xml = (flaw: string) =>
  `<detailedreport xmlns="https://www.veracode.com/schema/reports/export/1.0" app_name="shop"><severity level="4"><category categoryname="SQL"><desc><para text="Why."/></desc><recommendations><para text="Bind."><bulletitem text="Always"/></para></recommendations><cwe cweid="89" cwename="SQL Injection"><staticflaws><flaw severity="4" issueid="7" cweid="89" sourcefile="A.java" sourcefilepath="src/" line="3" ${flaw}</staticflaws></cwe></category></severity></detailedreport>`;
const finding = {
  issue_id: 7,
  scan_type: 'STATIC',
  description: '<span>Bad &amp; worse.</span><a href="https://cwe.mitre.org/89">CWE</a>',
  finding_status: { status: 'OPEN', resolution: 'UNRESOLVED', resolution_status: 'NONE' },
  finding_details: {
    severity: 5,
    cwe: { id: 89, name: 'SQL Injection' },
    file_path: 'src/A.java',
    file_line_number: 3,
  },
};
const read = (findings: object[], page?: object) =>
  parseText(veracode, JSON.stringify({ _embedded: { findings }, page }));

describe('veracode', () => {
  test('a flaw of the detailed report, with the texts of its category', async () => {
    const { findings, coverage } = await parseText(veracode, xml('description="Here."/>'));
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'CWE-89',
        title: 'SQL Injection',
        type: 'SAST',
        severity: 'high',
        nativeSeverity: 'High',
        description: 'Here.\n\nWhy.',
        mitigation: 'Bind.\n\n- Always',
        cwe: [89],
        locations: [{ path: 'src/A.java', startLine: 3 }],
        fingerprint: '7',
      },
    ]);
    expect(coverage).toEqual([{ kind: 'coverage', part: { application: 'shop' } }]);
  });

  test.each([
    [
      'mitigation_status="accepted"><mitigations><mitigation action="Potential False Positive"/></mitigations></flaw>',
      'false_positive',
    ],
    [
      'mitigation_status="accepted"><mitigations><mitigation action="Mitigate by Design"/></mitigations></flaw>',
      'accepted_risk',
    ],
    ['remediation_status="Fixed"/>', 'mitigated_externally'],
    ['mitigation_status="proposed"/>', undefined],
  ])('%s', async (flaw, verdict) => {
    expect((await parseText(veracode, xml(flaw))).findings[0]?.suppressed?.verdict).toBe(verdict);
  });

  test('a finding of the API is the same flaw', async () => {
    const { findings } = await read([finding]);
    expect(findings).toMatchObject([
      {
        ruleId: 'CWE-89',
        severity: 'critical',
        nativeSeverity: 'Very High',
        description: 'Bad & worse.CWE',
        references: ['https://cwe.mitre.org/89'],
        locations: [{ path: 'src/A.java', startLine: 3 }],
        fingerprint: '7',
      },
    ]);
  });

  test('what was decided; a proposal decides nothing', async () => {
    const state = (status: object) => ({ ...finding, finding_status: status });
    const { findings } = await read([
      state({ status: 'CLOSED', resolution: 'POTENTIAL_FALSE_POSITIVE', resolution_status: 'APPROVED' }),
      state({ status: 'OPEN', resolution: 'POTENTIAL_FALSE_POSITIVE', resolution_status: 'PROPOSED' }),
      state({ status: 'CLOSED', resolution: 'FIXED', resolution_status: 'NONE' }),
    ]);
    expect(findings.map(({ suppressed }) => suppressed?.verdict)).toEqual([
      'false_positive',
      undefined,
      'mitigated_externally',
    ]);
  });

  test('one page of several is an incomplete scan', async () => {
    expect((await read([finding], { total_elements: 2 })).failures).toHaveLength(1);
    expect((await read([finding], { total_elements: 1 })).failures).toEqual([]);
  });

  test('licences in the table of agent-based scans are no vulnerabilities', async () => {
    const head = '"Issue ID","Issue type","Library","Vulnerability ID","CVE","CVSS score"\n';
    const { findings } = await parseText(
      veracode,
      `${head}1,"License","lib","","",\n2,"Vulnerability","lib","9","2020-1234",9\n`,
    );
    expect(findings).toMatchObject([{ ruleId: 'CVE-2020-1234', severity: 'critical', component: { name: 'lib' } }]);
  });
});
