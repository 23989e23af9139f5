import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { terrascan } from './parser.ts';

const read = (file: string) => parseBytes(terrascan, sampleBytes(`terrascan/${file}`));

describe('formats of terrascan', () => {
  test.each(['xml', 'yaml', 'junit.xml'])('%s says what the JSON says', async (form) => {
    const { findings, unreadable } = await read(`made_aws_db_instance.${form}`);
    expect(findings).toEqual((await read('e2e_aws_db_instance_json.json')).findings);
    expect(unreadable).toEqual([]);
  });

  test('an attribute that XML does not allow is no reason to refuse the report', async () => {
    const xml = '<results>\n  <scan_summary iac_type="a" file/folder="/tmp" high="0"></scan_summary>\n</results>';
    expect((await parseText(terrascan, xml)).findings).toEqual([]);
  });

  test('a description that holds the labels of the message', async () => {
    const message =
      'Description: about File: b, Line: 3, and more, File: main.tf, Line: 5, Severity: LOW, Rule Name: n, Rule ID: R1, Resource Name: &#34;&#34;, Resource Type: t, Category: c, d';
    const junit = `<testsuites tests="1" name="TERRASCAN_POLICY_SUITES"><testsuite><testcase name="x"><failure message="${message}"/></testcase>
<testcase name="s"><skipped message="${message}"/></testcase></testsuite></testsuites>`;
    const { findings } = await parseText(terrascan, junit);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      ruleId: 'R1',
      description: 'about File: b, Line: 3, and more',
      locations: [{ path: 'main.tf', startLine: 5 }],
      resource: 't',
      policy: { category: 'c, d' },
    });
  });

  test('YAML that is cut off is refused', async () => {
    const whole = sampleBytes('terrascan/made_aws_db_instance.yaml');
    const cut = whole.subarray(0, whole.indexOf('    scan_summary:'));
    await expect(parseBytes(terrascan, cut)).rejects.toMatchObject({ code: 'report_malformed' });
  });

  test('the text for people is refused with the command that writes JSON', async () => {
    await expect(parseText(terrascan, 'Violation Details -\n\n\tDescription: x')).rejects.toThrow('scan -o json');
  });
});
