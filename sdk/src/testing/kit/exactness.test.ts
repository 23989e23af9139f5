import { describe, expect, it } from 'vitest';
import type { SyncRecord } from '../../capability-contracts.ts';
import { defineConnector, monogram, readAnswer, readManifest, Type } from '../../index.ts';
import type { AnyConnectorCode } from '../../server.ts';
import type { ConnectorFixture } from '../fixtures.ts';
import type { LoadedFolder } from './load-plugin.ts';
import { type KitReport, reportOn } from './run-kit.ts';

/** Faults that a service which only answers does not show: in what is asked, in what comes out, and in where a sync goes on. */

const connector = defineConnector({
  id: 'quay',
  title: 'Quay',
  category: 'source-control',
  image: monogram('Qu'),
  description: 'Lists repositories and findings.',
  documentation: 'https://quay.example/docs',
  credentials: {
    type: 'object',
    required: ['username', 'password'],
    properties: {
      username: { type: 'string', title: 'User' },
      password: { type: 'string', title: 'Password', writeOnly: true },
    },
  },
  auth: { type: 'basic', value: '{{username}}:{{password}}' },
  baseUrl: 'https://quay.example/api',
  permissions: { egress: ['quay.example'] },
});

const User = Type.Object({ login: Type.String({ minLength: 1 }) });
const Rows = Type.Array(Type.Object({ key: Type.String(), name: Type.String() }));
const Issues = Type.Array(Type.Object({ rule: Type.String(), level: Type.String(), line: Type.Integer() }));
const LEVELS = { error: 'high', note: 'low' } as const;

interface Variant {
  headers?: Record<string, string>;
  state?: string;
  idOf?: (row: { key: string; name: string }) => string;
  severityOf?: (level: string) => 'high' | 'low';
  lineOf?: (line: number) => number;
  isBehind?: (key: string, since: string | undefined) => boolean;
  isCursorEarly?: boolean;
}

/** The connector, with one thing wrong. */
const quay = ({
  headers = { 'x-quay-version': '3' },
  state = 'open',
  idOf = ({ key }) => key,
  severityOf = (level) => (level === 'error' ? LEVELS.error : LEVELS.note),
  lineOf = (line) => line,
  isBehind = (key, since) => since === undefined || key > since,
  isCursorEarly = false,
}: Variant = {}): AnyConnectorCode => ({
  check: async ({ http }) => ({ identity: readAnswer(User, await http.json({ path: '/me', headers })).login }),
  scm: {
    user: async ({ http }) => ({ name: readAnswer(User, await http.json({ path: '/me', headers })).login }),
    async *listRepositories({ http }) {
      for await (const page of http.pages({ path: '/repositories', headers }, { type: 'link' })) {
        for (const row of readAnswer(Rows, page))
          yield { id: idOf(row), name: row.name, url: 'https://quay.example/r' };
      }
    },
    async *listBranches() {},
  },
  findings: {
    async *sync({ http }, since) {
      const projects = readAnswer(Rows, await http.json({ path: '/projects', headers }));
      for (const { key, name } of projects.filter((project) => isBehind(project.key, since))) {
        const cursor: SyncRecord = { kind: 'cursor', cursor: key };
        yield { kind: 'target', id: key, name };
        if (isCursorEarly) yield cursor;
        const query = { state };
        const body = { project: key };
        const issues = await http.json({ method: 'POST', path: '/issues', headers, query, body });
        for (const { rule, level, line } of readAnswer(Issues, issues)) {
          const locations = [{ path: 'a.ts', startLine: lineOf(line) }];
          yield { kind: 'finding', type: 'SAST', ruleId: rule, title: rule, severity: severityOf(level), locations };
        }
        if (!isCursorEarly) yield cursor;
      }
    },
  },
});

const headers = { 'x-quay-version': '3' };
const issues = (project: string, line: number) => ({
  request: { method: 'POST', path: '/issues', headers, query: { state: 'open' }, body: { project } },
  answer: { body: [{ rule: 'sqli', level: 'error', line }] },
});
const found = (startLine: number) => ({
  kind: 'finding',
  type: 'SAST',
  ruleId: 'sqli',
  title: 'sqli',
  severity: 'high',
  locations: [{ path: 'a.ts', startLine }],
});
const fixture: ConnectorFixture = {
  credentials: { username: 'ada' },
  addresses: { baseUrl: 'https://quay.example/api' },
  signature: { authorization: 'Basic {{username}}:{{password}}' },
  exchanges: [
    { request: { path: '/me', headers }, answer: { body: { login: 'ada' } } },
    {
      request: { path: '/repositories', headers },
      answer: {
        headers: { link: '<{{base}}/repositories?page=2>; rel="next"' },
        body: [{ key: '1', name: 'quay' }],
      },
    },
    {
      request: { path: '/repositories', headers, query: { page: '2' } },
      answer: { body: [{ key: '2', name: 'pier' }] },
    },
    {
      request: { path: '/projects', headers },
      answer: {
        body: [
          { key: 'p1', name: 'One' },
          { key: 'p2', name: 'Two' },
        ],
      },
    },
    issues('p1', 3),
    issues('p2', 4),
  ],
  expect: {
    check: { identity: 'ada' },
    'scm.user': { name: 'ada' },
    'scm.listRepositories': [
      { id: '1', name: 'quay', url: 'https://quay.example/r' },
      { id: '2', name: 'pier', url: 'https://quay.example/r' },
    ],
    'findings.sync': [
      { kind: 'target', id: 'p1', name: 'One' },
      found(3),
      { kind: 'cursor', cursor: 'p1' },
      { kind: 'target', id: 'p2', name: 'Two' },
      found(4),
      { kind: 'cursor', cursor: 'p2' },
    ],
  },
};

