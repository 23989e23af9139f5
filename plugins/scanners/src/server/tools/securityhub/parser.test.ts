import { describe, expect, test } from 'vitest';
import { parsers } from '../../index.ts';
import { parseText } from '../../testing/samples.ts';
import { securityHub } from './parser.ts';

const finding = {
  Id: 'arn:aws:securityhub:eu-west-1:1:finding/1',
  GeneratorId: 'aws-foundational-security-best-practices/v/1.0.0/EC2.2',
  ProductArn: 'arn:aws:securityhub:eu-west-1::product/aws/securityhub',
  AwsAccountId: '1',
  Title: 'EC2.2 Default group',
  Severity: { Label: 'HIGH', Normalized: 70 },
  Resources: [{ Type: 'AwsEc2SecurityGroup', Id: 'arn:aws:ec2:eu-west-1:1:sg/a', Region: 'eu-west-1' }],
  Compliance: { Status: 'FAILED', SecurityControlId: 'EC2.2' },
  Workflow: { Status: 'NEW' },
  RecordState: 'ACTIVE',
};
const read = (changes: object[], more: object = {}) =>
  parseText(securityHub, JSON.stringify({ Findings: changes.map((change) => ({ ...finding, ...change })), ...more }));

describe('aws-security-hub', () => {
  test('a failed control; a passed one is no finding', async () => {
    const { findings, coverage } = await read([{}, { Compliance: { Status: 'PASSED' }, AwsAccountId: '2' }]);
    expect(findings).toMatchObject([
      {
        ruleId: 'EC2.2',
        type: 'Cloud',
        severity: 'high',
        resource: 'arn:aws:ec2:eu-west-1:1:sg/a',
        severityNumerical: 70,
      },
    ]);
    // The account of a passed check was looked at, too.
    expect(coverage.map(({ part }) => part)).toEqual([{ account: '1' }, { account: '2' }]);
  });

  test.each([
    [{ Workflow: { Status: 'SUPPRESSED' } }, 'accepted_risk'],
    [{ Workflow: { Status: 'RESOLVED' } }, 'mitigated_externally'],
    [{ RecordState: 'ARCHIVED' }, 'mitigated_externally'],
    [{ Workflow: { Status: 'NOTIFIED' } }, undefined],
  ])('%j', async (change, verdict) => {
    expect((await read([change])).findings[0]?.suppressed?.verdict).toBe(verdict);
  });

  test('a package of an image', async () => {
    const packages = [
      { Name: 'openssl', Version: '1.1.1n', Release: '0+deb11u4', PackageManager: 'OS', FixedInVersion: '1.1.1o' },
    ];
    const change = {
      Resources: [{ Type: 'AwsEcrContainerImage', Id: 'arn:image' }],
      Vulnerabilities: [{ Id: 'CVE-2023-2650', VulnerablePackages: packages }],
    };
    expect((await read([change])).findings).toMatchObject([
      {
        ruleId: 'CVE-2023-2650',
        type: 'Container',
        component: { name: 'openssl', version: '1.1.1n-0+deb11u4', fixedVersion: '1.1.1o' },
      },
    ]);
  });

  test('a page that is not the last one', async () => {
    expect((await read([{}], { NextToken: 'x' })).failures).toHaveLength(1);
    expect((await read([{}])).failures).toEqual([]);
  });

  test('what Prowler wrote is Prowler’s', () => {
    const bytes = Buffer.from(JSON.stringify([{ ...finding, ProductFields: { ProviderName: 'Prowler' } }]));
    const sure = parsers.filter((parser) => parser.recognise(bytes) > 0.5).map(({ tool }) => tool);
    expect(sure).toEqual(['prowler']);
  });
});
