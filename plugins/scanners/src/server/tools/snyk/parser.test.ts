import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { snyk } from './parser.ts';

const vulnerability = {
  id: 'SNYK-JS-QS-3153490',
  title: 'Prototype Poisoning',
  CVSSv3: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H/E:P',
  cvssScore: 7.5,
  description: '## Overview\nqs is affected.',
  identifiers: { CVE: ['CVE-2022-24999'], CWE: ['CWE-1321'], GHSA: ['GHSA-hrpp-h998-j3pp'] },
  packageManager: 'npm',
  packageName: 'qs',
  references: [{ title: 'Advisory', url: 'https://github.com/advisories/GHSA-hrpp-h998-j3pp' }],
  severity: 'high',
  severityWithCritical: 'high',
  semver: { vulnerable: ['<6.9.7'] },
  from: ['app@1.0.0', 'express@4.16.0', 'qs@6.5.1'],
  upgradePath: [false, 'express@4.17.3', 'qs@6.9.7'],
  isUpgradable: true,
  fixedIn: ['6.9.7'],
  name: 'qs',
  version: '6.5.1',
  epssDetails: { probability: '0.0119', percentile: '0.85' },
};
const project = (change: object = {}) => ({
  vulnerabilities: [vulnerability],
  ok: false,
  dependencyCount: 3,
  packageManager: 'npm',
  projectName: 'app',
  displayTargetFile: 'web\\package-lock.json',
  ...change,
});
const read = (report: unknown, family?: string) => parseText(snyk, JSON.stringify(report), family);

describe('snyk', () => {
  test('a path to a vulnerable package', async () => {
    const { findings, coverage } = await read(project());
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'SNYK-JS-QS-3153490',
        title: 'Prototype Poisoning',
        type: 'SCA',
        severity: 'high',
        nativeSeverity: 'high',
        severityNumerical: 75,
        description: '## Overview\nqs is affected.\n\nIntroduced through: express@4.16.0 > qs@6.5.1',
        mitigation: 'Upgrade to express@4.17.3.',
        cwe: [1321],
        cve: 'CVE-2022-24999',
        aliases: ['CVE-2022-24999', 'SNYK-JS-QS-3153490', 'GHSA-hrpp-h998-j3pp'],
        cvssScore: 7.5,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H/E:P',
        epss: { probability: 0.0119, percentile: 0.85 },
        references: [
          'https://security.snyk.io/vuln/SNYK-JS-QS-3153490',
          'https://github.com/advisories/GHSA-hrpp-h998-j3pp',
        ],
        component: { name: 'qs', version: '6.5.1', ecosystem: 'npm', fixedVersion: '6.9.7' },
        locations: [{ path: 'web/package-lock.json' }],
      },
    ]);
    expect(coverage).toEqual([{ kind: 'coverage', part: { project: 'app', file: 'web/package-lock.json' } }]);
  });

  test('several projects have no part in common', async () => {
    const { findings, coverage } = await read([project(), project({ projectName: 'b', packageManager: 'yarn' })]);
    expect(findings).toHaveLength(2);
    expect(coverage).toEqual([]);
  });

  test('what the policy ignores is suppressed, with its reason', async () => {
    const ignored = { ...vulnerability, filtered: { ignored: [{ reason: 'not reachable', expires: '2030-01-01' }] } };
    const { findings } = await read(project({ vulnerabilities: [], filtered: { ignore: [ignored], patch: [] } }));
    expect(findings).toMatchObject([
      {
        locations: [{ path: 'web/package-lock.json' }],
        suppressed: { verdict: 'accepted_risk', reason: 'not reachable' },
      },
    ]);
  });

  test('a licence issue', async () => {
    const license = {
      id: 'snyk:lic:npm:x:GPL-3.0',
      title: 'GPL-3.0 license',
      type: 'license',
      severity: 'medium',
      name: 'x',
    };
    const { findings } = await read(project({ vulnerabilities: [license] }));
    expect(findings).toMatchObject([{ type: 'License', component: { name: 'x', ecosystem: 'npm' } }]);
    expect(findings[0]?.aliases).toBeUndefined();
  });

  test('an image, and the projects inside it', async () => {
    const image = project({
      projectName: 'docker-image|registry.example/shop:1.2',
      docker: { image: {} },
      displayTargetFile: undefined,
      applications: [project({ projectName: 'inner' })],
    });
    const { findings, info } = await read(image);
    expect(findings.map(({ type, resource }) => ({ type, resource }))).toEqual([
      { type: 'Container', resource: 'registry.example/shop' },
      { type: 'Container', resource: 'registry.example/shop' },
    ]);
    expect(findings[1]?.locations).toEqual([{ path: 'web/package-lock.json' }]);
    expect(info[0]?.target).toBe('registry.example/shop');
    expect((await read(image, 'SCA')).findings[0]?.type).toBe('SCA');
  });

  test('a project that failed is a failed scan', async () => {
    const failed = { ok: false, error: 'Missing node_modules folder', path: '/app' };
    expect((await read(failed)).failures).toEqual(['Missing node_modules folder']);
    const { findings, failures } = await read([project(), failed]);
    expect(findings).toHaveLength(1);
    expect(failures).toHaveLength(1);
  });

  test('infrastructure as code', async () => {
    const issue = {
      id: 'SNYK-CC-K8S-1',
      title: 'Container is running in privileged mode',
      severity: 'high',
      isIgnored: false,
      subType: 'Deployment',
      documentation: 'https://security.snyk.io/rules/cloud/SNYK-CC-K8S-1',
      issue: 'Container is running in privileged mode',
      impact: 'Full access to the host.',
      resolve: 'Remove privileged.',
      path: ['spec', 'privileged'],
      lineNumber: 12,
    };
    const { findings } = await read({ infrastructureAsCodeIssues: [issue], targetFile: 'k8s/app.yaml', ok: false });
    expect(findings).toMatchObject([
      {
        type: 'IaC',
        severity: 'high',
        locations: [{ path: 'k8s/app.yaml', startLine: 12 }],
        resource: 'spec.privileged',
      },
    ]);
  });

  test('is not taken for a report with “vulnerabilities” of another tool', async () => {
    await expect(read({ ok: true })).rejects.toMatchObject({ code: 'report_wrong_tool' });
    expect(snyk.recognise(Buffer.from('{"version":"15.0.7","vulnerabilities":[{"id":"x"}]}'))).toBe(0);
  });
});
