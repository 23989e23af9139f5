import { describe, expect, test } from 'vitest';
import { parseText, sampleBytes } from '../../testing/samples.ts';
import { zap } from './parser.ts';

const instance = {
  uri: 'https://shop.example/search?q=%22%3Balert(1)&page=2#top',
  method: 'GET',
  param: 'q',
  attack: '";alert(1)',
  evidence: 'token=4f9a8b7c6d5e4f3a2b1c',
  'request-header': 'GET /search HTTP/1.1\r\nHost: shop.example',
  'request-body': '',
  'response-header': 'HTTP/1.1 200 OK',
  'response-body': '<html>found</html>',
};
const alert = {
  pluginid: '40012',
  alertRef: '40012-1',
  alert: 'Cross Site Scripting (Reflected)',
  name: 'Cross Site Scripting (Reflected)',
  riskcode: '3',
  confidence: '2',
  riskdesc: 'High (Medium)',
  desc: '<p>An attacker&#39;s code runs.</p><p>Second.</p>',
  solution: '<p>Encode output.</p>',
  reference: '<p>https://owasp.org/a</p><p>https://cwe.mitre.org/79.html</p>',
  cweid: '79',
  wascid: '8',
  instances: [instance],
};
const report = (change: object = {}, sites = [{ '@name': 'https://shop.example' }]) =>
  JSON.stringify({
    '@programName': 'ZAP',
    '@version': '2.16.0',
    '@generated': 'Mon, 1 Jan 2024 10:00:00',
    site: sites.map((site) => ({ ...site, alerts: [{ ...alert, ...change }] })),
  });

describe('zap', () => {
  test('an address with the alert, its parameter, request and response', async () => {
    const { findings, coverage, info } = await parseText(zap, report());
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: '40012-1',
        title: 'Cross Site Scripting (Reflected)',
        type: 'DAST',
        severity: 'high',
        nativeSeverity: 'High',
        description: 'An attacker\'s code runs.\nSecond.\n\nParameter: q\n\nAttack: ";alert(1)\n\nEvidence: ********',
        mitigation: 'Encode output.',
        cwe: [79],
        references: ['https://owasp.org/a', 'https://cwe.mitre.org/79.html'],
        policy: { name: 'WASC', control: 'WASC-8' },
        // What the scanner sent in differs from scan to scan.
        locations: [{ path: 'https://shop.example/search?q=&page=2' }],
        resource: 'https://shop.example',
        fingerprint: '40012-1 GET https://shop.example/search?q=&page=2 q',
        http: {
          request: 'GET /search HTTP/1.1\r\nHost: shop.example',
          response: 'HTTP/1.1 200 OK\n\n<html>found</html>',
        },
      },
    ]);
    expect(coverage).toEqual([{ kind: 'coverage', files: ['https://shop.example'] }]);
    expect(info[0]).toMatchObject({ toolName: 'ZAP', toolVersion: '2.16.0' });
  });

  test('a false positive, by either mark', async () => {
    for (const change of [{ confidence: '0' }, { riskcode: '-1' }])
      expect((await parseText(zap, report(change))).findings[0]?.suppressed?.verdict).toBe('false_positive');
    expect((await parseText(zap, report())).findings[0]?.suppressed).toBeUndefined();
  });

  test('an alert without addresses is one finding of its site', async () => {
    const { findings } = await parseText(zap, report({ instances: [] }));
    expect(findings).toMatchObject([{ locations: [{ path: 'https://shop.example' }] }]);
  });

  test('XML says the same as JSON', async () => {
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const elements = (record: object) =>
      Object.entries(record)
        .filter(([, value]) => typeof value === 'string')
        .map(([name, value]) => `<${name.replace('-', '')}>${escaped(value)}</${name.replace('-', '')}>`)
        .join('');
    const xml = `<?xml version="1.0"?><OWASPZAPReport version="2.16.0" generated="x"><site name="https://shop.example"><alerts><alertitem>${elements(
      alert,
    )}<instances><instance>${elements(instance)}</instance></instances></alertitem></alerts></site><site name="https://other.example"><alerts/></site></OWASPZAPReport>`;
    const read = await parseText(zap, xml);
    const { findings } = await parseText(zap, report());
    const normal = (text: string) => text.replaceAll('\r\n', '\n');
    expect(JSON.parse(normal(JSON.stringify(read.findings).replaceAll('\\r\\n', '\\n')))).toEqual(
      JSON.parse(normal(JSON.stringify(findings).replaceAll('\\r\\n', '\\n'))),
    );
    // A site that was scanned without a result is scanned.
    expect(read.coverage.flatMap(({ files }) => files)).toEqual(['https://shop.example', 'https://other.example']);
  });

  test('alerts of one rule without a reference are told apart by name', async () => {
    const old = await parseText(zap, report({ alertRef: undefined }));
    const renamed = await parseText(zap, report({ alertRef: undefined, name: 'Other' }));
    expect(old.findings[0]?.fingerprint).not.toBe(renamed.findings[0]?.fingerprint);
  });

  test('a report in HTML is refused', async () => {
    await expect(parseText(zap, '<!DOCTYPE html><html></html>')).rejects.toMatchObject({ code: 'report_malformed' });
    await expect(parseText(zap, '{"@version":"2"}')).rejects.toMatchObject({ code: 'report_wrong_tool' });
  });

  test('the comment of a recorded report holds no result', async () => {
    const { findings } = await parseText(zap, sampleBytes('zap/0_zap_sample.xml').toString());
    expect(findings.map(({ ruleId }) => ruleId)).not.toContain('10010');
  });
});
