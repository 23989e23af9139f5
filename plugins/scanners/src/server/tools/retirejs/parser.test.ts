import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { retirejs } from './parser.ts';

const vulnerability = {
  info: ['https://example.com/fix'],
  below: '4.3.0',
  severity: 'high',
  cwe: ['CWE-1321'],
  identifiers: { summary: 'Prototype pollution', CVE: ['CVE-2019-19919'], githubID: 'GHSA-w457-6q6x-cgp9' },
};
const library = {
  version: '4.0.0',
  component: 'handlebars',
  detection: 'filecontent',
  vulnerabilities: [vulnerability],
};
const report = (change: object = {}, file = '/ci/3/shop/public/handlebars.js') =>
  JSON.stringify({
    version: '5.2.4',
    start: '2024-05-01T10:00:00.000Z',
    data: [{ file, results: [library] }],
    messages: [],
    errors: [],
    ...change,
  });

test('a vulnerability of a library in a file, below the checkout', async () => {
  const { findings, info } = await parseText(retirejs, report());
  expect(info[0]).toMatchObject({ toolVersion: '5.2.4', date: '2024-05-01T10:00:00.000Z' });
  expect(findings).toEqual([
    {
      kind: 'finding',
      ruleId: 'GHSA-w457-6q6x-cgp9',
      title: 'handlebars: Prototype pollution',
      type: 'SCA',
      severity: 'high',
      nativeSeverity: 'high',
      description: 'Prototype pollution',
      mitigation: 'Upgrade handlebars to 4.3.0 or later.',
      cwe: [1321],
      cve: 'CVE-2019-19919',
      aliases: ['GHSA-w457-6q6x-cgp9', 'CVE-2019-19919'],
      references: ['https://example.com/fix'],
      component: {
        ...{ name: 'handlebars', version: '4.0.0', purl: 'pkg:npm/handlebars@4.0.0' },
        ...{ ecosystem: 'npm', fixedVersion: '4.3.0' },
      },
      locations: [{ path: 'public/handlebars.js' }],
      tags: ['filecontent'],
    },
  ]);
  expect((await parseText(retirejs, report({}, '/srv/x/public/handlebars.js'))).findings).toEqual(findings);
});

test('old entries without an identifier are told apart by what they say', async () => {
  const old = [1, 2].map((n) => ({ below: '4.3.0', severity: 'low', identifiers: { summary: `Bug ${n}` } }));
  const { findings } = await parseText(
    retirejs,
    report({ data: [{ file: 'a.js', results: [{ ...library, vulnerabilities: old }] }] }),
  );
  expect(new Set(findings.map(({ ruleId }) => ruleId)).size).toBe(2);
});

test('the list of version 1, nothing found, and errors', async () => {
  const list = JSON.stringify([{ file: 'a.js', results: [library] }]);
  expect(retirejs.recognise(Buffer.from(list))).toBeGreaterThan(0.9);
  expect((await parseText(retirejs, list)).findings).toHaveLength(1);
  expect(await parseText(retirejs, report({ data: [] }))).toMatchObject({ findings: [], failures: [] });
  expect((await parseText(retirejs, report({ errors: ['Could not read a.js'] }))).failures).toEqual([
    'Could not read a.js',
  ]);
});
