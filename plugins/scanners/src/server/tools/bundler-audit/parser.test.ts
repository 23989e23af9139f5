import { expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { bundlerAudit } from './parser.ts';

const read = async (name: string) => (await parseBytes(bundlerAudit, sampleBytes(`bundler-audit/${name}`))).findings;

test('an entry of the text', async () => {
  expect((await read('v0.9.0.txt'))[0]).toEqual({
    kind: 'finding',
    ruleId: 'CVE-2020-8161',
    title: 'Directory traversal in Rack::Directory app bundled with Rack',
    type: 'SCA',
    severity: 'informational',
    nativeSeverity: 'Unknown',
    mitigation: 'Upgrade rack to 2.1.3, 2.2.0 or later.',
    cve: 'CVE-2020-8161',
    aliases: ['CVE-2020-8161', 'GHSA-5f9h-9pjv-v6j7'],
    references: ['https://groups.google.com/forum/#!topic/ruby-security-ann/T4ZIsfRf2eA'],
    component: {
      ...{ name: 'rack', version: '1.6.13', purl: 'pkg:gem/rack@1.6.13' },
      ...{ ecosystem: 'gem', fixedVersion: '2.1.3, 2.2.0' },
    },
    locations: [{ path: 'Gemfile.lock' }],
  });
});

test('JSON names what the text names, and more', async () => {
  const json = (await read('made.json'))[1];
  const text = (await read('v0.9.0.txt'))[0];
  expect(json).toMatchObject({ ruleId: text?.ruleId, aliases: text?.aliases, component: text?.component });
  expect(json).toMatchObject({ severity: 'high', cvssScore: 8.6, published: '2020-05-12T00:00:00.000Z' });
});

test('a source without encryption is a result in both', async () => {
  const text = 'Insecure Source URI found: http://rubygems.example.com/\nVulnerabilities found!\n';
  const { findings } = await parseText(bundlerAudit, text);
  expect(findings).toEqual([(await read('made.json'))[0]]);
});

test('nothing found, an entry without advisory, and something else', async () => {
  expect((await parseText(bundlerAudit, 'No vulnerabilities found\n')).findings).toEqual([]);
  const half =
    'Name: rack\nVersion: 1.0\n\nName: x\nVersion: 1\nAdvisory: CVE-2020-8161\nTitle: T\nSolution: remove or disable this gem\n';
  const { findings, unreadable } = await parseText(bundlerAudit, half);
  expect(findings.map(({ component }) => [component?.name, component?.fixedVersion])).toEqual([['x', undefined]]);
  expect(unreadable).toHaveLength(1);
  await expect(parseText(bundlerAudit, 'Everything is fine.')).rejects.toThrow('bundle audit check --format json');
});
