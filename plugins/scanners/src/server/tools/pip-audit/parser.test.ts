import { describe, expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { pipAudit } from './parser.ts';

const django = {
  name: 'django',
  version: '3.2.9',
  vulns: [
    {
      id: 'PYSEC-2021-439',
      fix_versions: ['2.2.25', '3.2.10'],
      aliases: ['CVE-2021-44420'],
      description: 'In Django before 3.2.10, newlines bypass access control. More.',
    },
  ],
};
const skipped = { name: 'azure', skip_reason: 'Dependency not found on PyPI and could not be audited: azure (0.1)' };

describe('pip-audit', () => {
  test('a vulnerability of either layout', async () => {
    const { findings } = await parseText(pipAudit, JSON.stringify({ dependencies: [django, skipped], fixes: [] }));
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'PYSEC-2021-439',
        title: 'PYSEC-2021-439: In Django before 3.2.10, newlines bypass access control',
        type: 'SCA',
        severity: 'informational',
        description: 'In Django before 3.2.10, newlines bypass access control. More.',
        mitigation: 'Upgrade django to 2.2.25, 3.2.10 or later.',
        cve: 'CVE-2021-44420',
        aliases: ['PYSEC-2021-439', 'CVE-2021-44420'],
        component: {
          ...{ name: 'django', version: '3.2.9', purl: 'pkg:pypi/django@3.2.9' },
          ...{ ecosystem: 'pypi', fixedVersion: '2.2.25, 3.2.10' },
        },
      },
    ]);
    expect((await parseText(pipAudit, JSON.stringify([django]))).findings).toEqual(findings);
  });

  test('a scan that audited nothing closes nothing', async () => {
    expect((await parseText(pipAudit, JSON.stringify([skipped]))).failures).toEqual([skipped.skip_reason]);
    expect((await parseText(pipAudit, '[]')).failures).toEqual(['No dependency was audited.']);
    expect((await parseText(pipAudit, JSON.stringify([skipped, django]))).failures).toEqual([]);
  });

  test('recognises a report that begins with a skipped package, and an empty one', () => {
    expect(pipAudit.recognise(Buffer.from(JSON.stringify([skipped])))).toBeGreaterThan(0.9);
    expect(pipAudit.recognise(Buffer.from('{"dependencies":[],"fixes":[]}'))).toBeGreaterThan(0.8);
  });
});
