import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { prowler } from './parser.ts';

const sample = async (name: string) => (await parseBytes(prowler, sampleBytes(`prowler/${name}`))).findings;
const ocsf = {
  message: 'Bucket logs is public.',
  metadata: { event_code: 's3_bucket_public', product: { name: 'Prowler', version: '5.1.0' } },
  severity: 'Critical',
  status: 'New',
  status_code: 'FAIL',
  status_detail: 'Bucket logs is public.',
  finding_info: { desc: 'Checks buckets', title: 'No public buckets', uid: 'prowler-aws-s3_bucket_public-1-eu-logs' },
  resources: [{ uid: 'arn:aws:s3:::logs', name: 'logs', region: 'eu-west-1', group: { name: 's3' } }],
  cloud: { account: { uid: '123456789012' }, provider: 'aws', region: 'eu-west-1' },
  remediation: {
    desc: 'Block public access.',
    references: ['aws s3api put-public-access-block', 'https://d.example/s3'],
  },
  risk_details: 'Anyone can read.',
  time_dt: '2025-02-14T14:27:03.913874',
  unmapped: { compliance: { 'CIS-3.0': ['2.1.4'] }, related_url: '' },
};

describe('prowler', () => {
  test('an event of version 4 and later', async () => {
    const { findings } = await parseText(prowler, JSON.stringify([ocsf]));
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 's3_bucket_public',
        title: 'No public buckets',
        type: 'Cloud',
        severity: 'critical',
        nativeSeverity: 'Critical',
        description: 'Bucket logs is public.\n\nChecks buckets\n\nAnyone can read.',
        mitigation: 'Block public access.\n\n```\naws s3api put-public-access-block\n```',
        references: ['https://d.example/s3'],
        resource: 'arn:aws:s3:::logs',
        policy: { name: 'CIS-3.0', category: 's3', control: '2.1.4' },
        fingerprint: 'prowler-aws-s3_bucket_public-1-eu-logs',
        date: '2025-02-14T14:27:03.913Z',
        tags: ['aws', 's3', 'eu-west-1', '123456789012'],
      },
    ]);
  });

  test.each([
    [{ status_code: 'PASS' }],
    [{ status_code: 'MANUAL' }],
    [{ status: 'Suppressed' }],
    [{ unmapped: { muted: true } }],
  ])('%j is no finding', async (change) => {
    const { findings, unreadable } = await parseText(prowler, JSON.stringify([{ ...ocsf, ...change }]));
    expect([...findings, ...unreadable]).toEqual([]);
  });

  test('every layout says the same of what it shares', async () => {
    expect((await sample('aws_prowler_v3plus__one_vuln.json'))[0]).toMatchObject({
      ruleId: 'acm_certificates_expiration_check',
      severity: 'high',
      resource: 'api.teste.teste.com',
      policy: { category: 'acm' },
    });
    expect((await sample('prowler__example_output_aws.csv'))[0]).toMatchObject({
      ruleId: 'accessanalyzer_enabled',
      severity: 'low',
      policy: { name: 'CIS-1.4', category: 'accessanalyzer', control: '1.20' },
      date: '2025-02-14T14:27:03.913Z',
    });
    expect((await sample('aws_prowler__many_vuln.json'))[0]).toMatchObject({
      ruleId: '1.14',
      severity: 'critical',
      resource: 'MFA',
      date: '2021-08-23T06:38:46.000Z',
    });
  });

  test('equal checks of version 2 are told apart by what they say', async () => {
    const findings = await sample('aws_prowler__issue4450.csv');
    expect(new Set(findings.map((finding) => finding.fingerprint)).size).toBe(findings.length);
  });

  test('muted rows are left out', async () => {
    const head = 'CHECK_ID;CHECK_TITLE;STATUS;STATUS_EXTENDED;MUTED;SEVERITY;RESOURCE_UID';
    const rows = [head, 'a;A;FAIL;bad;False;high;r1', 'a;A;FAIL;bad;True;high;r2', 'a;A;PASS;good;False;high;r3'];
    const { findings } = await parseText(prowler, rows.join('\r\n'));
    expect(findings.map((finding) => finding.resource)).toEqual(['r1']);
  });

  test('CSV of version 3', async () => {
    const head =
      'ASSESSMENT_START_TIME;FINDING_UNIQUE_ID;PROVIDER;ACCOUNT_ID;REGION;CHECK_ID;CHECK_TITLE;STATUS;STATUS_EXTENDED;SERVICE_NAME;SEVERITY;RESOURCE_ID;RESOURCE_ARN;REMEDIATION_RECOMMENDATION_TEXT;REMEDIATION_RECOMMENDATION_CODE_CLI';
    const row =
      '2023-04-25T23:49:42.744599;u-1;aws;1;eu;s3_public;No public buckets;FAIL;"Bucket ""a;b"" is public.";s3;high;a;arn:aws:s3:::a;Block.;aws s3api';
    expect((await parseText(prowler, `${head}\n${row}\n`)).findings).toMatchObject([
      {
        ruleId: 's3_public',
        description: 'Bucket "a;b" is public.',
        mitigation: 'Block.\n\n```\naws s3api\n```',
        resource: 'arn:aws:s3:::a',
        fingerprint: 'u-1',
        date: '2023-04-25T23:49:42.744Z',
      },
    ]);
    expect(prowler.recognise(Buffer.from(head))).toBeGreaterThan(0.9);
  });

  test('OCSF of version 3', async () => {
    const early = {
      finding: { title: 'No public buckets', desc: 'x', uid: 'u1', remediation: { desc: 'Block.', kb_articles: [] } },
      resources: ocsf.resources,
      metadata: { product: { name: 'Prowler', feature: { uid: 's3_bucket_public' } } },
      cloud: ocsf.cloud,
      severity: 'High',
      status: 'Failure',
      status_detail: 'Bucket logs is public.',
      time: 1_700_000_000,
    };
    const text = JSON.stringify([early, { ...early, status: 'Success' }]);
    expect((await parseText(prowler, text)).findings).toMatchObject([
      { ruleId: 's3_bucket_public', severity: 'high', mitigation: 'Block.', date: '2023-11-14T22:13:20.000Z' },
    ]);
    expect(prowler.recognise(Buffer.from(text))).toBeGreaterThan(0.9);
  });

  test("AWS's format", async () => {
    const asff = {
      SchemaVersion: '2018-10-08',
      Id: 'prowler-x-1',
      ProductArn: 'arn:aws:securityhub:eu-west-1::product/prowler/prowler',
      ProductFields: { ProviderName: 'Prowler' },
      GeneratorId: 'prowler-s3_bucket_public',
      Severity: { Label: 'HIGH' },
      Title: 'No public buckets',
      Description: 'Bucket logs is public.',
      Resources: [{ Id: 'arn:aws:s3:::logs', Region: 'eu-west-1' }],
      Compliance: { Status: 'FAILED' },
    };
    const text = JSON.stringify([asff, { ...asff, Compliance: { Status: 'PASSED' } }]);
    expect((await parseText(prowler, text)).findings).toMatchObject([
      { ruleId: 's3_bucket_public', severity: 'high', resource: 'arn:aws:s3:::logs', fingerprint: 'prowler-x-1' },
    ]);
    expect(prowler.recognise(Buffer.from(text))).toBeGreaterThan(0.9);
    const wrapped = `{"Findings":${text}}`;
    expect((await parseText(prowler, wrapped)).findings).toHaveLength(1);
    expect(prowler.recognise(Buffer.from(wrapped))).toBeGreaterThan(0.9);
  });

  test('OCSF of another product is not taken for its own', () => {
    const other = JSON.stringify([{ ...ocsf, metadata: { product: { name: 'Other' } } }]);
    expect(prowler.recognise(Buffer.from(other))).toBeLessThan(0.5);
  });
});
