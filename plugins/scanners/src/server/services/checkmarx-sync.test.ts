import type { NormalizedFinding, Store, SyncRecord } from '@breakwater/sdk';
import { createMemoryStore } from '@breakwater/sdk/host';
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
import { type FakeCheckmarx, fakeCheckmarx } from '../testing/fake-checkmarx.ts';
import { parseText, sampleBytes } from '../testing/samples.ts';
import { server } from './index.ts';

const values = {
  client_id: 'resource_owner_client',
  client_secret: 'client-secret-for-tests',
  username: 'reader',
  password: 'password-for-tests',
  base_url: 'https://checkmarx.example.com',
  team_id: 5,
};
const sample = (name: string) => sampleBytes(`checkmarx/${name}`).toString('utf8');
const webgoat = sample('checkmarx__multiple_findings.xml');
const other = sample('checkmarx__single_finding.xml');
const known: FakeCheckmarx = {
  clientId: values.client_id,
  clientSecret: values.client_secret,
  username: values.username,
  password: values.password,
  team: 5,
  projects: [
    { id: 1, name: 'Webgoat', report: webgoat },
    { id: 2, name: 'Never scanned' },
    { id: 3, name: 'Other', report: other },
  ],
  slowness: 0,
};
const code = server.connectors['checkmarx']!;

interface Opened {
  change?: Partial<typeof values>;
  store?: Store;
  signal?: AbortSignal;
}

async function open(answer: (request: TestRequest) => TestAnswer, { change, ...rest }: Opened = {}) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const connector = plugin.connectors.find(({ id }) => id === 'checkmarx')!;
  return {
    service,
    ctx: openTestConnection(connector, { values: { ...values, ...change }, baseUrl: service.url, ...rest }),
  };
}

const kinds = (records: SyncRecord[]) =>
  records.map((record) =>
    record.kind === 'target' ? record.name : record.kind === 'cursor' ? `cursor ${record.cursor}` : 'finding',
  );

describe('check', () => {
  it('says who signs in and what the team holds', async () => {
    const { ctx } = await open(fakeCheckmarx(known));
    expect(await code.check!(ctx)).toEqual({ identity: 'reader · team 5 · 3 projects' });
  });

  it.each<[string, Partial<typeof values>, string, string]>([
    ['a wrong client secret', { client_secret: 'another' }, 'auth', 'client ID'],
    ['a wrong password', { password: 'another' }, 'auth', 'user name and password'],
    ['an unknown team', { team_id: 6 }, 'config', 'team 6'],
  ])('reports %s', async (_, change, errorCode, words) => {
    const { ctx } = await open(fakeCheckmarx(known), { change });
    const error = await refusalOf(code.check!(ctx));
    expect(error).toMatchObject({
      code: errorCode,
      message: expect.stringContaining(words),
      help: expect.stringMatching(/\.$/),
    });
    expect(`${error.message} ${error.help}`).not.toMatch(/for-tests/);
  });

  it('reports an address at which there is no Checkmarx SAST', async () => {
    const { ctx } = await open(() => ({ status: 404, body: '<html>404</html>' }));
    expect(await refusalOf(code.check!(ctx))).toMatchObject({ code: 'config' });
  });
});

describe('findings.sync', () => {
  it('yields each scanned project with its findings, in an order that a cursor can go on in', async () => {
    const { ctx } = await open(fakeCheckmarx(known));
    const records = await collect(code.findings!.sync(ctx));
    expect(kinds(records)).toEqual([
      'Webgoat',
      'finding',
      'finding',
      'finding',
      'cursor 1',
      'cursor 2',
      'Other',
      'finding',
      'cursor 3',
    ]);
    expect(records[0]).toMatchObject({
      id: '1',
      url: 'https://checkmarx.example.com/CxWebClient/projectscans.aspx?id=1',
    });
  });

  it('finds what an uploaded report finds', async () => {
    const { ctx } = await open(fakeCheckmarx({ ...known, projects: known.projects.slice(0, 1) }));
    const synced = (await collect(code.findings!.sync(ctx))).filter((record) => record.kind === 'finding');
    expect(synced).toEqual(await uploaded(webgoat));
    expect(synced).toHaveLength(3);
  });

  it('goes on after the project of the cursor', async () => {
    const { ctx, service } = await open(fakeCheckmarx(known));
    expect(kinds(await collect(code.findings!.sync(ctx, '1')))).toEqual(['cursor 2', 'Other', 'finding', 'cursor 3']);
    expect(service.requests.filter(({ path }) => path.includes('/reports/'))).toHaveLength(3);
  });

  it('waits for a report and does not order it again after an interruption', async () => {
    const store = createMemoryStore();
    const projects = known.projects.slice(0, 1);
    const stop = new AbortController();
    const answer = fakeCheckmarx({ ...known, projects, slowness: 1 });
    const first = await open(
      (request) => {
        if (request.path.endsWith('/status')) stop.abort();
        return answer(request);
      },
      { store, signal: stop.signal },
    );
    await expect(collect(code.findings!.sync(first.ctx))).rejects.toThrow();
    const second = await open(answer, { store });
    expect(kinds(await collect(code.findings!.sync(second.ctx)))).toEqual([
      'Webgoat',
      'finding',
      'finding',
      'finding',
      'cursor 1',
    ]);
    const orders = [...first.service.requests, ...second.service.requests].filter(({ path }) =>
      path.endsWith('/reports/sastScan'),
    );
    expect(orders).toHaveLength(1);
    expect(await store.get('report:1000001')).toBeUndefined();
  });

  it('orders a report again that the server has thrown away', async () => {
    const store = createMemoryStore();
    await store.set('report:1000001', 99);
    const { ctx } = await open(fakeCheckmarx({ ...known, projects: known.projects.slice(0, 1) }), { store });
    expect(await collect(code.findings!.sync(ctx))).toHaveLength(5);
  });

  it.each<[string, string | undefined, string]>([
    ['a report that failed', undefined, 'could not write'],
    ['a report that is cut off', webgoat.slice(0, 3000), 'cannot be read'],
    ['a web page in place of a report', '<html><body>Sign in</body></html>', 'cannot be read'],
    ['an empty list in place of a report', '[]', 'cannot be read'],
  ])('reports %s', async (_, report, words) => {
    const real = fakeCheckmarx({ ...known, projects: [{ id: 1, name: 'Webgoat', report: report ?? webgoat }] });
    const { ctx } = await open((request) =>
      report === undefined && request.path.endsWith('/status')
        ? { json: { status: { id: 3, value: 'Failed' } } }
        : real(request),
    );
    const error = await refusalOf(collect(code.findings!.sync(ctx)));
    expect(error).toMatchObject({ code: 'upstream', message: expect.stringContaining(words) });
  });
});

async function uploaded(report: string): Promise<NormalizedFinding[]> {
  const parser = parsers.find(({ tool }) => tool === 'checkmarx')!;
  return (await parseText(parser, report, 'SAST')).findings;
}
