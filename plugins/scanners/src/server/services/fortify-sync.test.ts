import type { NormalizedFinding } from '@breakwater/sdk';
import {
  collect,
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswer,
  type TestRequest,
} from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../../plugin.ts';
import { parsers } from '../index.ts';
import { type FakeFortify, fakeFortify, fakeIssue } from '../testing/fake-fortify.ts';
import { parseBytes, sampleBytes } from '../testing/samples.ts';
import { server } from './index.ts';

const values = { client_id: 'key-for-tests', client_secret: 'secret-for-tests-only', release_id: '7' };
const known: FakeFortify = {
  key: values.client_id,
  secret: values.client_secret,
  release: '7',
  mayRead: true,
  issues: [fakeIssue(1), fakeIssue(2)],
};
const code = server.connectors['fortify']!;

async function open(answer: (request: TestRequest) => TestAnswer, change: Partial<typeof values> = {}) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const connector = plugin.connectors.find(({ id }) => id === 'fortify')!;
  return { service, ctx: openTestConnection(connector, { values: { ...values, ...change }, baseUrl: service.url }) };
}

async function findingsOf(differs: Partial<FakeFortify>): Promise<NormalizedFinding[]> {
  const { ctx } = await open(fakeFortify({ ...known, ...differs }));
  return (await collect(code.findings!.sync(ctx))).filter((record) => record.kind === 'finding');
}

describe('check', () => {
  it('names application and release', async () => {
    const { ctx } = await open(fakeFortify(known));
    expect(await code.check!(ctx)).toEqual({ identity: 'Shop · 2.1' });
  });

  it.each<[string, Partial<FakeFortify>, Partial<typeof values>, string]>([
    ['a wrong key', {}, { client_id: 'another' }, 'auth'],
    ['a wrong secret', {}, { client_secret: 'another' }, 'auth'],
    ['an unknown release', {}, { release_id: '8' }, 'config'],
    ['a key that may not read', { mayRead: false }, {}, 'scope'],
  ])('reports %s', async (_, differs, change, errorCode) => {
    const { ctx } = await open(fakeFortify({ ...known, ...differs }), change);
    const error = await refusalOf(code.check!(ctx));
    expect(error).toMatchObject({ code: errorCode, help: expect.stringMatching(/\.$/) });
    expect(`${error.message} ${error.help}`).not.toContain(values.client_secret);
  });

  it('waits as long as Fortify says', async () => {
    const { ctx } = await open(() => ({ status: 429, headers: { 'x-rate-limit-reset': '42' } }));
    expect(await refusalOf(code.check!(ctx))).toMatchObject({ code: 'rate_limited', retryAfterMs: 42_000 });
  });
});

describe('findings.sync', () => {
  it('yields the release, then its issues', async () => {
    const { ctx } = await open(fakeFortify(known));
    const [target, ...rest] = await collect(code.findings!.sync(ctx));
    expect(target).toEqual({ kind: 'target', id: '7', name: 'Shop 2.1' });
    expect(rest[0]).toEqual({
      kind: 'finding',
      ruleId: 'Null Dereference',
      title: 'Null Dereference',
      type: 'SAST',
      severity: 'high',
      nativeSeverity: 'High',
      cwe: [476],
      locations: [{ path: 'src/main/java/shop/Shop.java', startLine: 1 }],
      fingerprint: '00000000000000000000000000000001',
      policy: { category: 'Code Quality' },
      date: '2026-01-09T00:00:00.000Z',
    });
  });

  it.each([0, 1, 49, 50, 51, 99, 100, 125])('reads %i issues, each once', async (count) => {
    const issues = Array.from({ length: count }, (_, index) => fakeIssue(index + 1));
    const found = await findingsOf({ issues });
    expect(found).toHaveLength(count);
    expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(count);
  });

  it.each<[Record<string, string | boolean | number | null>, Partial<NormalizedFinding>]>([
    [{ severityString: 'Critical' }, { severity: 'critical', nativeSeverity: 'Critical' }],
    [{ severityString: 'Best Practice' }, { severity: 'informational' }],
    [{ scantype: 'Dynamic' }, { type: 'DAST' }],
    [{ scantype: 'OpenSource' }, { type: 'SCA' }],
    [{ cwe: 'CWE ID 79,CWE ID 80' }, { cwe: [79, 80] }],
    [
      { isSuppressed: true, auditorStatus: 'Not an Issue' },
      { suppressed: { verdict: 'false_positive', reason: 'Not an issue' } },
    ],
    [
      { isSuppressed: true, auditorStatus: 'Risk Accepted' },
      { suppressed: { verdict: 'accepted_risk', reason: 'Suppressed in Fortify' } },
    ],
    [{ primaryLocationFull: null, lineNumber: 0 }, { locations: [{ path: 'Shop.java' }] }],
  ])('takes %j as %j', async (issue, expected) => {
    const [finding] = await findingsOf({ issues: [fakeIssue(1, issue)] });
    expect(finding).toMatchObject(expected);
  });

  it('closes nothing when the list moves while it is read', async () => {
    let asked = 0;
    const { ctx } = await open((request) => {
      if (request.path.endsWith('/vulnerabilities')) asked += 1;
      const first = asked > 1 ? 1 : 0;
      const issues = Array.from({ length: 60 - first }, (_, index) => fakeIssue(index + 1 + first));
      return fakeFortify({ ...known, issues })(request);
    });
    expect(await refusalOf(collect(code.findings!.sync(ctx)))).toMatchObject({ code: 'upstream' });
  });

  it('gives the rule, path and fingerprint that an uploaded report gives', async () => {
    const uploaded = (await reported()).find(({ ruleId }) => ruleId === 'Null Dereference')!;
    const [synced] = await findingsOf({
      issues: [
        fakeIssue(1, {
          instanceId: 'DCCBF8C4004DBEC817ACC013EB7D24EF',
          primaryLocationFull: 'app/build/generated/source/kapt/developDebug/com/redacted/redacted/redacted.java',
          lineNumber: 28,
        }),
      ],
    });
    const same = ({ ruleId, title, type, severity, fingerprint, policy }: NormalizedFinding) => ({
      ruleId,
      title,
      type,
      severity,
      fingerprint,
      policy,
    });
    expect(same(synced!)).toEqual(same(uploaded));
    expect(synced?.locations?.[0]).toMatchObject({
      path: uploaded.locations?.[0]?.path,
      startLine: uploaded.locations?.[0]?.startLine,
    });
  });
});

/** The findings of a real report. */
async function reported(): Promise<NormalizedFinding[]> {
  const parser = parsers.find(({ tool }) => tool === 'fortify')!;
  return (await parseBytes(parser, sampleBytes('fortify/fortify_few_findings.xml'))).findings;
}
