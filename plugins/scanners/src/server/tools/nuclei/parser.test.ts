import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { nuclei } from './parser.ts';

const result = {
  template: 'http/cves/2021/CVE-2021-0001.yaml',
  'template-id': 'CVE-2021-0001',
  info: {
    name: 'Example 1.0 - Remote Code Execution',
    author: ['pdteam'],
    tags: ['cve', 'rce'],
    description: 'Example 1.0 is vulnerable.',
    impact: 'Attackers run code.',
    remediation: 'Upgrade to 1.1.',
    reference: ['https://nvd.nist.gov/vuln/detail/CVE-2021-0001'],
    severity: 'critical',
    classification: {
      'cve-id': ['cve-2021-0001'],
      'cwe-id': ['cwe-78'],
      'cvss-metrics': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      'cvss-score': 9.8,
      'epss-score': 0.97,
      'epss-percentile': 0.999,
    },
  },
  'matcher-name': 'word-1',
  type: 'http',
  host: 'https://example.com',
  'matched-at': 'https://example.com/run?x=1',
  request: 'GET / HTTP/1.1\r\nCookie: s=topsecretcookie',
  timestamp: '2023-11-06T14:48:31.591398+01:00',
  'matcher-status': true,
};

async function only(change: object) {
  const { findings } = await parseText(nuclei, JSON.stringify({ ...result, ...change }));
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('nuclei', () => {
  test('a match with its classification', async () => {
    const finding = await only({});
    expect(finding).toEqual({
      kind: 'finding',
      ruleId: 'CVE-2021-0001',
      title: 'Example 1.0 - Remote Code Execution',
      type: 'DAST',
      severity: 'critical',
      nativeSeverity: 'critical',
      severityNumerical: 98,
      description: 'Example 1.0 is vulnerable.\n\nAttackers run code.\n\nMatched: word-1',
      mitigation: 'Upgrade to 1.1.',
      cwe: [78],
      cve: 'CVE-2021-0001',
      aliases: ['CVE-2021-0001'],
      cvssScore: 9.8,
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      epss: { probability: 0.97, percentile: 0.999 },
      references: ['https://nvd.nist.gov/vuln/detail/CVE-2021-0001'],
      locations: [{ path: 'https://example.com/run?x=1' }],
      resource: 'https://example.com',
      fingerprint: 'CVE-2021-0001 word-1 https://example.com/run?x=1',
      http: { request: 'GET / HTTP/1.1\r\nCookie: s=topsecretcookie' },
      date: '2023-11-06T13:48:31.591Z',
      tags: ['cve', 'rce'],
    });
    // the host masks the exchange; nothing else may repeat it
    expect(JSON.stringify({ ...finding, http: undefined })).not.toContain('topsecretcookie');
  });

  test('request, response and curl line are handed over', async () => {
    const finding = await only({ response: 'HTTP/1.1 200 OK', 'curl-command': "curl -X 'GET' 'https://example.com'" });
    expect(finding?.http).toEqual({
      request: 'GET / HTTP/1.1\r\nCookie: s=topsecretcookie',
      response: 'HTTP/1.1 200 OK',
      curl: "curl -X 'GET' 'https://example.com'",
    });
    expect((await only({ request: undefined }))?.http).toBeUndefined();
  });

  test('several ways to match at one address are told apart', async () => {
    const { fingerprint: first } = (await only({})) ?? {};
    expect((await only({ 'matcher-name': 'status-2' }))?.fingerprint).not.toBe(first);
    expect((await only({ 'matcher-name': undefined }))?.fingerprint).toBeUndefined();
  });

  test('templates that did not match are no findings', async () => {
    const { findings, unreadable } = await parseText(nuclei, JSON.stringify([{ ...result, 'matcher-status': false }]));
    expect([...findings, ...unreadable]).toEqual([]);
  });

  test('null and single values in the classification', async () => {
    const info = { name: 'x', severity: 'unknown', tags: 'a,b', reference: 'https://r.example/', classification: null };
    expect(await only({ info })).toMatchObject({
      severity: 'informational',
      nativeSeverity: 'unknown',
      tags: ['a', 'b'],
      references: ['https://r.example/'],
    });
    const single = {
      ...info,
      classification: { 'cve-id': 'CVE-2020-12345', 'cwe-id': 'cwe-22,cwe-23', 'cvss-score': 7.2 },
    };
    expect(await only({ 'template-id': 'x', info: single })).toMatchObject({
      cve: 'CVE-2020-12345',
      cwe: [22, 23],
      severity: 'high',
    });
  });

  test('where the host is missing, the address says it', async () => {
    const change = { host: undefined, url: 'http://dvwa_1:8080/login', ip: '172.18.0.3' };
    expect((await only(change))?.resource).toBe('http://dvwa_1:8080');
    expect((await only({ ...change, url: undefined }))?.resource).toBe('172.18.0.3');
  });

  test('a template that is named after its vulnerability', async () => {
    const info = { name: 'Log4j', severity: 'critical' };
    expect(await only({ 'template-id': 'CVE-2021-44228', info })).toMatchObject({ cve: 'CVE-2021-44228' });
  });

  test('extracted tokens are blanked out', async () => {
    const finding = await only({ 'extracted-results': ['1.2.3', 'AKIAIOSFODNN7EXAMPLE'] });
    expect(finding?.description).toContain('Extracted: 1.2.3, ********');
  });

  test('results of versions 1 and 2.1', async () => {
    const first =
      '{"template":"git-config","type":"http","matched":"https://e.example/.git/config","name":"Git Config","severity":"medium","author":"x"}';
    expect((await parseText(nuclei, first)).findings[0]).toMatchObject({
      ruleId: 'git-config',
      title: 'Git Config',
      severity: 'medium',
      locations: [{ path: 'https://e.example/.git/config' }],
    });
    expect(nuclei.recognise(Buffer.from(first))).toBeGreaterThan(0.8);
    const early = '{"templateID":"a","info":{"name":"A","severity":"low"},"matched":"e.example:22","host":"e.example"}';
    expect((await parseText(nuclei, early)).findings[0]).toMatchObject({ ruleId: 'a', severity: 'low' });
  });

  test('no results, no bytes; or an empty array', async () => {
    expect(nuclei.emptyMeansNone).toBe(true);
    for (const text of ['', '\n', '[]']) expect((await parseText(nuclei, text)).findings).toEqual([]);
  });

  test('SARIF of its own', async () => {
    const sarif = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Nuclei"}},"results":[{"ruleId":"x"}]}]}';
    expect((await parseText(nuclei, sarif)).findings[0]).toMatchObject({ ruleId: 'x', type: 'DAST' });
  });
});