const testOf = (code: AnyConnectorCode, change: Partial<ConnectorFixture> = {}): Promise<KitReport> => {
  const loaded: LoadedFolder = {
    plugin: readManifest({ id: 'quay', version: '1.0.0', connectors: [connector] }),
    parsers: [],
    server: { pluginId: 'quay', connectors: { quay: code } },
    fixtures: { connectors: { quay: { ...fixture, ...change } } },
    entries: [],
    issues: [],
  };
  return reportOn(import.meta.dirname, loaded);
};

const issuesOf = (report: KitReport): string[] =>
  report.connectors.flatMap(({ checks }) =>
    checks.flatMap(({ name, issues: all }) =>
      name === 'capabilities' || name === 'check' ? all.map(({ what }) => what) : [],
    ),
  );

const NO_REPOSITORY = 'connectors.quay.calls.scm: name a repository, so that its branches can be read';

describe('what is asked and what comes out', () => {
  it('is exactly as recorded', async () => {
    expect(issuesOf(await testOf(quay()))).toEqual([NO_REPOSITORY]);
  });

  it.concurrent.each<[string, AnyConnectorCode, RegExp]>([
    ['a forgotten header', quay({ headers: {} }), /header x-quay-version is recorded and not sent/],
    ['another version', quay({ headers: { 'x-quay-version': '2' } }), /header x-quay-version is 2, recorded is 3/],
    [
      'a filter that hides findings',
      quay({ state: 'new' }),
      /asks POST .api.issues.state=new, which no recorded exchange answers/,
    ],
    [
      'a severity that is always the same',
      quay({ severityOf: () => 'low' }),
      /\[1\]\.severity is "low", expected is "high"/,
    ],
    ['lines that count from zero', quay({ lineOf: (line) => line - 1 }), /\[1\]\.locations\[0\]\.startLine is 2/],
    ['a name for an id', quay({ idOf: ({ name }) => name }), /scm.listRepositories answers otherwise than expected/],
    ['a sync that begins anew', quay({ isBehind: () => true }), /goes on at a cursor does not yield what comes after/],
    [
      'a sync that does its last target again',
      quay({ isBehind: (key, since) => since === undefined || key >= since }),
      /goes on at a cursor does not yield what comes after/,
    ],
    [
      'a cursor before its records',
      quay({ isCursorEarly: true }),
      /goes on at a cursor does not yield what comes after/,
    ],
  ])('shows %s', async (_name, code, issue) => {
    expect(issuesOf(await testOf(code))).toContainEqual(expect.stringMatching(issue));
  });

  it('shows an id that changes with the name, whatever the fixture expects', async () => {
    const idOf = ({ key, name }: { key: string; name: string }) => `${key}-${name}`;
    const listed = [
      { id: '1-quay', name: 'quay', url: 'https://quay.example/r' },
      { id: '2-pier', name: 'pier', url: 'https://quay.example/r' },
    ];
    const report = await testOf(quay({ idOf }), { expect: { ...fixture.expect, 'scm.listRepositories': listed } });
    expect(issuesOf(report)).toContain(
      'scm.listRepositories: the id "1-quay" becomes "1-quay (renamed)" when "quay" is renamed',
    );
  });

  it.each<[string, Partial<ConnectorFixture>, string]>([
    [
      'a recorded request that nothing sends',
      { exchanges: [...(fixture.exchanges ?? []), { request: { path: '/teams' }, answer: { body: [] } }] },
      'nothing asks the recorded GET /teams',
    ],
    [
      'an answer that nobody expects',
      { expect: { check: { identity: 'ada' } } },
      'nothing says what scm.user has to answer',
    ],
    [
      'an expectation of what there is not',
      { expect: { ...fixture.expect, 'cloud.inventory': [] } },
      'the connector has no operation "cloud.inventory"',
    ],
    [
      'a signature of another kind',
      { signature: { authorization: 'Bearer {{password}}' } },
      'check asks otherwise than recorded: GET /api/me: header authorization is',
    ],
  ])('shows %s', async (_name, change, issue) => {
    expect(issuesOf(await testOf(quay(), change))).toContainEqual(expect.stringContaining(issue));
  });

  it('shows pages of which only the first was recorded', async () => {
    const exchanges = (fixture.exchanges ?? [])
      .filter(({ request }) => request.query?.['page'] === undefined)
      .map((exchange) => {
        if (exchange.request.path !== '/repositories') return exchange;
        return { request: exchange.request, answer: { body: [{ key: '1', name: 'quay' }] } };
      });
    const report = await testOf(quay(), { exchanges });
    expect(issuesOf(report)).toContain('scm.listRepositories reads pages, but a second one is never recorded');
  });
});
