import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { github } from './parser.ts';

const code = {
  number: 35,
  html_url: 'https://github.com/o/r/security/code-scanning/35',
  state: 'open',
  rule: {
    id: 'py/x',
    severity: 'error',
    description: 'Clear text',
    help: 'Encrypt it.',
    tags: ['external/cwe/cwe-312'],
  },
  tool: { name: 'CodeQL' },
  most_recent_instance: {
    category: '/language:python',
    message: { text: 'This is clear text.' },
    location: { path: 'src/a.py', start_line: 42, end_line: 43, start_column: 17, end_column: 23 },
    classifications: ['test'],
  },
};
const secret = {
  number: 2,
  html_url: 'https://github.com/o/r/security/secret-scanning/2',
  locations_url: 'https://api.github.com/x',
  state: 'open',
  secret_type: 'aws_access_key_id',
  secret_type_display_name: 'AWS Access Key ID',
  secret: 'AKIAIOSFODNN7EXAMPLE',
  validity: 'unknown',
  first_location_detected: { path: 'a.env', start_line: 5, commit_sha: 'abc' },
};
const read = async (...alerts: object[]) => (await parseText(github, JSON.stringify(alerts))).findings;

describe('github code scanning', () => {
  test('an alert', async () => {
    expect(await read(code)).toEqual([
      {
        kind: 'finding',
        ruleId: 'py/x',
        title: 'Clear text',
        type: 'SAST',
        severity: 'high',
        nativeSeverity: 'error',
        description: 'This is clear text.',
        mitigation: 'Encrypt it.',
        cwe: [312],
        references: ['https://github.com/o/r/security/code-scanning/35'],
        locations: [{ path: 'src/a.py', startLine: 42, endLine: 43, startColumn: 17, endColumn: 23 }],
        fingerprint: 'https://github.com/o/r/security/code-scanning/35',
        tags: ['external/cwe/cwe-312', 'test'],
        language: 'python',
      },
    ]);
  });

  test('the level of security wins over the level of the rule', async () => {
    const [finding] = await read({ ...code, rule: { ...code.rule, security_severity_level: 'critical' } });
    expect(finding).toMatchObject({ severity: 'critical', nativeSeverity: 'critical' });
  });

  test('the tool behind the alert decides the family', async () => {
    const [finding] = await read({ ...code, tool: { name: 'checkov' } });
    expect(finding?.type).toBe('IaC');
  });

  test.each([
    [{ state: 'dismissed', dismissed_reason: 'false positive' }, 'false_positive'],
    [{ state: 'dismissed', dismissed_reason: "won't fix", dismissed_comment: 'Old.' }, 'accepted_risk'],
    [{ state: 'fixed' }, 'mitigated_externally'],
    [{ state: 'open', dismissed_reason: 'None' }, undefined],
  ])('%j', async (change, verdict) => {
    const [finding] = await read({ ...code, ...change });
    expect(finding?.suppressed?.verdict).toBe(verdict);
  });
});

describe('github secret scanning', () => {
  test('a secret only as a digest, with every place', async () => {
    const [finding] = await read({
      ...secret,
      resolution_comment: 'was AKIAIOSFODNN7EXAMPLE',
      state: 'resolved',
      resolution: 'revoked',
      locations: [
        { type: 'commit', details: { path: 'a.env', start_line: 5 } },
        { type: 'commit', details: { path: 'b.env', start_line: 1 } },
        { type: 'issue_body', details: { issue_body_url: 'https://api.github.com/repos/o/r/issues/1' } },
      ],
    });
    expect(finding).toMatchObject({
      ruleId: 'aws_access_key_id',
      title: 'AWS Access Key ID',
      type: 'Secrets',
      severity: 'high',
      secretHash: createHash('sha256').update(secret.secret).digest('hex'),
      description: 'Found in commit abc.',
      locations: [
        { path: 'a.env', startLine: 5 },
        { path: 'b.env', startLine: 1 },
      ],
      references: ['https://github.com/o/r/security/secret-scanning/2'],
      suppressed: { verdict: 'mitigated_externally', reason: 'resolved on GitHub: revoked: was ********' },
    });
    expect(JSON.stringify(finding)).not.toContain(secret.secret);
  });

  test('one that works is critical, one that does not is low', async () => {
    const found = await read({ ...secret, validity: 'active' }, { ...secret, validity: 'inactive' });
    expect(found.map((finding) => finding.severity)).toEqual(['critical', 'low']);
  });
});

describe('github forms', () => {
  test('pages of pages, a webhook, mixed alerts', async () => {
    expect((await parseText(github, JSON.stringify([[code], [secret, code]]))).findings).toHaveLength(3);
    expect((await parseText(github, `${JSON.stringify([code])}${JSON.stringify([code])}`)).findings).toHaveLength(2);
    expect((await parseText(github, JSON.stringify({ action: 'created', alert: code }))).findings).toHaveLength(1);
    expect((await parseText(github, '[]')).findings).toEqual([]);
  });

  test('what is no alert is listed; only such is refused', async () => {
    const parsed = await parseText(github, JSON.stringify([code, { number: 1 }, 5]));
    expect(parsed.unreadable.map(({ where }) => where)).toEqual(['report[1]', 'report[2]']);
    await expect(parseText(github, '{}')).rejects.toMatchObject({ code: 'report_wrong_tool' });
  });

  test("the API's own error is named", async () => {
    const error = { message: 'Not Found', documentation_url: 'https://docs.github.com', status: '404' };
    await expect(parseText(github, JSON.stringify(error))).rejects.toThrow(/answer “Not Found”/);
  });

  test("Dependabot's alerts are sent to their importer", async () => {
    const alert = { number: 1, dependency: {}, security_advisory: {} };
    await expect(parseText(github, JSON.stringify([alert]))).rejects.toMatchObject({
      code: 'report_wrong_tool',
      message: expect.stringContaining('Dependabot'),
    });
  });

  test("another tool's SARIF is refused", async () => {
    await expect(parseBytes(github, sampleBytes('sarif/njsscan.sarif'))).rejects.toMatchObject({
      code: 'report_wrong_tool',
    });
  });
});
