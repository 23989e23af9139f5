import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { checkov } from './parser.ts';

const check = {
  check_id: 'CKV_AWS_18',
  bc_check_id: 'BC_AWS_S3_13',
  check_name: 'Ensure the S3 bucket has access logging enabled',
  check_result: { result: 'FAILED' },
  code_block: [
    [4, 'resource "aws_s3_bucket" "a" {\n'],
    [5, '}\r\n'],
  ],
  file_path: '\\modules\\s3\\main.tf',
  file_line_range: [4, 5],
  resource: 'aws_s3_bucket.a',
  severity: null,
  guideline: 'https://docs.example/s3-13',
};
const report = (checkType: string, ...failed: object[]) =>
  JSON.stringify({
    check_type: checkType,
    results: { passed_checks: [check], failed_checks: failed, skipped_checks: [check] },
    summary: { checkov_version: '3.2.1' },
  });

async function only(change: object, checkType = 'terraform', family?: string) {
  const { findings } = await parseText(checkov, report(checkType, { ...check, ...change }), family);
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('checkov', () => {
  test('rule, place, code and resource of a failed check; passed and skipped ones are left out', async () => {
    expect(await only({ caller_file_path: '/main.tf', caller_file_line_range: [1, 3] })).toEqual({
      kind: 'finding',
      ruleId: 'CKV_AWS_18',
      title: 'Ensure the S3 bucket has access logging enabled',
      type: 'IaC',
      severity: 'medium',
      references: ['https://docs.example/s3-13'],
      locations: [
        {
          path: '/modules/s3/main.tf',
          startLine: 4,
          endLine: 5,
          snippet: 'resource "aws_s3_bucket" "a" {\n}',
        },
        { path: '/main.tf', startLine: 1, endLine: 3, message: 'Call of the module' },
      ],
      resource: 'aws_s3_bucket.a',
      policy: { name: 'terraform', control: 'BC_AWS_S3_13' },
    });
  });

  test.each([
    ['HIGH', 'high', 'HIGH'],
    [{ id: 'x', name: 'LOW', level: 1 }, 'low', 'LOW'],
    [null, 'medium', undefined],
  ])('severity %j', async (severity, expected, native) => {
    const finding = await only({ severity });
    expect(finding?.severity).toBe(expected);
    expect(finding?.nativeSeverity).toBe(native);
  });

  test.each([
    ['terraform', undefined, 'IaC'],
    ['dockerfile', 'Container', 'Container'],
    ['dockerfile', 'IaC', 'IaC'],
    ['kubernetes', 'Configuration', 'Configuration'],
    ['terraform', 'Secrets', 'IaC'],
    ['github_actions', undefined, 'CI/CD'],
    ['github_configuration', undefined, 'Configuration'],
    ['secrets', 'IaC', 'Secrets'],
    ['sast_python', 'IaC', 'SAST'],
  ])('%s by the entry of %s is %s', async (checkType, family, type) => {
    expect((await only({}, checkType, family))?.type).toBe(type);
  });

  test('a secret is blanked out and known again by the digest the tool gives', async () => {
    const secret = {
      check_id: 'CKV_SECRET_2',
      resource: 'a'.repeat(40),
      code_block: [[3, 'key = "AKIAIOSFODNN7EXAMPLE"']],
    };
    const finding = await only(secret, 'secrets');
    expect(finding).toMatchObject({ type: 'Secrets', severity: 'high', cwe: [798], fingerprint: 'a'.repeat(40) });
    expect(finding?.locations?.[0]?.snippet).toBe('key = "********"');
  });

  test('a vulnerable package', async () => {
    const vulnerable = {
      check_id: 'CKV_CVE_2020_29651',
      check_name: 'SCA package scan',
      short_description: 'CVE-2020-29651 - py: 1.9.0',
      severity: 'HIGH',
      file_line_range: [0, 0],
      vulnerability_details: {
        id: 'CVE-2020-29651',
        severity: 'high',
        package_name: 'py',
        package_version: '1.9.0',
        package_type: 'python',
        link: 'https://nvd.nist.gov/vuln/detail/CVE-2020-29651',
        cvss: 7.5,
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
        description: 'A denial of service via regular expression in the py library.',
        status: 'fixed in 1.10.0',
        lowest_fixed_version: '1.10.0',
      },
    };
    expect(await only(vulnerable, 'sca_package', 'IaC')).toMatchObject({
      ruleId: 'CKV_CVE_2020_29651',
      type: 'SCA',
      title: 'CVE-2020-29651: A denial of service via regular expression in the py library',
      cve: 'CVE-2020-29651',
      severity: 'high',
      cvssScore: 7.5,
      component: { name: 'py', version: '1.9.0', ecosystem: 'pypi', fixedVersion: '1.10.0' },
      mitigation: 'Upgrade py to 1.10.0 or later.',
    });
    expect((await only(vulnerable, 'sca_image'))?.type).toBe('Container');
  });

  test('a licence that a policy forbids', async () => {
    const licence = {
      check_id: 'BC_LIC_1',
      check_name: 'SCA license',
      vulnerability_details: { package_name: 'docutils', package_version: '0.15', license: 'GPL', policy: 'BC_LIC_1' },
    };
    expect(await only(licence, 'sca_package')).toMatchObject({
      type: 'License',
      title: 'Licence GPL of docutils',
      component: { name: 'docutils', version: '0.15' },
    });
  });

  test('a list of frameworks, and what is written where nothing was checked', async () => {
    const both = `[${report('terraform', check)}, ${report('dockerfile', check, check)}, {"passed":0,"failed":0,"checkov_version":"3.0.0"}]`;
    expect((await parseText(checkov, both)).findings).toHaveLength(3);
    expect((await parseText(checkov, '[]')).findings).toEqual([]);
    expect((await parseText(checkov, '{"check_type":"terraform","results":{},"summary":{}}')).findings).toEqual([]);
  });

  test('failed checks on their own', async () => {
    const passed = { ...check, check_result: { result: 'PASSED' } };
    expect((await parseText(checkov, JSON.stringify([check, passed]))).findings).toHaveLength(1);
  });

  test('SARIF takes the family of the entry too', async () => {
    const sarif = JSON.stringify({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'Checkov' } }, results: [{ ruleId: 'CKV_DOCKER_2', message: { text: 'x' } }] }],
    });
    expect((await parseText(checkov, sarif, 'Container')).findings[0]?.type).toBe('Container');
    expect((await parseText(checkov, sarif)).findings[0]?.type).toBe('IaC');
    expect(checkov.recognise(Buffer.from(sarif))).toBeGreaterThan(0.9);
  });

  test("a report of Windows' shell is UTF-16", async () => {
    const { findings, info } = await parseBytes(checkov, sampleBytes('checkov/ssf_terraform_checkov-1.json'));
    expect(findings).toHaveLength(3);
    expect(info).toEqual([{ kind: 'report', toolName: 'Checkov', toolVersion: '3.1.69' }]);
  });
});
