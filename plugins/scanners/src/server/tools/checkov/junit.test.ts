import { expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { checkov } from './parser.ts';

test('JUnit says what makes a finding the same as in the JSON', async () => {
  const read = async (file: string) =>
    (await parseBytes(checkov, sampleBytes(`checkov/${file}`))).findings.map((finding) => {
      const { ruleId, title, type, severity, nativeSeverity, resource, references, locations } = finding;
      return { ruleId, title, type, severity, nativeSeverity, resource, references, place: locations?.[0] };
    });
  expect(await read('made_synthetic.junit.xml')).toEqual(await read('hd_checkov_synthetic.json'));
});

const suite = (name: string, tests: string) =>
  `<?xml version="1.0" ?>\n<testsuites>\n<testsuite name="${name}" tests="1">${tests}</testsuite></testsuites>`;

test('a vulnerable package', async () => {
  const text = `
Description: Django before 1.11.27 allows account takeover.
Link: https://nvd.nist.gov/vuln/detail/CVE-2019-19844
Published Date: 2019-12-18T20:15:00+01:00
Base Score: 9.8
Vector: CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H
Fix Details:
  Status: fixed in 3.0.1
  Fixed Version: 3.0.1

Resource: requirements.txt.django
File: /requirements.txt: 0-0

\t\t0 | django: 1.2
`;
  const failure = `<testcase name="[CRITICAL][CVE-2019-19844] django: 1.2" classname="/requirements.txt.django" file="/requirements.txt"><failure type="failure" message="SCA package scan">${text}</failure></testcase>`;
  const { findings } = await parseText(checkov, suite('sca_package scan', failure));
  expect(findings[0]).toMatchObject({
    ruleId: 'CKV_CVE_2019_19844',
    cve: 'CVE-2019-19844',
    type: 'SCA',
    severity: 'critical',
    component: { name: 'django', version: '1.2', fixedVersion: '3.0.1' },
  });
});

test('passed and skipped checks are none; tests of another tool are refused', async () => {
  const passed = '<testcase name="[NONE][CKV_A] a"/><testcase name="[NONE][CKV_B] b"><skipped message="c"/></testcase>';
  expect((await parseText(checkov, suite('terraform scan', passed))).findings).toEqual([]);
  await expect(parseText(checkov, suite('terraform scan', '<testcase name="adds"/>'))).rejects.toMatchObject({
    code: 'report_wrong_tool',
  });
  await expect(parseText(checkov, suite('unit tests', passed))).rejects.toThrow('checkov -o json');
});
