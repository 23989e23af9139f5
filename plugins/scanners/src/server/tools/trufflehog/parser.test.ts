import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toUtf8 } from '../../lib/input/decode.ts';
import { parseBytes, parseText, sampleBytes, samples } from '../../testing/samples.ts';
import { trufflehog } from './parser.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const secret = 'AKIAQYLPMN5HHHFPZAM2';
const result = {
  SourceMetadata: {
    Data: {
      Git: {
        commit: '0416560b',
        file: 'new_key',
        email: 'dev <dev@example.com>',
        repository: 'https://github.com/a/b',
        timestamp: '2023-10-19 02:56:37 +0000',
        line: 2,
      },
    },
  },
  SourceType: 16,
  DetectorName: 'AWS',
  DecoderName: 'BASE64',
  Verified: true,
  Raw: secret,
  RawV2: `${secret}1tUm636uS1yOEcf`,
  Redacted: secret,
  ExtraData: { account: '0523', key: secret, rotation_guide: 'https://howtorotate.com/aws' },
};

async function only(change: object) {
  const { findings } = await parseText(trufflehog, JSON.stringify({ ...result, ...change }));
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('trufflehog', () => {
  test('a result of version 3, its secret only as a digest', async () => {
    const finding = await only({});
    expect(finding).toEqual({
      kind: 'finding',
      ruleId: 'AWS',
      title: 'AWS',
      type: 'Secrets',
      severity: 'critical',
      description:
        'The secret was tried and works.\n\nFound in commit 0416560b by dev <dev@example.com>.\n\naccount: 0523\nkey: ********',
      mitigation: 'Revoke the secret, then remove it from the code and its history.',
      cwe: [798],
      references: ['https://howtorotate.com/aws'],
      locations: [{ path: 'new_key', startLine: 2 }],
      secretHash: sha256(secret),
      date: '2023-10-19T02:56:37.000Z',
      tags: ['verified', 'git', 'base64'],
    });
  });

  test('whether the secret works decides the severity', async () => {
    expect((await only({ Verified: false }))?.severity).toBe('medium');
    expect((await only({ Verified: false, VerificationError: 'timeout' }))?.severity).toBe('high');
  });

  test('secrets outside of files', async () => {
    const docker = {
      Data: { Docker: { file: '/app/.env', image: 'registry/app:1.2', layer: 'sha256:1', tag: '1.2' } },
    };
    expect(await only({ SourceMetadata: docker })).toMatchObject({
      resource: 'registry/app',
      locations: [{ path: '/app/.env' }],
    });
    const slack = { Data: { Slack: { channel_name: 'general', link: 'https://x.slack.com/archives/1' } } };
    expect(await only({ SourceMetadata: slack })).toMatchObject({
      resource: 'general',
      references: ['https://x.slack.com/archives/1', 'https://howtorotate.com/aws'],
    });
  });

  test('lines of the log between the results are no findings', async () => {
    const log = '{"level":"info-0","ts":"2024-01-01T00:00:00Z","logger":"trufflehog","msg":"running source"}';
    const { findings, unreadable } = await parseText(trufflehog, `${log}\n${JSON.stringify(result)}\n${log}`);
    expect([findings.length, unreadable.length]).toEqual([1, 0]);
    expect((await parseText(trufflehog, log)).findings).toEqual([]);
    expect(trufflehog.recognise(Buffer.from(log))).toBeGreaterThan(0.8);
  });

  test('the greeting before the results, where both outputs went to one file', async () => {
    const banner = '🐷🔑🐷  TruffleHog. Unearth your secrets. 🐷🔑🐷';
    const text = `${banner}\n\n${JSON.stringify(result)}\n`;
    expect((await parseText(trufflehog, text)).findings).toHaveLength(1);
    for (const alone of [banner, `${banner}\n\n`]) expect((await parseText(trufflehog, alone)).findings).toEqual([]);
    expect(trufflehog.recognise(Buffer.from(text))).toBeGreaterThan(0.9);
  });

  test('what the detector is for', async () => {
    const finding = await only({ DetectorDescription: 'AWS keys open an account.', Verified: false });
    expect(finding?.description).toMatch(/^The secret was not confirmed to work\.\n\nAWS keys open an account\./);
  });

  test('an issue of version 2: the order of its strings does not matter', async () => {
    const issue = {
      branch: 'origin/dev',
      commit: 'add key s3cr3t-one',
      commitHash: '288f35',
      date: '2021-01-30 19:50:09',
      diff: '+key = s3cr3t-one',
      path: 'a.py',
      reason: 'High entropy',
      stringsFound: ['s3cr3t-one', 's3cr3t-two'],
    };
    const read = async (change: object) => {
      return (await parseText(trufflehog, JSON.stringify({ ...issue, ...change }))).findings[0];
    };
    const finding = await read({});
    expect(finding).toMatchObject({
      ruleId: 'High entropy',
      severity: 'medium',
      description: '2 places in this change.\n\nFound in commit 288f35.\n\nadd key ********',
      locations: [{ path: 'a.py' }],
      date: '2021-01-30T19:50:09.000Z',
    });
    expect(JSON.stringify(finding)).not.toContain('s3cr3t');
    expect((await read({ stringsFound: ['s3cr3t-two', 's3cr3t-one'] }))?.secretHash).toBe(finding?.secretHash);
    expect((await read({ reason: 'Generic Secret' }))?.severity).toBe('high');
  });

  test('an issue of trufflehog3', async () => {
    const { findings } = await parseBytes(trufflehog, sampleBytes('trufflehog/trufflehog3__many_vulns_current.json'));
    expect(findings[0]).toMatchObject({
      ruleId: 'high-entropy',
      title: 'High Entropy',
      nativeSeverity: 'HIGH',
      secretHash: sha256('964a1afa20dd4a3723002560124dd96f2a9e853f7ef5b86f5c2354af336fca37'),
      locations: [{ path: 'docker/Dockerfile', startLine: 3, snippet: '+FROM python:3.9.7-alpine@sha256:********' }],
      date: '2021-10-08T18:14:27.000Z',
    });
  });

  test('no sample lets its secret through', async () => {
    for (const sample of samples().filter(({ tool }) => tool === 'trufflehog')) {
      const bytes = toUtf8(sampleBytes(sample.file));
      const text = JSON.stringify((await parseBytes(trufflehog, bytes)).findings);
      for (const [, raw = ''] of bytes.toString().matchAll(/"(?:Raw|RawV2|secret)": *"([^"\\]{8,})"/g)) {
        expect(text).not.toContain(raw);
      }
    }
  });

  test('no secrets, no bytes', async () => {
    expect(trufflehog.emptyMeansNone).toBe(true);
    for (const text of ['', '[]', '[\n]']) expect((await parseText(trufflehog, text)).findings).toEqual([]);
  });
});
