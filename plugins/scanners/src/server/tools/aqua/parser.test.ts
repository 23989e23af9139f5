import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { aqua } from './parser.ts';

const vulnerability = {
  name: 'CVE-2020-0001',
  aqua_severity: 'high',
  aqua_score: 7.5,
  aqua_scoring_system: 'CVSS V3',
  fix_version: '2',
};

test('image, resource and vulnerability, in any order', async () => {
  const resource = { format: 'apk', name: 'musl', version: '1', path: '/lib/musl' };
  const parts = { image: 'team/app:1', resources: [{ vulnerabilities: [vulnerability], resource }] };
  const wanted = [
    {
      severity: 'high',
      cvssScore: 7.5,
      component: { name: 'musl', version: '1', ecosystem: 'apk', fixedVersion: '2' },
      locations: [{ path: '/lib/musl' }],
      resource: 'team/app',
    },
  ];
  for (const report of [
    parts,
    { resources: parts.resources, image: parts.image },
    [{ image_name: 'team/app:1', results: parts }],
  ])
    expect((await parseText(aqua, JSON.stringify(report))).findings).toMatchObject(wanted);
});

test('one page of the API is an incomplete scan; what is acknowledged is suppressed', async () => {
  const row = { ...vulnerability, image_name: 'app:1', acknowledged_date: '2024-01-01', resource: { name: 'musl' } };
  const { findings, failures } = await parseText(
    aqua,
    JSON.stringify({ count: 2, page: 1, pagesize: 1, result: [row] }),
  );
  expect(findings).toMatchObject([
    { component: { name: 'musl' }, resource: 'app', suppressed: { verdict: 'accepted_risk' } },
  ]);
  expect(failures).toHaveLength(1);
});

test('a scan that failed says so', async () => {
  const report = { image_name: 'app', cves: [], errorMsg: 'image not found' };
  expect((await parseText(aqua, JSON.stringify(report))).failures).toEqual(['image not found']);
});
