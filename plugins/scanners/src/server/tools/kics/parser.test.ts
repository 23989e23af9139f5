import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { kics } from './parser.ts';

const file = {
  file_name: '..\\..\\main.tf',
  similarity_id: 'abc123',
  line: 27,
  issue_type: 'IncorrectValue',
  search_key: 'aws_s3_bucket[a].acl',
  expected_value: 'acl should be private',
  actual_value: 'acl is public',
};
const query = {
  query_name: 'S3 Bucket ACL Allows Read To All Users',
  query_id: '38c5ee0d-7f22-4260-ab72-5073048df100',
  query_url: 'https://docs.example/s3',
  severity: 'HIGH',
  platform: 'Terraform',
  category: 'Access Control',
  description: 'Buckets should not be public',
  files: [file],
};
const report = (...queries: object[]) =>
  JSON.stringify({ kics_version: 'v2.1.3', files_scanned: 1, queries, end: '2024-04-29T15:31:04.8370804+01:00' });

async function only(change: object, family?: string) {
  const { findings } = await parseText(kics, report({ ...query, ...change }), family);
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('kics', () => {
  test('one finding per file of a query', async () => {
    const { findings, info } = await parseText(kics, report({ ...query, files: [file, { ...file, line: -1 }] }));
    expect(findings).toHaveLength(2);
    expect(findings[0]).toEqual({
      kind: 'finding',
      ruleId: '38c5ee0d-7f22-4260-ab72-5073048df100',
      title: 'S3 Bucket ACL Allows Read To All Users',
      type: 'IaC',
      severity: 'high',
      nativeSeverity: 'HIGH',
      references: ['https://docs.example/s3'],
      policy: { name: 'Terraform', category: 'Access Control' },
      tags: ['Terraform'],
      description: 'Buckets should not be public\n\nFound: acl is public',
      mitigation: 'Expected: acl should be private',
      locations: [{ path: '../../main.tf', startLine: 27 }],
      resource: 'aws_s3_bucket[a].acl',
      fingerprint: 'abc123',
    });
    expect(findings[1]?.locations).toEqual([{ path: '../../main.tf' }]);
    expect(info).toEqual([
      { kind: 'report', toolName: 'KICS', toolVersion: 'v2.1.3', date: '2024-04-29T14:31:04.837Z' },
    ]);
  });

  test('weakness, risk and resource, where the version writes them', async () => {
    const newer = { cwe: '665', riskScore: '5.2', severity: 'MEDIUM', files: [{ ...file, resource_name: 'Bucket' }] };
    expect(await only(newer)).toMatchObject({ cwe: [665], severityNumerical: 52, resource: 'Bucket' });
  });

  test.each([
    ['CRITICAL', 'critical'],
    ['MEDIUM', 'medium'],
    ['INFO', 'informational'],
    ['TRACE', 'informational'],
  ])('severity %s', async (severity, expected) => {
    expect(await only({ severity })).toMatchObject({ severity: expected, nativeSeverity: severity });
  });

  test.each([
    ['Terraform', 'Container', 'Container'],
    ['CICD', undefined, 'CI/CD'],
    ['Dockerfile', undefined, 'IaC'],
    ['Dockerfile', 'Configuration', 'Configuration'],
    ['Dockerfile', 'SAST', 'IaC'],
  ])('%s by the entry of %s is %s', async (platform, family, type) => {
    expect((await only({ platform }, family))?.type).toBe(type);
  });

  test('secrets are blanked out', async () => {
    const secret = 'AKIAIOSFODNN7EXAMPLE';
    const change = {
      query_name: 'Passwords And Secrets - AWS Access Key',
      category: 'Secret Management',
      files: [{ ...file, actual_value: `key is ${secret}`, search_key: `key=${secret}` }],
    };
    const finding = await only(change);
    expect(finding?.type).toBe('Secrets');
    expect(JSON.stringify(finding)).not.toContain(secret);
  });

  test('the first versions', async () => {
    const old = JSON.stringify({
      scanned_files: 2,
      queries: [
        {
          query_name: 'ALB protocol is HTTP',
          query_id: 'ALB',
          severity: 'HIGH',
          files: [{ file_name: 'a.tf', line: 3, key_expected_value: 'HTTPS', key_actual_value: 'HTTP' }],
        },
      ],
    });
    const { findings } = await parseText(kics, old);
    expect(findings[0]).toMatchObject({ description: 'Found: HTTP', mitigation: 'Expected: HTTPS' });
    expect(kics.recognise(Buffer.from(old))).toBeGreaterThan(0.9);
  });

  test('nothing found', async () => {
    expect((await parseText(kics, report())).findings).toEqual([]);
    expect((await parseText(kics, '{"kics_version":"v1","queries":null}')).findings).toEqual([]);
  });

  test('a query without files is listed', async () => {
    const { findings, unreadable } = await parseText(kics, report({ query_id: 'x' }, query));
    expect(findings).toHaveLength(1);
    expect(unreadable).toEqual([{ kind: 'unreadable', where: 'queries[0]', why: expect.stringContaining('files') }]);
  });

  test('SARIF takes the family of the entry', async () => {
    const driver = { name: 'KICS', fullName: 'Keeping Infrastructure as Code Secure' };
    const sarif = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver }, results: [{ ruleId: 'x' }] }] });
    expect((await parseText(kics, sarif, 'CI/CD')).findings[0]?.type).toBe('CI/CD');
    expect(kics.recognise(Buffer.from(sarif))).toBeGreaterThan(0.9);
  });
});
