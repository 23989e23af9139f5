import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectorError } from '../../errors.ts';
import { ReportError } from '../../findings/report-parser.ts';
import type { AnyConnectorCode } from '../../server.ts';
import { createCtx } from '../ctx.ts';
import { createEgressGate, type EgressGate } from '../egress/egress-gate.ts';
import { runStep } from '../run-step.ts';
import { connectionWith, connectorWith, type TestConnectionOptions, TOKEN } from '../testing/host-connection.ts';
import { type LocalServer, startServer } from '../testing/local-server.ts';
import { IsolationError } from './isolation-error.ts';
import { type IsolatedPlugin, openIsolated } from './open-isolated.ts';

const MANIFEST = `export const plugin = {
  id: 'harbour', version: '1.0.0',
  connectors: [{
    id: 'demo-service', title: 'Harbour', category: 'sast', image: '/images/h.svg', description: 'Made for tests.',
    parser: { tool: 'harbour', family: 'SAST' }, isConfigured: () => true,
  }],
  importers: [{ tool: 'harbour', title: 'Harbour' }],
};`;
const SERVER = `
let seen = 0;
const connectorError = (code) => Object.assign(new Error('said by the plugin'), { name: 'ConnectorError', code, help: 'Do it.', retryAfterMs: 5000 });
export const server = { pluginId: 'harbour', connectors: { 'demo-service': {
  check: async (ctx) => {
    ctx.log.info('asks', { of: ctx.config.base_url });
    const { login } = await ctx.http.json({ path: '/user' });
    await ctx.store.set('login', { login });
    return { identity: (await ctx.store.get('login')).login, scopes: [ctx.now().toISOString()] };
  },
  findings: { async *sync(ctx, since) {
    yield { kind: 'target', id: 'a', name: 'A' };
    for await (const page of ctx.http.pages({ path: '/issues' }, { type: 'link' }))
      for (const title of page) yield { kind: 'finding', ruleId: 'r', title, type: 'SAST', severity: 'low' };
    yield { kind: 'cursor', cursor: 'after ' + since };
  } },
  scm: {
    user: async (ctx) => ({ name: String((seen += 1)) }),
    async *listRepositories(ctx) {
      let size = 0;
      for await (const piece of ctx.http.stream({ path: '/big' })) size += piece.length;
      yield { id: String(size), name: 'n', url: 'https://x.example' };
    },
    async *listBranches() { yield { name: 1 }; },
    readFile: async (ctx, { path }) => (await ctx.http.request({ path: '/' + path })).body,
    posture: async (ctx) => { throw connectorError('rate_limited'); },
    resolveRef: async (ctx) => { throw new RangeError('a bug'); },
    issue: async (ctx) => { try { await ctx.http.json({ path: '/secret' }); } catch (error) { return { state: error.name + ' ' + error.code }; } },
    pullRequest: async (ctx) => ({ state: await ctx.reveal('api_token') }),
    write: { comment: async (ctx, { text }) => ({ url: text, number: 1 }), settings: { checks: ['signed-commits'], plan: async () => [], set: async () => 'x' } },
  },
  tickets: { draft: (config, values) => ({ title: values.title + config.base_url }), createTicket: async () => ({ isTaken: true, ticket: null }) },
  scanner: { targets: ['url'], detect: async () => ({ version: '1' }), command: () => ({ file: 'sh' }) },
  cloud: { identity: async () => ({ account: '1' }), login: async () => ({ env: { LD_PRELOAD: '/x' } }) },
  migrate: [{ from: '0.9.0', rename: { a: 'b' }, config: (old) => ({ ...old, added: true }) }],
  routes: [{ method: 'GET', path: '/echo', role: 'admin', handle: async (ctx, input) => input }],
} } };`;
const PARSERS = `export const parsers = [{
  tool: 'harbour', formats: ['json'], reads: { part: { a: 'b' }, failure: [], identity: 'rule' },
  recognise: (head, name) => (head[0] === 0x7b ? 0.8 : 0) + (name === 'h.json' ? 0.1 : 0),
  async *parse(report, { family, signal }) {
    let size = 0;
    for await (const piece of report) size += piece.length;
    if (size === 0) throw Object.assign(new Error('nothing in it'), { name: 'ReportError', code: 'report_empty' });
    for (let index = 0; index < 1000; index += 1)
      yield { kind: 'finding', ruleId: 'r' + index, title: family + size + signal.aborted, type: 'SAST', severity: 'low' };
  },
}];`;

