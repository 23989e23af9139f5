import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { cloudsploit } from './parser.ts';

const result = {
  plugin: 'bucketVersioning',
  category: 'S3',
  title: 'S3 Bucket Versioning',
  description: 'Ensures object versioning is enabled.',
  resource: 'arn:aws:s3:::logs',
  region: ['eu-west-1'],
  status: 'FAIL',
  message: 'Bucket : logs has versioning disabled',
};
const read = async (...results: object[]) => (await parseText(cloudsploit, JSON.stringify(results))).findings;

describe('cloudsploit', () => {
  test('a failed check', async () => {
    expect(await read(result)).toEqual([
      {
        kind: 'finding',
        ruleId: 'bucketVersioning',
        title: 'S3 Bucket Versioning',
        type: 'Cloud',
        severity: 'high',
        nativeSeverity: 'FAIL',
        description: 'Bucket : logs has versioning disabled\n\nEnsures object versioning is enabled.',
        resource: 'arn:aws:s3:::logs',
        policy: { name: 'S3 Bucket Versioning', category: 'S3', control: 'bucketVersioning' },
        fingerprint: 'eu-west-1 arn:aws:s3:::logs Bucket : logs has versioning disabled',
        tags: ['eu-west-1'],
      },
    ]);
  });

  test('warnings count, what is in order or unknown does not', async () => {
    const words = ['OK', 'WARN', 'UNKNOWN', 'FAIL', 0, 1, 2, 3];
    const findings = await read(...words.map((status) => ({ ...result, status })));
    expect(findings.map((finding) => `${finding.nativeSeverity} ${finding.severity}`)).toEqual([
      'WARN medium',
      'FAIL high',
      'WARN medium',
      'FAIL high',
    ]);
  });

  test('a result about no resource stands for its region', async () => {
    expect((await read({ ...result, resource: 'N/A', region: 'global' }))[0]?.resource).toBe('global');
  });

  test('CSV', async () => {
    const csv =
      'category,title,resource,region,statusWord,message\nS3,S3 Versioning,a,eu,FAIL,"off, really"\nS3,x,a,eu,OK,on\n';
    const { findings } = await parseText(cloudsploit, csv);
    expect(findings).toMatchObject([{ ruleId: 'S3 Versioning', resource: 'a', severity: 'high', tags: ['eu'] }]);
    expect(cloudsploit.recognise(Buffer.from(csv))).toBeGreaterThan(0.9);
  });
});
