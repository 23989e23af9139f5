import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { dependencyCheck } from './parser.ts';

function report(dependency: object): string {
  return JSON.stringify({
    reportSchema: '1.1',
    scanInfo: { engineVersion: '11.1.0' },
    projectInfo: {},
    dependencies: [dependency],
  });
}
const vulnerability = {
  source: 'NVD',
  name: 'CVE-2024-2222',
  severity: 'HIGH',
  description: 'A fault in the parser lets attackers stop the server. See notes.',
};

describe('owasp-dependency-check', () => {
  test('package, rating from its parts, fixed version', async () => {
    const rated = {
      ...vulnerability,
      cwes: ['CWE-20', 'NVD-CWE-noinfo'],
      cvssv2: {
        score: 5,
        accessVector: 'NETWORK',
        accessComplexity: 'LOW',
        authenticationr: 'NONE',
        confidentialityImpact: 'PARTIAL',
        integrityImpact: 'NONE',
        availabilityImpact: 'NONE',
      },
      cvssv3: {
        baseScore: 7.5,
        attackVector: 'NETWORK',
        attackComplexity: 'LOW',
        privilegesRequired: 'NONE',
        userInteraction: 'NONE',
        scope: 'UNCHANGED',
        confidentialityImpact: 'NONE',
        integrityImpact: 'NONE',
        availabilityImpact: 'HIGH',
        version: '3.1',
      },
      references: [{ url: 'https://nvd.nist.gov/x' }, { url: 'ftp://old.example' }],
      vulnerableSoftware: [
        { software: { id: 'cpe:2.3:a:x', vulnerabilityIdMatched: 'true', versionEndExcluding: '2.9.9' } },
      ],
    };
    const dependency = {
      fileName: 'core-2.9.1.jar',
      filePath: 'C:\\m2\\core-2.9.1.jar',
      packages: [{ id: 'pkg:maven/org.example/core@2.9.1' }],
      vulnerabilities: [rated],
    };
    const { findings, info } = await parseText(dependencyCheck, report(dependency));
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'CVE-2024-2222',
        title: 'CVE-2024-2222: A fault in the parser lets attackers stop the server',
        type: 'SCA',
        severity: 'high',
        nativeSeverity: 'HIGH',
        severityNumerical: 75,
        description: rated.description,
        mitigation: 'Upgrade org.example:core to 2.9.9 or later.',
        cwe: [20],
        cve: 'CVE-2024-2222',
        aliases: ['CVE-2024-2222'],
        cvssScore: 7.5,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
        references: ['https://nvd.nist.gov/x'],
        component: {
          name: 'org.example:core',
          version: '2.9.1',
          purl: 'pkg:maven/org.example/core@2.9.1',
          ecosystem: 'maven',
          fixedVersion: '2.9.9',
        },
        locations: [{ path: 'C:/m2/core-2.9.1.jar' }],
        tags: ['NVD'],
      },
    ]);
    expect(info).toEqual([{ kind: 'report', toolName: 'OWASP Dependency-Check', toolVersion: '11.1.0' }]);
  });

  test('a file without package is named by its file, an npm package by its scope and name', async () => {
    const named = async (dependency: object) =>
      (await parseText(dependencyCheck, report({ ...dependency, vulnerabilities: [vulnerability] }))).findings[0]
        ?.component;
    expect(await named({ fileName: 'jquery.min.js' })).toEqual({ name: 'jquery.min.js' });
    expect(await named({ fileName: 'x', packages: [{ id: 'pkg:npm/%40scope/name@1.0.0' }] })).toMatchObject({
      name: '@scope/name',
      version: '1.0.0',
    });
  });

  test('an advisory without id keeps its text as name', async () => {
    const { findings } = await parseText(
      dependencyCheck,
      report({
        fileName: 'handlebars.js',
        vulnerabilities: [{ name: 'Disallow calling helperMissing directly', severity: 'unscored' }],
      }),
    );
    expect(findings[0]).toMatchObject({
      title: 'Disallow calling helperMissing directly',
      severity: 'informational',
      nativeSeverity: 'unscored',
    });
    expect(findings[0]?.cve).toBeUndefined();
    expect(findings[0]?.aliases).toBeUndefined();
  });

  test('suppressed vulnerabilities come in as suppressed, with the notes', async () => {
    const { findings } = await parseBytes(
      dependencyCheck,
      sampleBytes('owasp-dependency-check/ssf_dependecy_check_v4.0.2.xml'),
    );
    const suppressed = findings.filter((finding) => finding.suppressed);
    expect(findings.length - suppressed.length).toBe(12);
    expect(suppressed).toHaveLength(21);
    expect(suppressed[0]?.suppressed).toMatchObject({ verdict: 'false_positive', reason: expect.any(String) });
    expect(findings[0]?.component?.name).toContain(':');
  });

  test('the XML of version 1.3 and of version 2.2', async () => {
    const old = await parseBytes(dependencyCheck, sampleBytes('owasp-dependency-check/single_vuln.xml'));
    expect(old.findings[0]).toMatchObject({
      component: { name: 'org.owasp:library', version: '6.7.8' },
      cvssScore: 7.5,
      cvssVector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P',
      severity: 'medium',
    });
    const newer = await parseBytes(
      dependencyCheck,
      sampleBytes('owasp-dependency-check/ssf_dependency-check-report_v5.2.0_webgoat8.xml'),
    );
    expect(newer.findings[0]).toMatchObject({
      component: { purl: expect.stringMatching(/^pkg:maven/) },
      cvssVector: expect.stringMatching(/^CVSS:3/),
    });
    expect(newer.info[0]?.toolVersion).toBe('5.2.0');
  });

  const OTHER = { id: 'cpe:2.3:a:acme:server:*:*:*:*:*:*:*:*', versionEndExcluding: '9.0' };
  const OWN = 'cpe:2.3:a:example:core:*:*:*:*:*:*:*:*';
  const matched = (range: object) => ({ id: OWN, vulnerabilityIdMatched: 'true', ...range });
  const branches = [
    matched({ versionStartIncluding: '3.0.0', versionEndExcluding: '3.1.2' }),
    matched({ versionStartIncluding: '2.0.0', versionEndExcluding: '2.10.0' }),
  ];
  test.each([
    ['the only range, of another product', '2.9.1', [OTHER], undefined],
    ['the only range, of the package', '2.9.1', [{ ...OTHER, id: OWN }], '9.0'],
    ['another product beside it', '2.9.1', [OTHER, { id: OWN, versionEndExcluding: '2.10.0' }], '2.10.0'],
    ['the branch of the version', '2.9.1', branches, '2.10.0'],
    ['the other branch', '3.1.1', branches, '3.1.2'],
    ['a stage before the release that ends the range', '3.1.2-rc1', branches, '3.1.2'],
    ['a branch that no range is about', '4.0.0', branches, undefined],
    ['several branches and no version', '', branches, undefined],
    ['a range that the version lies behind', '2.9.1', [matched({ versionEndExcluding: '2.9.1' })], undefined],
    ['a manifest that names a range itself', '%5E2.9.1', branches, '2.10.0'],
  ])('fixed version: %s', async (_, version, software, expected) => {
    const vulnerableSoftware = software.map((entry) => ({ software: entry }));
    const id = `pkg:maven/org.example/core${version === '' ? '' : `@${version}`}`;
    const dependency = {
      fileName: 'core.jar',
      packages: [{ id }],
      vulnerabilities: [{ ...vulnerability, vulnerableSoftware }],
    };
    const [finding] = (await parseText(dependencyCheck, report(dependency))).findings;
    expect(finding?.component?.fixedVersion).toBe(expected);
    expect(finding?.mitigation).toBe(expected && `Upgrade org.example:core to ${expected} or later.`);
  });
});