let folder: string;
let service: LocalServer;
let gate: EgressGate;
let harbour: IsolatedPlugin;
let code: AnyConnectorCode;

const entry = (name: string): string => pathToFileURL(path.join(folder, name)).href;
const ctxOf = (options: TestConnectionOptions = {}) => {
  const connection = connectionWith({
    connector: connectorWith({ permissions: { egress: ['{{base_url}}'], reveal: [] } }),
    config: { base_url: service.origin },
    baseUrlOverride: new URL(service.origin),
    ...options,
  });
  const { signal } = new AbortController();
  return { connection, ctx: createCtx(gate, connection, { signal, now: () => new Date('2026-11-24T00:00:00Z') }) };
};

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'breakwater-isolated-')));
  await Promise.all([
    writeFile(path.join(folder, 'plugin.mjs'), MANIFEST),
    writeFile(path.join(folder, 'server.mjs'), SERVER),
    writeFile(path.join(folder, 'parsers.mjs'), PARSERS),
  ]);
  service = await startServer((request, response) => {
    const answer = (body: string, headers = {}) => response.writeHead(200, headers).end(body);
    if (request.address.endsWith('/user')) return answer('{"login":"ada"}');
    if (request.address.endsWith('/issues'))
      return answer('["one"]', { link: `<${service.origin}/api/v1/issues?page=2>; rel="next"` });
    if (request.address.endsWith('/issues?page=2')) return answer('["two"]');
    if (request.address.endsWith('/big')) return answer('x'.repeat(3_000_000));
    if (request.address.endsWith('/file')) return answer('bytes');
    return response.writeHead(401).end();
  });
  gate = createEgressGate({ allowPrivateHosts: false });
  const entries = { manifest: entry('plugin.mjs'), parsers: entry('parsers.mjs'), server: entry('server.mjs') };
  harbour = await openIsolated({ entries, readable: [`${folder}/`], isClockStill: true });
  code = harbour.server?.connectors['demo-service'] ?? {};
});
afterAll(async () => {
  harbour.pool.close();
  await gate.close();
  await service.close();
  await rm(folder, { recursive: true });
});

const all = async <T>(items: AsyncIterable<T> | undefined): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items ?? []) found.push(item);
  return found;
};

test('what a plugin says of itself is data from its process, whose network is cut', () => {
  expect(harbour.described.isNetworkCut).toBe(true);
  expect(harbour.plugin.connectors[0]?.isConfigured).toBeUndefined();
  expect(harbour.parsers[0]).toMatchObject({ tool: 'harbour', reads: { part: { a: 'b' } } });
});

test('what would start programs or give them an environment is left out, and said', () => {
  expect(code.scanner).toBeUndefined();
  expect(code.cloud?.login).toBeUndefined();
  expect(code.cloud?.identity).toBeTypeOf('function');
  expect(harbour.issues).toEqual([expect.stringContaining('no scanner'), expect.stringContaining('no cloud.login')]);
});

