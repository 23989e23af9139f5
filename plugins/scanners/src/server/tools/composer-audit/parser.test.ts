import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { composerAudit } from './parser.ts';

const advisory = {
  advisoryId: 'PKSA-pwh8-d4fr-nywn',
  packageName: 'league/flysystem',
  affectedVersions: '<1.1.4|>=2.0.0,<2.1.1',
  title: 'TOCTOU race condition',
  cve: 'CVE-2021-32708',
  link: 'https://example.com/advisory',
  reportedAt: '2021-06-23T23:56:59+00:00',
  sources: [{ name: 'GitHub', remoteId: 'GHSA-9f46-5r25-5wfm' }],
  severity: 'critical',
};
const read = (report: object) => parseText(composerAudit, JSON.stringify(report));

describe('composer audit', () => {
  test('an advisory', async () => {
    const { findings } = await read({ advisories: { 'league/flysystem': [advisory] }, abandoned: [] });
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'PKSA-pwh8-d4fr-nywn',
        title: 'TOCTOU race condition',
        type: 'SCA',
        severity: 'critical',
        nativeSeverity: 'critical',
        description: 'Vulnerable versions: <1.1.4|>=2.0.0,<2.1.1',
        mitigation: 'Upgrade league/flysystem to 1.1.4, 2.1.1 or later.',
        cve: 'CVE-2021-32708',
        aliases: ['PKSA-pwh8-d4fr-nywn', 'CVE-2021-32708', 'GHSA-9f46-5r25-5wfm'],
        references: ['https://example.com/advisory'],
        component: {
          ...{ name: 'league/flysystem', purl: 'pkg:composer/league/flysystem' },
          ...{ ecosystem: 'composer', fixedVersion: '1.1.4, 2.1.1' },
        },
        published: '2021-06-23T23:56:59.000Z',
      },
    ]);
  });

  test('ignored advisories are suppressed, abandoned packages are results', async () => {
    const { findings } = await read({
      advisories: [],
      'ignored-advisories': { 'league/flysystem': { 3: { ...advisory, ignoreReason: 'not reachable' } } },
      abandoned: { 'a/b': 'c/d', 'e/f': null },
    });
    expect(findings[0]?.suppressed).toEqual({ verdict: 'accepted_risk', reason: 'not reachable' });
    expect(findings.slice(1).map(({ ruleId, component, mitigation }) => [ruleId, component?.name, mitigation])).toEqual(
      [
        ['abandoned', 'a/b', 'Use c/d in its place.'],
        ['abandoned', 'e/f', 'Use another package.'],
      ],
    );
  });

  test('a repository that could not be reached makes the scan incomplete', async () => {
    const { failures } = await read({ advisories: [], 'unreachable-repositories': ['https://repo.example.com'] });
    expect(failures).toEqual(['https://repo.example.com could not be reached.']);
  });

  test('nothing found, as PHP writes it', () => {
    for (const none of ['{"advisories":[]}', '{"advisories":{},"abandoned":[]}'])
      expect(composerAudit.recognise(Buffer.from(none))).toBeGreaterThan(0.8);
  });
});
