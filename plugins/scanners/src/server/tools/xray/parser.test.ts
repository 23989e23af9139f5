import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { xray } from './parser.ts';

const read = (change: object, total = 1) => {
  const row = {
    issue_id: 'XRAY-1',
    severity: 'High',
    cves: [{ cve: 'CVE-2020-0001' }],
    impacted_artifact: 'npm://app',
    ...change,
  };
  return parseText(xray, JSON.stringify({ total_rows: total, rows: [row] }));
};

test.each([
  ['npm://ip:2.0.0', 'ip', '2.0.0', 'npm'],
  ['npm://@scope/ip:2.0.0', '@scope/ip', '2.0.0', 'npm'],
  ['gav://org.apache:log4j:2.1', 'org.apache:log4j', '2.1', 'maven'],
  ['rpm://7:openssl:1:1.0.2k', 'openssl', '1:1.0.2k', 'rpm'],
  ['deb://debian:buster:openssl:1.1', 'openssl', '1.1', 'deb'],
  ['deb://ubuntu:trusty:acl:1:2.2.49-2', 'acl', '1:2.2.49-2', 'deb'],
  ['deb://openssl:1.1', 'openssl', '1.1', 'deb'],
  ['deb://openssl:1:1.1', 'openssl', '1:1.1', 'deb'],
  ['\u0000', 'unnamed component', undefined, undefined],
  ['alpine://3.9:musl:1.1.20', 'musl', '1.1.20', 'apk'],
])('%s', async (vulnerable_component, name, version, ecosystem) => {
  expect((await read({ vulnerable_component })).findings[0]?.component).toEqual({ name, version, ecosystem });
});

test('an image, a page of several, and what is not applicable', async () => {
  const { findings, failures } = await read(
    {
      vulnerable_component: 'npm://ip:2.0.0',
      impacted_artifact: 'docker://team/app:1.0.5',
      applicability_result: 'not_applicable',
      fixed_versions: ['≥ 2.0.1', '[1.1.9]'],
    },
    2,
  );
  expect(findings).toMatchObject([
    {
      type: 'Container',
      resource: 'team/app',
      component: { fixedVersion: '2.0.1, 1.1.9' },
      suppressed: { verdict: 'false_positive' },
    },
  ]);
  expect(failures).toHaveLength(1);
});

test('a component whose name is nothing that can be stored', async () => {
  for (const vulnerable_component of ['\0', ' ', '::'])
    expect((await read({ vulnerable_component })).findings[0]?.component?.name).not.toMatch(/\0|^\s*$/);
});
