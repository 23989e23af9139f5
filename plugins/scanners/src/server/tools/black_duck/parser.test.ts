import { describe, expect, test } from 'vitest';
import { zipOf } from '../../testing/archives.ts';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { packageOf } from './component.ts';
import { blackDuck } from './parser.ts';

const NEW =
  'Used by,Component id,Version id,Origin id,Component name,Component version name,Component origin name,Component origin id,Component origin version name,Vulnerability id,Description,Published on,Updated on,Base score,Exploitability,Impact,Vulnerability source,Remediation status,Remediation target date,Remediation actual date,Remediation comment,URL,Security Risk,Project path,CVSS Version,CWE Ids';
const row = (more: Record<string, string> = {}) => {
  const values: Record<string, string> = {
    'Component id': 'c1',
    'Version id': 'v1',
    'Component name': 'Apache Commons Compress',
    'Component version name': '1.18',
    'Component origin name': 'maven',
    'Component origin id': 'org.apache.commons:commons-compress:1.18',
    'Component origin version name': '1.18',
    'Vulnerability id': 'BDSA-2019-2725 (CVE-2019-12402)',
    Description: '"A loop, without end, stops it. More."',
    'Base score': '5.0',
    Exploitability: '3.9',
    'Vulnerability source': 'BDSA',
    'Remediation status': 'NEW',
    'Security Risk': 'LOW',
    ...more,
  };
  return NEW.split(',')
    .map((name) => values[name] ?? '')
    .join(',');
};
const read = async (...rows: string[]) => (await parseText(blackDuck, [NEW, ...rows].join('\n'))).findings;

describe('black_duck security.csv', () => {
  test('the newer columns: advisory and CVE, package of the registry', async () => {
    expect(
      await read(row({ 'CVSS Version': 'CVSS 3.x', 'CWE Ids': '"[CWE-835, CWE-400]"', URL: 'https://example.com/x' })),
    ).toEqual([
      {
        kind: 'finding',
        ruleId: 'BDSA-2019-2725 (CVE-2019-12402)',
        title: 'BDSA-2019-2725 (CVE-2019-12402): A loop, without end, stops it',
        type: 'SCA',
        severity: 'low',
        nativeSeverity: 'LOW',
        severityNumerical: 39,
        description: 'A loop, without end, stops it. More.',
        cwe: [835, 400],
        cve: 'CVE-2019-12402',
        aliases: ['CVE-2019-12402', 'BDSA-2019-2725'],
        cvssScore: 5,
        references: ['https://example.com/x'],
        component: { name: 'org.apache.commons:commons-compress', version: '1.18', ecosystem: 'maven' },
        tags: ['BDSA'],
      },
    ]);
  });

  test('the older columns', async () => {
    const { findings } = await parseBytes(blackDuck, sampleBytes('black_duck/blackduck__many_vulns.csv'));
    expect(findings[0]).toMatchObject({
      ruleId: '106409',
      severity: 'high',
      component: { name: 'commons-beanutils:commons-beanutils', version: '1.8.3', ecosystem: 'maven' },
    });
    expect(findings[0]?.cve).toBeUndefined();
  });

  test.each([
    ['IGNORED', 'Not used.', { verdict: 'accepted_risk', reason: 'Marked as ignored: Not used.' }],
    ['NOT_AFFECTED', '', { verdict: 'false_positive', reason: 'Marked as not affected in Black Duck' }],
    ['NEEDS_REVIEW', '', undefined],
  ])('remediation status %s', async (status, comment, suppressed) => {
    const [finding] = await read(row({ 'Remediation status': status, 'Remediation comment': comment }));
    expect(finding?.suppressed).toEqual(suppressed);
  });

  test('equal rows stay two, a row without vulnerability is listed', async () => {
    const parsed = await parseText(blackDuck, [NEW, row(), row(), row({ 'Vulnerability id': '' })].join('\n'));
    expect(parsed.findings).toHaveLength(2);
    expect(parsed.unreadable).toMatchObject([{ where: 'row 4' }]);
  });

  test('separated by semicolons, in UTF-16, with a byte-order mark', async () => {
    const text = [NEW.replaceAll(',', ';'), row({ Description: 'x' }).replaceAll(',', ';')].join('\r\n');
    for (const bytes of [Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from(`\ufeff${text}`)]) {
      expect((await parseBytes(blackDuck, bytes)).findings).toHaveLength(1);
      expect(blackDuck.recognise(bytes)).toBeGreaterThan(0.9);
    }
  });

  test('another table is refused', async () => {
    await expect(parseText(blackDuck, 'a,b\n1,2\n')).rejects.toMatchObject({ code: 'report_wrong_tool' });
    await expect(parseBytes(blackDuck, sampleBytes('gitleaks/gitleaks_csv_simple.csv'))).rejects.toMatchObject({
      code: 'report_wrong_tool',
    });
  });
});

