import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { acunetix } from './parser.ts';

const xml = (aborted: string, falsePositive: string) =>
  `<ScanGroup><Scan><StartURL>shop.example</StartURL><Aborted>${aborted}</Aborted><Crawler StartUrl="https://shop.example/"/><ReportItems><ReportItem id="1"><Name>XSS</Name><Affects>/s</Affects><Parameter>q</Parameter><IsFalsePositive>${falsePositive}</IsFalsePositive><Severity>high</Severity><CWEList><CWE id="79">CWE-79</CWE></CWEList><CVSS3><Descriptor>CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N</Descriptor><Score>6.1</Score></CVSS3><TechnicalDetails><Request>GET /s?q=1</Request></TechnicalDetails></ReportItem></ReportItems></Scan></ScanGroup>`;

test('an item of the XML', async () => {
  const { findings, coverage, failures } = await parseText(acunetix, xml('False', ''));
  expect(findings).toMatchObject([
    {
      ruleId: 'XSS',
      severity: 'high',
      cwe: [79],
      cvssScore: 6.1,
      locations: [{ path: 'https://shop.example/s' }],
      http: { request: 'GET /s?q=1' },
      fingerprint: 'XSS XSS https://shop.example/s q',
    },
  ]);
  expect(coverage).toEqual([{ kind: 'coverage', files: ['https://shop.example'] }]);
  expect(failures).toEqual([]);
});

test('an aborted scan, and a false positive', async () => {
  const { findings, failures } = await parseText(acunetix, xml('True', 'True'));
  expect(failures).toEqual(['The scan was aborted.']);
  expect(findings[0]?.suppressed?.verdict).toBe('false_positive');
});

test.each([
  ['Present, AcceptedRisk', 'accepted_risk'],
  ['Fixed (Confirmed)', 'mitigated_externally'],
  ['Present', undefined],
])('the state %s', async (State, verdict) => {
  const Vulnerabilities = [{ Name: 'XSS', Severity: 'High', Url: 'https://shop.example/', State }];
  const { findings } = await parseText(acunetix, JSON.stringify({ Generated: 'x', Target: {}, Vulnerabilities }));
  expect(findings[0]?.suppressed?.verdict).toBe(verdict);
});
