import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { nessus } from './parser.ts';

const item = (inner: string, attributes = 'severity="3" pluginID="1" pluginName="TLS" pluginFamily="General"') =>
  `<NessusClientData_v2><Report name="Nightly"><ReportHost name="10.0.0.1"><HostProperties/><ReportItem port="443" protocol="tcp" ${attributes}>${inner}</ReportItem></ReportHost></Report></NessusClientData_v2>`;

describe('nessus', () => {
  test('an item of the XML, with all its CVEs', async () => {
    const { findings, coverage } = await parseText(
      nessus,
      item(
        '<synopsis>Weak.</synopsis><description>Ciphers.</description><plugin_output>DES</plugin_output><solution>n/a</solution>' +
          '<cve>CVE-2016-2183</cve><cve>CVE-2016-6329</cve><xref>CWE:327</xref><see_also>https://a.example/x\nhttps://b.example/</see_also>' +
          '<cvss_vector>CVSS2#AV:N/AC:L/Au:N/C:P/I:N/A:N</cvss_vector><cvss3_base_score>7.5</cvss3_base_score>' +
          '<cvss3_vector>CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N</cvss3_vector><epss_score>0.5</epss_score>',
      ),
    );
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: '1',
        title: 'TLS',
        type: 'DAST',
        severity: 'high',
        nativeSeverity: 'High',
        severityNumerical: 75,
        description: 'Weak.\n\nCiphers.\n\nDES',
        cwe: [327],
        cve: 'CVE-2016-2183',
        aliases: ['CVE-2016-2183', 'CVE-2016-6329'],
        cvssScore: 7.5,
        cvssVector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
        epss: { probability: 0.5 },
        references: ['https://a.example/x', 'https://b.example/'],
        locations: [{ path: '10.0.0.1:443' }],
        resource: '10.0.0.1',
        fingerprint: '1 10.0.0.1:443 tcp',
        policy: { category: 'General' },
      },
    ]);
    expect(coverage).toEqual([{ kind: 'coverage', part: { scan: 'Nightly' } }]);
  });

  test('rows of one result with different CVEs are told apart', async () => {
    const head = 'Plugin ID,CVE,CVSS v3.0 Base Score,Risk,Host,Protocol,Port,Name,Plugin Output\n';
    const rows = ['CVE-2020-0001', 'CVE-2020-0002'].map((cve) => `7,${cve},9.8,Critical,h,tcp,22,SSH,x\n`);
    const { findings } = await parseText(nessus, head + rows.join(''));
    expect(findings.map(({ fingerprint }) => fingerprint)).toEqual([
      '7 h:22 tcp CVE-2020-0001',
      '7 h:22 tcp CVE-2020-0002',
    ]);
  });

  test('the id of a result is not that of its plugin', async () => {
    const head =
      'definition.id;definition.name;asset.name;id;severity;state;risk_modified;recast_reason;port;protocol\n';
    const { findings } = await parseText(
      nessus,
      `${head}33851;Daemons;web1;0012b94a;Low;FIXED;NONE;;0;TCP\n33852;Other;web1;0012b94b;Low;ACTIVE;ACCEPTED;known;0;TCP\n`,
    );
    expect(findings).toMatchObject([
      { ruleId: '33851', locations: [{ path: 'web1' }], suppressed: { verdict: 'mitigated_externally' } },
      { ruleId: '33852', suppressed: { verdict: 'accepted_risk', reason: 'known' } },
    ]);
  });
});
