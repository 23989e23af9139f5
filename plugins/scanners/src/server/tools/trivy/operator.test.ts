import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { trivy } from './parser.ts';

const resource = (kind: string, name: string, report: object) => ({
  apiVersion: 'aquasecurity.github.io/v1alpha1',
  kind,
  metadata: {
    name: `replicaset-${name}`,
    namespace: 'shop',
    labels: {
      'trivy-operator.resource.kind': 'ReplicaSet',
      'trivy-operator.resource.name': `${name}-965685897`,
      'trivy-operator.resource.namespace': 'shop',
    },
  },
  report,
});
const vulnerability = {
  vulnerabilityID: 'CVE-2023-23914',
  resource: 'curl',
  installedVersion: '7.87.0-r1',
  fixedVersion: '7.87.0-r2',
  severity: 'CRITICAL',
  score: 9.1,
  title: 'curl: HSTS ignored',
  primaryLink: 'https://avd.aquasec.com/nvd/cve-2023-23914',
  target: '',
  packagePURL: 'pkg:apk/alpine/curl@7.87.0-r1',
};
const image = { artifact: { repository: 'library/nginx', tag: '1.2' }, registry: { server: 'index.docker.io' } };
const vulnerable = (name: string) =>
  resource('VulnerabilityReport', name, { ...image, vulnerabilities: [vulnerability] });
const check = { checkID: 'KSV014', title: 'Root is writable', severity: 'LOW', success: false, messages: ['m'] };
const read = (report: unknown) => parseText(trivy, JSON.stringify(report));

describe('resources of Trivy Operator', () => {
  test('a vulnerability, without what changes from one deployment to the next', async () => {
    const { findings, coverage, info } = await read(vulnerable('web'));
    expect(findings).toMatchObject([
      {
        ruleId: 'CVE-2023-23914',
        type: 'Container',
        severity: 'critical',
        cvssScore: 9.1,
        component: {
          name: 'curl',
          version: '7.87.0-r1',
          purl: 'pkg:apk/alpine/curl@7.87.0-r1',
          fixedVersion: '7.87.0-r2',
        },
        locations: [{ path: 'index.docker.io/library/nginx' }],
        resource: 'shop/ReplicaSet/web',
      },
    ]);
    expect(coverage).toEqual([
      { kind: 'coverage', part: { workload: 'shop/ReplicaSet/web', report: 'VulnerabilityReport' } },
      { kind: 'coverage', types: ['Container'] },
    ]);
    expect(info).toHaveLength(1);
  });

  test('a list, lists by kind, and one after the other give the same', async () => {
    const audit = resource('ConfigAuditReport', 'web', { checks: [check, { ...check, success: true }] });
    const all = [vulnerable('web'), vulnerable('api'), audit];
    const list = await read({ apiVersion: 'v1', kind: 'List', items: all });
    expect(list.findings).toHaveLength(3);
    expect(list.coverage).toEqual([{ kind: 'coverage', types: ['Container', 'Configuration'] }]);
    const kinds = {
      'vulnerabilityreports.aquasecurity.github.io': all.slice(0, 2),
      'configauditreports.aquasecurity.github.io': [audit],
    };
    expect((await read(kinds)).findings).toEqual(list.findings);
    const text = all.map((one) => JSON.stringify(one)).join('\n');
    expect((await parseText(trivy, text)).findings).toEqual(list.findings);
  });

  test('a control gives its severity to checks without one', async () => {
    const results = [{ id: '1.1', severity: 'HIGH', checks: [{ ...check, severity: '', target: '/node' }] }];
    const compliance = { ...resource('ClusterComplianceReport', 'cis', {}), status: { detailReport: { results } } };
    expect((await read(compliance)).findings).toMatchObject([{ severity: 'high', locations: [{ path: '/node' }] }]);
  });

  test('other resources of a cluster are refused', async () => {
    const pods = { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Pod', metadata: {} }] };
    await expect(read(pods)).rejects.toMatchObject({ code: 'report_wrong_tool' });
    expect(trivy.recognise(Buffer.from(JSON.stringify(pods)))).toBe(0);
  });
});