describe('ctx over the pipe', () => {
  test('check asks, keeps, logs and reads the clock as it does in process', async () => {
    const { ctx, connection } = ctxOf();
    expect(await code.check?.(ctx)).toEqual({ identity: 'ada', scopes: ['2026-11-24T00:00:00.000Z'] });
    await expect
      .poll(() => connection.lines)
      .toMatchObject([{ level: 'info', message: 'asks', facts: { of: service.origin } }]);
  });

  test('records come in order, over pages of the host', async () => {
    const records = await all(code.findings?.sync(ctxOf().ctx, 'x'));
    expect(records.map((one) => ('title' in one ? one.title : one.kind))).toEqual(['target', 'one', 'two', 'cursor']);
    expect(records.at(-1)).toEqual({ kind: 'cursor', cursor: 'after x' });
  });

  test('bytes come whole, in answers, streams and results', async () => {
    const { ctx } = ctxOf();
    expect(await all(code.scm?.listRepositories(ctx))).toMatchObject([{ id: '3000000' }]);
    const file = await code.scm?.readFile?.(ctx, { repository: 'r', path: 'file', at: 'main' });
    expect(Buffer.from(file ?? []).toString()).toBe('bytes');
  });

  test('errors keep their code both ways; a bug is none of them', async () => {
    const { ctx } = ctxOf();
    await expect(code.scm?.posture?.(ctx, 'r')).rejects.toMatchObject({
      code: 'rate_limited',
      help: 'Do it.',
      retryAfterMs: 5000,
    });
    await expect(code.scm?.posture?.(ctx, 'r')).rejects.toBeInstanceOf(ConnectorError);
    expect(await code.scm?.issue?.(ctx, { repository: 'r', number: 1 })).toEqual({ state: 'ConnectorError auth' });
    const step = await runStep(async () => code.scm?.resolveRef?.(ctx, { name: 'n', ref: 'r' }), { timeoutMs: 9_000 });
    expect(step).toMatchObject({ ok: false, crashed: true });
  });

  test('a secret that the manifest does not name is not handed out', async () => {
    const asked = code.scm?.pullRequest?.(ctxOf().ctx, { repository: 'r', number: 1 });
    await expect(asked).rejects.toThrow('not among permissions.reveal');
    await expect(asked).rejects.not.toThrow(TOKEN);
  });

  test('members of members, lists and functions without a ctx', async () => {
    const { ctx } = ctxOf();
    const comment = { repository: 'r', number: 1, text: 'https://x.example', idempotencyKey: 'k' };
    expect(await code.scm?.write?.comment(ctx, comment)).toEqual({ url: 'https://x.example', number: 1 });
    expect(code.scm?.write?.settings?.checks).toEqual(['signed-commits']);
    expect(await code.routes?.[0]?.handle(ctx, { a: [1] })).toEqual({ a: [1] });
    expect(await code.migrate?.[0]?.config?.({ b: 1 })).toEqual({ b: 1, added: true });
    expect(code.migrate?.[0]?.rename).toEqual({ a: 'b' });
  });

  test('an answer of another form than the type says is a crash, not an answer', async () => {
    const { ctx } = ctxOf();
    await expect(code.scm?.write?.settings?.set(ctx, { repository: 'r', check: 'signed-commits' })).rejects.toThrow(
      TypeError,
    );
    await expect(all(code.scm?.listBranches(ctx, 'r'))).rejects.toThrow('scm.listBranches gives a record');
  });
});

test('organisations never share a process; one keeps its own', async () => {
  const count = async (owner: string) => (await code.scm?.user(ctxOf({ owner }).ctx))?.name;
  expect([await count('one'), await count('one'), await count('two'), await count('one')]).toEqual([
    '1',
    '2',
    '1',
    '3',
  ]);
});

describe('parsers', () => {
  const parser = () => harbour.parsers[0];
  async function* bytes(...texts: string[]) {
    for (const text of texts) yield Buffer.from(text);
  }
  const options = { signal: new AbortController().signal, family: 'SCA' };

  test('recognise and parse, in a process each', async () => {
    expect(await parser()?.recognise(Buffer.from('{'))).toBe(0.8);
    expect(await parser()?.recognise(Buffer.from('{'), 'h.json')).toBeCloseTo(0.9);
    const records = await all(parser()?.parse(bytes('abc', 'de'), options));
    expect(records).toHaveLength(1000);
    expect(records[999]).toMatchObject({ ruleId: 'r999', title: 'SCA5false' });
  });

  test('a refusal of the report stays one', async () => {
    const refused = all(parser()?.parse(bytes(), options));
    await expect(refused).rejects.toBeInstanceOf(ReportError);
    await expect(refused).rejects.toMatchObject({ code: 'report_empty' });
  });
});

test('where its network is not cut it is not run, unless the operator allows it', async () => {
  // as on a Node whose permission model leaves the network open
  const entries = { manifest: entry('plugin.mjs'), parsers: null, server: null };
  const open = (mayHaveNetwork: boolean) =>
    openIsolated({ entries, readable: [`${folder}/`], mayHaveNetwork, flags: ['--allow-net'] });
  await expect(open(false)).rejects.toBeInstanceOf(IsolationError);
  await expect(open(false)).rejects.toMatchObject({ failure: 'network' });
  const opened = await open(true);
  expect(opened.described.isNetworkCut).toBe(false);
  opened.pool.close();
});
