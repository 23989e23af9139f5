import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { tfsec } from './parser.ts';

const result = {
  rule_id: 'AVD-AWS-0086',
  long_id: 'aws-s3-block-public-acls',
  rule_description: 'Public ACLs',
  severity: 'HIGH',
  description: 'No public access block.',
  resource: 'aws_s3_bucket.a',
  location: { filename: 'main.tf', start_line: 3, end_line: 5 },
};
const read = (change: object) => parseText(tfsec, JSON.stringify({ results: [{ ...result, ...change }] }));

test('a result; passed ones are none, ignored ones suppressed', async () => {
  expect((await read({})).findings).toMatchObject([
    { ruleId: 'AVD-AWS-0086', locations: [{ path: 'main.tf', startLine: 3, endLine: 5 }], resource: 'aws_s3_bucket.a' },
  ]);
  expect((await read({ status: 1 })).findings).toEqual([]);
  expect((await read({ status: 2 })).findings[0]?.suppressed?.verdict).toBe('accepted_risk');
});

test('null stands for none; a list of results of another tool is refused', async () => {
  expect((await parseText(tfsec, '{"results": null}')).findings).toEqual([]);
  await expect(parseText(tfsec, '{"results":[{"check_id":"x"}]}')).rejects.toMatchObject({ code: 'report_wrong_tool' });
});
