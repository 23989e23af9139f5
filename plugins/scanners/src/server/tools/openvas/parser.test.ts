import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { openvas } from './parser.ts';

const result =
  '<result id="a"><name>TLS</name><host>10.0.0.1<hostname>web</hostname></host><port>443/tcp</port><nvt oid="1.3.6"><name>TLS</name><family>SSL</family><tags>cvss_base_vector=AV:N/AC:L/Au:N/C:P/I:N/A:N|summary=Weak.|solution=Upgrade.</tags><refs><ref type="cve" id="CVE-2016-2183"/><ref type="url" id="https://a.example/"/></refs></nvt><threat>Medium</threat><severity>5.0</severity><description>Found DES.</description></result>';
const report = (status = 'Done', errors = '', results = result) =>
  `<report id="r" format_id="f"><report id="r"><task id="t"><name>Nightly</name></task><scan_run_status>${status}</scan_run_status><results>${results}</results><errors>${errors}</errors></report></report>`;
const table =
  'IP,Hostname,Port,Port Protocol,CVSS,Severity,NVT Name,Summary,Specific Result,NVT OID,CVEs,Solution,Other References\n10.0.0.1,web,443,tcp,5.0,Medium,TLS,Weak.,Found DES.,1.3.6,"CVE-2016-2183",Upgrade.,https://a.example/\n';

describe('openvas', () => {
  test('XML and CSV say the same', async () => {
    const xml = await parseText(openvas, report());
    expect(xml.findings).toEqual([
      {
        kind: 'finding',
        ruleId: '1.3.6',
        title: 'TLS',
        type: 'DAST',
        severity: 'medium',
        nativeSeverity: 'Medium',
        severityNumerical: 50,
        description: 'Weak.\n\nFound DES.',
        mitigation: 'Upgrade.',
        cve: 'CVE-2016-2183',
        aliases: ['CVE-2016-2183'],
        cvssScore: 5,
        cvssVector: expect.stringContaining('AV:N/AC:L/Au:N/C:P/I:N/A:N'),
        references: ['https://a.example/'],
        locations: [{ path: '10.0.0.1:443' }],
        resource: 'web',
        fingerprint: '1.3.6 10.0.0.1:443 tcp',
        policy: { category: 'SSL' },
      },
    ]);
    const { findings } = await parseText(openvas, table);
    const { policy, cvssVector, ...known } = xml.findings[0] ?? {};
    expect([policy, cvssVector]).not.toContain(undefined);
    expect(findings).toEqual([known]);
    expect(xml.coverage[0]).toEqual({ kind: 'coverage', part: { task: 'Nightly' } });
  });

  test('the answer of the protocol', async () => {
    const { findings } = await parseText(
      openvas,
      `<get_reports_response status="200">${report()}</get_reports_response>`,
    );
    expect(findings).toHaveLength(1);
  });

  test('a scan that was stopped, or had errors', async () => {
    const error = '<error><host>10.0.0.2</host><description>timed out</description></error>';
    expect((await parseText(openvas, report('Stopped', error))).failures).toEqual([
      'The scan ended with status “Stopped”.',
      '10.0.0.2: timed out',
    ]);
    expect((await parseText(openvas, report())).failures).toEqual([]);
  });

  test('a false positive', async () => {
    const marked = result.replace('Medium', 'False Positive');
    expect((await parseText(openvas, report('Done', '', marked))).findings[0]?.suppressed?.verdict).toBe(
      'false_positive',
    );
  });

  test('a report of another tool with that root is refused', async () => {
    expect(openvas.recognise(Buffer.from('<report><issue/></report>'))).toBe(0);
  });
});
