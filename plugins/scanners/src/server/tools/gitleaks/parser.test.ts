import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes, samples } from '../../testing/samples.ts';
import { gitleaks } from './parser.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const leak = {
  RuleID: 'generic-api-key',
  Description: 'Generic API Key',
  File: 'src/a.ts',
  StartLine: 4,
  EndLine: 4,
  Secret: 's3cr3t-value',
  Match: 'key = "s3cr3t-value"',
};

async function only(change: object) {
  const { findings } = await parseText(gitleaks, JSON.stringify([{ ...leak, ...change }]));
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('gitleaks', () => {
  test('a leak, its secret only as a digest', async () => {
    const finding = await only({
      Commit: 'abc',
      Author: 'A',
      Message: 'add s3cr3t-value',
      Date: '2024-05-01T10:00:00Z',
      Fingerprint: 'abc:src/a.ts:generic-api-key:4',
    });
    expect(finding).toMatchObject({
      ruleId: 'generic-api-key',
      title: 'Generic API Key',
      type: 'Secrets',
      severity: 'high',
      cwe: [798],
      secretHash: sha256('s3cr3t-value'),
      locations: [{ path: 'src/a.ts', startLine: 4, endLine: 4, snippet: 'key = "********"' }],
      fingerprint: 'abc:src/a.ts:generic-api-key:4',
      date: '2024-05-01T10:00:00.000Z',
    });
    expect(JSON.stringify(finding)).not.toContain('s3cr3t-value');
  });

  test('no sample lets its secret through', async () => {
    for (const sample of samples().filter(({ tool, file }) => tool === 'gitleaks' && file.endsWith('.json'))) {
      const bytes = sampleBytes(sample.file);
      const text = JSON.stringify((await parseBytes(gitleaks, bytes)).findings);
      for (const record of JSON.parse(bytes.toString()) ?? []) {
        const secret: string = record.Secret ?? record.offender;
        if (!/REDACTED/.test(secret)) expect(text).not.toContain(secret);
      }
    }
  });

  test('a secret written differently in its line hides the line', async () => {
    expect((await only({ Match: 'key = "s3cr3t\\u002dvalue"' }))?.locations?.[0]?.snippet).toBeUndefined();
  });

  test.each(['REDACTED', '***', 's3cr...'])(
    'a redacted secret (%s) has no digest and keeps its line',
    async (Secret) => {
      const finding = await only({ Secret, Match: `key = "${Secret}"` });
      expect(finding?.secretHash).toBeUndefined();
      expect(finding?.locations?.[0]?.snippet).toBeDefined();
    },
  );

  test('without a commit the fingerprint is only a place and is not used', async () => {
    expect((await only({ Commit: '', Fingerprint: 'src/a.ts:generic-api-key:4' }))?.fingerprint).toBeUndefined();
  });

  test('people rate their rules by tags', async () => {
    expect(await only({ Tags: ['team', 'CRITICAL'] })).toMatchObject({
      severity: 'critical',
      tags: ['team', 'CRITICAL'],
    });
  });

  test('records of version 7 and older', async () => {
    const { findings } = await parseBytes(gitleaks, sampleBytes('gitleaks/version_7.5.0.json'));
    expect(findings[0]).toMatchObject({
      ruleId: 'AWS Access Key',
      tags: ['key', 'AWS'],
      secretHash: sha256('AKIAIOSFODNN7EXAMPLE'),
      locations: [{ startLine: 13 }],
    });
  });

  test('CSV, with an ambiguous date left out', async () => {
    const { findings } = await parseBytes(gitleaks, sampleBytes('gitleaks/gitleaks_csv_simple.csv'));
    expect(findings[0]).toMatchObject({
      ruleId: 'test-rule',
      tags: ['tag1', 'tag2', 'tag3'],
      secretHash: sha256('a secret'),
    });
    expect(findings[0]?.date).toBeUndefined();
    await expect(parseText(gitleaks, 'RuleID,Commit,File\n"x')).rejects.toMatchObject({ code: 'report_malformed' });
  });

  test('SARIF is Secrets throughout', async () => {
    const { findings } = await parseBytes(gitleaks, sampleBytes('sarif/gitleaks_sarif_simple.sarif'));
    expect(findings[0]).toMatchObject({ type: 'Secrets', ruleId: 'test-rule' });
    expect(findings[0]?.fingerprint).toBeUndefined();
    expect(gitleaks.recognise(sampleBytes('sarif/gitleaks_sarif_simple.sarif'))).toBeGreaterThan(0);
  });

  test("another tool's SARIF is refused by name", async () => {
    await expect(parseBytes(gitleaks, sampleBytes('sarif/njsscan.sarif'))).rejects.toMatchObject({
      code: 'report_wrong_tool',
      message: expect.stringContaining('nodejsscan'),
    });
  });
});
