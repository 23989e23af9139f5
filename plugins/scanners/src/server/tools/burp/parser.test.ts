import { describe, expect, test } from 'vitest';
import { parsers } from '../../index.ts';
import { parseText } from '../../testing/samples.ts';
import { burp } from './parser.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const report = (severity = 'High', declared = '<!DOCTYPE issues [<!ELEMENT issues (issue*)>]>') =>
  `<?xml version="1.0"?>${declared}<issues burpVersion="2024.1"><issue><serialNumber>9</serialNumber><type>2097920</type><name>Cross-site scripting (reflected)</name><host ip="1.2.3.4">https://shop.example</host><path><![CDATA[/s]]></path><location><![CDATA[/s [q parameter]]]></location><severity>${severity}</severity><confidence>Firm</confidence><issueBackground><![CDATA[<p>Why.</p>]]></issueBackground><issueDetail><![CDATA[The <b>q</b> parameter.]]></issueDetail><vulnerabilityClassifications><![CDATA[<ul><li><a href="https://cwe.mitre.org/data/definitions/79.html">CWE-79</a></li></ul>]]></vulnerabilityClassifications><requestresponse><request method="GET" base64="true">${base64('GET /s?q=1 HTTP/1.1\r\n\r\n')}</request><response base64="false">HTTP/1.1 200 OK</response></requestresponse></issue></issues>`;

describe('burp', () => {
  test('an issue with its request and response', async () => {
    const { findings } = await parseText(burp, report());
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: '2097920',
        title: 'Cross-site scripting (reflected)',
        type: 'DAST',
        severity: 'high',
        nativeSeverity: 'High',
        description: 'The q parameter.\n\nWhy.\n\nLocation: /s [q parameter]\n\nConfidence: Firm',
        cwe: [79],
        references: ['https://cwe.mitre.org/data/definitions/79.html'],
        locations: [{ path: 'https://shop.example/s' }],
        resource: 'https://shop.example',
        http: { request: 'GET /s?q=1 HTTP/1.1', response: 'HTTP/1.1 200 OK' },
        fingerprint: '2097920 https://shop.example/s [q parameter]',
      },
    ]);
  });

  test('a false positive', async () => {
    expect((await parseText(burp, report('False positive'))).findings[0]?.suppressed?.verdict).toBe('false_positive');
  });

  test('an entity in its document type is refused', async () => {
    const declared = '<!DOCTYPE issues [<!ELEMENT issues (issue*)><!ENTITY x SYSTEM "file:///etc/passwd">]>';
    await expect(parseText(burp, report('High', declared))).rejects.toMatchObject({ code: 'report_malformed' });
  });

  test('its HTML is refused with what to choose instead', async () => {
    const page = '<!DOCTYPE html><html><head><title>Burp Scanner Report</title></head></html>';
    for (const parser of [burp, parsers.find(({ tool }) => tool === 'burp') ?? burp])
      await expect(parseText(parser, page)).rejects.toThrow(/HTML report of Burp Suite.*XML/);
    expect(burp.recognise(Buffer.from('<!DOCTYPE html><html><title>502</title></html>'))).toBe(0);
  });
});
