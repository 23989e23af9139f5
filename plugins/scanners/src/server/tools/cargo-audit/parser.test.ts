import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { cargoAudit } from './parser.ts';

const report = (vulnerabilities: object, change: object = {}) =>
  JSON.stringify({ database: {}, lockfile: { 'dependency-count': 3 }, vulnerabilities, warnings: {}, ...change });

describe('cargo audit', () => {
  test('a vulnerability with the first version of each line of releases', async () => {
    const { findings } = await parseBytes(cargoAudit, sampleBytes('cargo-audit/many_findings.json'));
    expect(findings.find(({ ruleId }) => ruleId === 'RUSTSEC-2021-0020')).toMatchObject({
      cve: 'CVE-2021-21299',
      type: 'SCA',
      component: {
        ...{ name: 'hyper', version: '0.13.9', purl: 'pkg:cargo/hyper@0.13.9' },
        fixedVersion: '0.14.3, 0.13.10, 0.12.36',
      },
      published: '2021-02-05T00:00:00.000Z',
    });
  });

  test('warnings are results: unmaintained by its advisory, yanked by its kind', async () => {
    const { findings } = await parseBytes(cargoAudit, sampleBytes('cargo-audit/many_findings.json'));
    expect(findings.filter(({ tags }) => tags?.includes('unmaintained'))).toHaveLength(3);
    expect(findings.filter(({ ruleId }) => ruleId === 'yanked')).toHaveLength(6);
  });

  test('a count without a list, and a lock file without dependencies, close nothing', async () => {
    const none = { found: false, count: 0, list: [] };
    expect((await parseText(cargoAudit, report(none))).failures).toEqual([]);
    expect((await parseText(cargoAudit, report({ found: true, count: 2 }))).failures).toHaveLength(1);
    const empty = report(none, { lockfile: { 'dependency-count': 0 } });
    expect((await parseText(cargoAudit, empty)).failures).toEqual(['The lock file names no dependency.']);
  });
});