describe('black_duck archives', () => {
  const components = [
    'Component id,Version id,Component name,Component version name,License names,License families,Usage,License Risk,Component policy status,Origin name,Origin id',
    'c1,v1,Foo,1.0,MIT License,PERMISSIVE,DYNAMICALLY_LINKED,OK,Not In Violation,npmjs,foo/1.0',
    'c2,v2,Bar,2.0,GNU General Public License v3.0,RECIPROCAL,DYNAMICALLY_LINKED,HIGH,Not In Violation,maven,g:bar:2.0',
    'c3,v3,Baz,3.0,MIT License,PERMISSIVE,DYNAMICALLY_LINKED,OK,In Violation,,',
  ].join('\n');
  const source = [
    'Component id,Version id,Match type,Path,Archive context',
    'c1,v1,FILE_EXACT,/lib/compress.jar,/app.war!/',
    'c1,v1,FILE_EXACT,/lib/compress.jar,/app.war!/',
    'c9,v9,FILE_EXACT,/lib/other.jar,',
  ].join('\n');

  test('vulnerabilities with their files, components, licence risks', async () => {
    const bytes = zipOf({
      'p-1/security_2024.csv': [NEW, row()].join('\n'),
      'p-1/components_2024.csv': components,
      'p-1/source_2024.csv': source,
      'p-1/version_2024.csv': 'whatever',
    });
    const parsed = await parseBytes(blackDuck, bytes);
    expect(parsed.findings).toMatchObject([
      { type: 'SCA', locations: [{ path: '/app.war!/lib/compress.jar' }] },
      { type: 'License', ruleId: 'license-risk', severity: 'high', component: { name: 'g:bar', ecosystem: 'maven' } },
      { type: 'License', ruleId: 'policy-violation', severity: 'high', component: { name: 'Baz' } },
    ]);
    expect(parsed.components).toMatchObject([
      { ref: 'c1/v1/foo/1.0', name: 'foo', version: '1.0', licenses: ['MIT License'] },
      { name: 'g:bar', licenses: ['GNU General Public License v3.0'] },
      { name: 'Baz' },
    ]);
    expect(blackDuck.recognise(bytes)).toBeGreaterThan(0.9);
  });

  test('the older archive, joined by project', async () => {
    const { findings } = await parseBytes(
      blackDuck,
      sampleBytes('black_duck/blackduck__blackduck_enhanced_py3_unittest.zip'),
    );
    expect(findings[0]?.locations).toEqual([{ path: '/WEB-INF/plugins/saml.hpi!/WEB-INF/lib/velocity-1.7.jar' }]);
  });

  test('an archive without security.csv, or with another table of that name', async () => {
    await expect(parseBytes(blackDuck, zipOf({ 'components.csv': components, 'a.txt': 'x' }))).rejects.toMatchObject({
      code: 'report_wrong_tool',
    });
    await expect(parseBytes(blackDuck, zipOf({ 'security.csv': 'a,b\n1,2', 'a.txt': 'x' }))).rejects.toMatchObject({
      code: 'report_wrong_tool',
    });
  });
});

describe('black_duck binary analysis', () => {
  const HEAD =
    '"Component","Version","CVE","Matching type","CVSS","Object","Object full path","CVSS3","CVSS vector (v2)","CVSS vector (v3)","Summary","Triage vectors","Note reason","Vulnerability URL","BDSA"';
  const binary = async (text: string) => (await parseText(blackDuck, `${HEAD}\n${text}\n`)).findings;

  test('the rating of version 3 wins, what is not rated stays without', async () => {
    const found = await binary(
      '"zlib","1.2","CVE-2023-45853","Exact match","0.0","a.dll","x.msi:a.dll","9.8","","AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H","","","","https://nvd.nist.gov/x",""\n' +
        '"jpeg","6b","CVE-2020-14152","Exact match","5.8","b.dll","x.msi:b.dll","0.0","AV:N/AC:M/Au:N/C:P/I:N/A:P","","","","","",""',
    );
    expect(found).toMatchObject([
      {
        severity: 'critical',
        nativeSeverity: '0.0',
        cvssScore: 9.8,
        cvssVector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        component: { name: 'zlib', version: '1.2' },
        locations: [{ path: 'x.msi:a.dll' }],
      },
      { severity: 'medium', cvssScore: 5.8 },
    ]);
  });

  test('what was triaged is suppressed, a component without vulnerability is no finding', async () => {
    const found = await binary(
      '"zlib","1.2","CVE-2023-45853","Exact match","5","a","a","9.8","","","","C","Not reachable","",""\n"png","1","","Exact match","0","a","a","0","","","","","","",""',
    );
    expect(found).toMatchObject([{ suppressed: { verdict: 'accepted_risk', reason: 'Not reachable' } }]);
  });
});

test.each([
  ['npmjs', '@scope/name/1.0.0', '1.0.0', '@scope/name', 'npm'],
  ['debian', 'openssl/1.1.0-1/amd64', '1.1.0-1', 'openssl', 'deb'],
  ['golang', 'github.com/a/b:v1.2', 'v1.2', 'github.com/a/b', 'golang'],
  ['maven', 'other-key', '1.0', 'Project', undefined],
])('package of %s %s', (origin, id, version, name, ecosystem) => {
  const found = packageOf({
    'component name': 'Project',
    'component origin name': origin,
    'component origin id': id,
    'component origin version name': version,
  });
  expect(found).toEqual({ name, version, ...(ecosystem === undefined ? {} : { ecosystem }) });
});
