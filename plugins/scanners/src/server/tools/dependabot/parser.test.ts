import { describe, expect, test } from 'vitest';
import { parsers } from '../../index.ts';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { dependabot } from './parser.ts';

const withOthers = parsers.find(({ tool }) => tool === 'dependabot') ?? dependabot;

const advisory = {
  summary: 'Unsafe deserialization',
  description: 'Text.',
  identifiers: [
    { type: 'GHSA', value: 'GHSA-4wrc-f8pq-fpqp' },
    { type: 'CVE', value: 'CVE-2016-1000027' },
  ],
  references: [{ url: 'https://nvd.nist.gov/x' }],
  cvss: { score: 0, vectorString: null },
  cwes: { nodes: [{ cweId: 'CWE-502' }, { cweId: 'CWE-20' }] },
  epss: { percentage: 0.00212, percentile: 0.44 },
};
const node = {
  id: 'RVA_x',
  createdAt: '2024-01-26T02:42:32Z',
  vulnerableManifestPath: 'some/pom.xml',
  vulnerableRequirements: '= 5.3.29',
  securityVulnerability: {
    severity: 'MODERATE',
    package: { name: 'org.springframework:spring-web', ecosystem: 'MAVEN' },
    firstPatchedVersion: { identifier: '6.0.0' },
    advisory,
  },
};
const rest = {
  number: 1,
  state: 'open',
  html_url: 'https://github.com/o/r/security/dependabot/1',
  created_at: '2024-01-26T02:42:32Z',
  dependency: { package: { ecosystem: 'pip', name: 'django' }, manifest_path: 'requirements.txt', scope: 'runtime' },
  security_advisory: {
    ghsa_id: 'GHSA-rf4j-j272-fj86',
    cve_id: 'CVE-2018-6188',
    summary: 'Django fault',
    severity: 'high',
    cvss: { vector_string: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', score: 7.5 },
    cwes: [{ cwe_id: 'CWE-200' }],
  },
  security_vulnerability: {
    package: { ecosystem: 'pip', name: 'django' },
    severity: 'high',
    first_patched_version: { identifier: '2.0.2' },
  },
};
const read = async (value: unknown) => (await parseText(dependabot, JSON.stringify(value))).findings;
const query = (...nodes: object[]) => ({ data: { repository: { name: 'r', vulnerabilityAlerts: { nodes } } } });

describe('dependabot', () => {
  test('an alert of GraphQL', async () => {
    expect(await read(query(node))).toEqual([
      {
        kind: 'finding',
        ruleId: 'GHSA-4wrc-f8pq-fpqp',
        title: 'Unsafe deserialization',
        type: 'SCA',
        severity: 'medium',
        nativeSeverity: 'MODERATE',
        description: 'Text.',
        mitigation: 'Upgrade org.springframework:spring-web to 6.0.0 or later.',
        cwe: [502, 20],
        cve: 'CVE-2016-1000027',
        aliases: ['GHSA-4wrc-f8pq-fpqp', 'CVE-2016-1000027'],
        epss: { probability: 0.00212, percentile: 0.44 },
        references: ['https://nvd.nist.gov/x'],
        component: {
          name: 'org.springframework:spring-web',
          version: '5.3.29',
          ecosystem: 'maven',
          fixedVersion: '6.0.0',
        },
        locations: [{ path: 'some/pom.xml' }],
        date: '2024-01-26T02:42:32.000Z',
      },
    ]);
  });

  test('an alert of REST', async () => {
    expect(await read([rest])).toMatchObject([
      {
        ruleId: 'GHSA-rf4j-j272-fj86',
        cve: 'CVE-2018-6188',
        severity: 'high',
        cvssScore: 7.5,
        cvssVector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
        cwe: [200],
        component: { name: 'django', ecosystem: 'pypi', fixedVersion: '2.0.2' },
        locations: [{ path: 'requirements.txt' }],
        tags: ['runtime'],
      },
    ]);
  });

  test('alerts of several repositories keep them apart', async () => {
    const repository = (name: string) => ({ nameWithOwner: `o/${name}`, vulnerabilityAlerts: { nodes: [node] } });
    const organization = { repositories: { nodes: [repository('a'), repository('b')] } };
    expect((await read({ data: { organization } })).map((finding) => finding.resource)).toEqual(['o/a', 'o/b']);
    expect((await read({ data: { search: { edges: [{ node: repository('c') }] } } }))[0]?.resource).toBe('o/c');
    expect((await read(query(node)))[0]?.resource).toBeUndefined();
    expect((await read([{ ...rest, repository: { full_name: 'o/d' } }]))[0]?.resource).toBe('o/d');
  });

  test('edges, pages, loose nodes', async () => {
    expect(await read({ data: { repository: { vulnerabilityAlerts: { edges: [{ node }, { node }] } } } })).toHaveLength(
      2,
    );
    expect(await read([query(node), query(node)])).toHaveLength(2);
    expect(await read([[rest], [rest]])).toHaveLength(2);
    expect(await read([node])).toHaveLength(1);
  });

  test.each([
    [{ state: 'FIXED' }, 'mitigated_externally'],
    [{ state: 'DISMISSED', dismissReason: 'tolerable_risk' }, 'accepted_risk'],
    [{ dismissedAt: '2024-01-01T00:00:00Z', dismissReason: 'inaccurate' }, 'false_positive'],
    [{ state: 'OPEN' }, undefined],
  ])('closed as %j', async (change, verdict) => {
    expect((await read(query({ ...node, ...change })))[0]?.suppressed?.verdict).toBe(verdict);
  });

  test('a failed query is refused', async () => {
    await expect(read({ data: { repository: null }, errors: [{ message: 'x' }] })).rejects.toMatchObject({
      code: 'report_wrong_tool',
    });
  });

  test("GitHub's other alerts are refused by name", async () => {
    await expect(
      parseBytes(withOthers, sampleBytes('github/github_sast__github_sast_one_vul.json')),
    ).rejects.toMatchObject({ code: 'report_wrong_tool', message: expect.stringContaining('GitHub') });
  });
});
