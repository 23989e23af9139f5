import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { twistlock } from './parser.ts';

const image = {
  vulnerabilities: [
    { id: 'CVE-2020-0001', severity: 'high', packageName: 'a', packageVersion: '1', status: 'fixed in 2' },
  ],
  compliances: [{ id: 41, title: 'Create a user', severity: 'medium', category: 'Docker' }],
  vulnerabilityDistribution: {},
  id: 'sha256:0f',
  name: 'team/app:1.2',
};

test('vulnerabilities and failed checks of an image that is named behind them', async () => {
  const { findings, info } = await parseText(twistlock, JSON.stringify({ results: [image] }));
  expect(findings).toMatchObject([
    { ruleId: 'CVE-2020-0001', type: 'Container', component: { fixedVersion: '2' }, resource: 'team/app' },
    { ruleId: '41', type: 'Configuration', resource: 'team/app' },
  ]);
  expect(info[0]?.target).toBe('team/app');
});

test('several images have no target in common; null stands for none', async () => {
  const other = { ...image, name: 'team/b', vulnerabilities: null, compliances: null };
  const { findings, info } = await parseText(twistlock, JSON.stringify({ results: [image, other] }));
  expect(findings).toHaveLength(2);
  expect(info[0]?.target).toBeUndefined();
});

test('a row without a CVE is a failed check', async () => {
  const head = 'Registry,Repository,Tag,CVE ID,Compliance ID,Severity,Packages,Description\n';
  const { findings } = await parseText(twistlock, `${head}r.example,app,1,,41,high,,Create a user\n`);
  expect(findings).toMatchObject([{ ruleId: '41', type: 'Configuration', resource: 'r.example/app' }]);
});
