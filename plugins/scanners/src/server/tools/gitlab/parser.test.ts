import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { gitlab } from './parser.ts';

const rule = {
  type: 'semgrep_id',
  name: 'python.sqli',
  value: 'python.sqli',
  url: 'https://semgrep.dev/r/python.sqli',
};
const base = {
  id: 'x',
  severity: 'High',
  identifiers: [rule],
  location: { file: './src/a.py', start_line: 4, end_line: 5 },
};

async function only(change: object, frame: object = {}) {
  const report = { version: '15.0.7', vulnerabilities: [{ ...base, ...change }], ...frame };
  const { findings } = await parseText(gitlab, JSON.stringify(report));
  expect(findings).toHaveLength(1);
  return findings[0];
}
const scan = (type: string, id = 'x') => ({ scan: { type, scanner: { id, name: 'X', version: '1.2' } } });

describe('gitlab', () => {
  test('a code finding with signature, weakness and steps', async () => {
    const finding = await only(
      {
        id: 'a'.repeat(64),
        name: 'SQL injection',
        description: 'Text.',
        identifiers: [
          rule,
          { type: 'cwe', name: 'CWE-89', value: '89' },
          { type: 'owasp', name: 'A1:2017', value: 'A1:2017' },
        ],
        tracking: { items: [{ signatures: [{ algorithm: 'scope_offset', value: 'src/a.py|f[0]:3' }] }] },
        flags: [{ type: 'flagged-as-likely-false-positive', origin: 'vet' }],
        details: {
          code_flows: {
            items: [[{ node_type: 'source', file_location: { file_name: 'src/b.py', line_start: 1, line_end: 1 } }]],
          },
        },
      },
      scan('sast', 'semgrep'),
    );
    expect(finding).toEqual({
      kind: 'finding',
      ruleId: 'python.sqli',
      title: 'SQL injection',
      type: 'SAST',
      severity: 'high',
      nativeSeverity: 'High',
      description: 'Text.',
      cwe: [89],
      references: ['https://semgrep.dev/r/python.sqli'],
      locations: [{ path: 'src/a.py', startLine: 4, endLine: 5 }],
      codeFlows: [[{ path: 'src/b.py', startLine: 1, endLine: 1, message: 'source' }]],
      fingerprint: 'src/a.py|f[0]:3',
      tags: ['semgrep', 'flagged-as-likely-false-positive'],
    });
  });

  test('a dependency: advisory, package, ecosystem, fixed version', async () => {
    const finding = await only(
      {
        name: 'Expansion',
        solution: 'Upgrade to version 2.2.3 or above.',
        cvss_vectors: [{ vendor: 'NVD', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' }],
        identifiers: [
          { type: 'gemnasium', name: 'Gemnasium-1', value: '1' },
          { type: 'cve', name: 'CVE-2022-1234', value: 'CVE-2022-1234' },
          { type: 'ghsa', name: 'GHSA-aaaa-bbbb-cccc', value: 'GHSA-aaaa-bbbb-cccc' },
        ],
        location: { file: 'go.sum', dependency: { package: { name: 'yaml' }, version: 'v2.2.2' } },
      },
      {
        ...scan('dependency_scanning'),
        dependency_files: [{ path: 'go.sum', package_manager: 'go', dependencies: [] }],
      },
    );
    expect(finding).toMatchObject({
      type: 'SCA',
      ruleId: 'CVE-2022-1234',
      cve: 'CVE-2022-1234',
      aliases: ['CVE-2022-1234', 'GHSA-aaaa-bbbb-cccc'],
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
      component: { name: 'yaml', version: 'v2.2.2', fixedVersion: '2.2.3', ecosystem: 'golang' },
    });
  });

  test('an image, without its tag', async () => {
    const { findings } = await parseBytes(
      gitlab,
      sampleBytes('gitlab/gitlab_container_scan__gl-container-scanning-report-1-vuln_v15.json'),
    );
    expect(findings[0]).toMatchObject({
      type: 'Container',
      title: expect.stringMatching(/^CVE-2019-3462: Incorrect sanitation/),
      resource: 'registry.gitlab.com/gitlab-org/security-products/dast/webgoat-8.0',
      component: { name: 'apt', version: '1.4.8', fixedVersion: '1.4.9' },
    });
  });

  test('a secret only as a digest, with its commit', async () => {
    const finding = await only(
      {
        name: 'AWS AKIAIOSFODNN7EXAMPLE',
        raw_source_code_extract: 'AKIAIOSFODNN7EXAMPLE',
        identifiers: [{ type: 'gitleaks_rule_id', name: 'Gitleaks rule ID AWS', value: 'AWS' }],
        location: { file: 'a', start_line: 1, commit: { sha: 'abc123', author: 'A' } },
      },
      scan('secret_detection'),
    );
    expect(finding).toMatchObject({
      type: 'Secrets',
      ruleId: 'AWS',
      secretHash: createHash('sha256').update('AKIAIOSFODNN7EXAMPLE').digest('hex'),
      description: 'Found in commit abc123 by A.',
    });
    expect(JSON.stringify(finding)).not.toContain('AKIAIOSFODNN7EXAMPLE');
  });

  test.each([
    ['dast', {}, 'DAST'],
    ['api_fuzzing', {}, 'DAST'],
    ['cluster_image_scanning', {}, 'Container'],
    ['sast', { identifiers: [{ type: 'kics_id', value: 'k' }] }, 'IaC'],
    ['sast', { identifiers: [{ type: 'trufflehog_rule_id', value: 't' }] }, 'Secrets'],
  ])('type of a %s result %j', async (type, change, expected) => {
    expect((await only(change, scan(type)))?.type).toBe(expected);
  });

  test('without scan and category, the place decides', async () => {
    expect(await only({ location: { hostname: 'http://h', path: '/p', method: 'GET', param: 'id' } })).toMatchObject({
      type: 'DAST',
      locations: [{ path: 'http://h/p', message: 'GET id' }],
    });
    expect((await only({ location: { dependency: { package: { name: 'a' } } } }))?.type).toBe('SCA');
    expect((await only({}))?.type).toBe('SAST');
  });

  test('request and response of DAST, or the last recorded ones', async () => {
    const request = {
      method: 'POST',
      url: 'https://h/login',
      headers: [{ name: 'Host', value: 'h' }, { name: 'X-Empty', value: '' }, 'broken'],
      body: 'user=a&password=b',
    };
    const response = { status_code: 200, reason_phrase: 'OK', headers: [{ name: 'Server', value: 'nginx' }], body: '' };
    const written = {
      request: 'POST https://h/login\nHost: h\nX-Empty: \n\nuser=a&password=b',
      response: '200 OK\nServer: nginx',
    };
    expect((await only({ evidence: { summary: 's', request, response } }, scan('dast')))?.http).toEqual(written);
    const supporting_messages = [
      { name: 'Original', request: { url: 'x' } },
      { name: 'Recorded', request, response },
    ];
    expect((await only({ evidence: { supporting_messages } }, scan('api_fuzzing')))?.http).toEqual(written);
    expect((await only({ evidence: 'none' }, scan('dast')))?.http).toBeUndefined();
  });

  test('a rule may stand in the name, a weakness may be all there is', async () => {
    const named = { type: 'njsscan_rule_type', name: 'node_username', value: 'A hardcoded name is found.' };
    expect(
      await only({ identifiers: [named, { type: 'cwe', name: 'CWE-798', value: 'node_username' }] }),
    ).toMatchObject({
      ruleId: 'node_username',
      cwe: [798],
    });
    expect(await only({ identifiers: [{ type: 'cwe', name: 'Index', value: '129' }] })).toMatchObject({
      ruleId: 'CWE-129',
    });
  });

  test('an id that is no digest changes from run to run and is no fingerprint', async () => {
    expect((await only({ id: '5ec00bbc-2e53-44cb-83e9-3d35365277e3' }))?.fingerprint).toBeUndefined();
  });

  test('the bare list of the first versions', async () => {
    const { findings } = await parseText(gitlab, JSON.stringify([{ ...base, category: 'sast', message: 'Old' }]));
    expect(findings).toMatchObject([{ title: 'Old' }]);
  });

  test("Snyk's report with the same field is refused", async () => {
    const snyk = { vulnerabilities: [{ id: 'S', identifiers: { CVE: [] } }], packageManager: 'npm' };
    await expect(parseText(gitlab, JSON.stringify(snyk))).rejects.toMatchObject({ code: 'report_wrong_tool' });
  });
});
