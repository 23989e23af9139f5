import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { kubescape } from './parser.ts';

const control = (status: object, change: object = {}) => ({
  controlID: 'C-0016',
  name: 'Allow privilege escalation',
  status,
  rules: [{ name: 'r', status: 'failed', paths: [{ failedPath: '', fixPath: { path: 'spec.a', value: 'false' } }] }],
  ...change,
});
const results = [
  {
    resourceID: 'apps/v1/shop/Deployment/web',
    controls: [
      control({ status: 'failed' }),
      control({ status: 'passed' }),
      control({ status: 'passed', subStatus: 'w/exceptions' }, { controlID: 'C-0017' }),
    ],
  },
];
const resources = [
  {
    resourceID: 'apps/v1/shop/Deployment/web',
    object: { kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } },
    source: { relativePath: 'k8s/web.yaml' },
  },
];
const summaryDetails = { controls: { 'C-0016': { scoreFactor: 6, category: { name: 'Workload' } } } };
const metadata = { scanMetadata: { targetNames: ['nsa'], kubescapeVersion: 'v3.0.3' } };

test('failed controls with their resource and score, in any order of the report', async () => {
  for (const report of [
    { summaryDetails, resources, results, metadata },
    { results, metadata, resources, summaryDetails },
  ]) {
    const { findings, coverage } = await parseText(kubescape, JSON.stringify(report));
    expect(findings).toMatchObject([
      {
        ruleId: 'C-0016',
        type: 'IaC',
        severity: 'medium',
        nativeSeverity: '6',
        description: 'Fields: spec.a = false',
        locations: [{ path: 'k8s/web.yaml' }],
        resource: 'shop/Deployment/web',
        policy: { category: 'Workload', control: 'C-0016' },
      },
      { ruleId: 'C-0017', suppressed: { verdict: 'accepted_risk' } },
    ]);
    expect(findings).toHaveLength(2);
    expect(coverage).toEqual([{ kind: 'coverage', part: { framework: 'nsa' } }]);
  }
});

test('a resource of a cluster has no file', async () => {
  const report = { clusterName: 'prod', summaryDetails, results, resources: [{ ...resources[0], source: {} }] };
  const { findings, info } = await parseText(kubescape, JSON.stringify(report));
  expect(findings[0]).toMatchObject({ type: 'Configuration', resource: 'shop/Deployment/web' });
  expect(info[0]?.target).toBe('prod');
});
