import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { route } from '@breakwater/core/platform/api/contract.ts';
import {
  callerEndpoint,
  inPieces,
  publicEndpoint,
  streamedFileEndpoint,
} from '@breakwater/core/platform/server/endpoint.ts';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';

const common = { tag: 'test', summary: 'For tests only', access: { public: true } } as const;
const anyone = { permission: 'findings.read', tenant: false } as const;

const numbers = publicEndpoint(
  route({
    ...common,
    method: 'POST',
    path: '/test/numbers',
    query: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1 })), share: Type.Optional(Type.Number()) }),
    body: Type.Object({
      count: Type.Optional(Type.Integer()),
      share: Type.Optional(Type.Number()),
      list: Type.Optional(Type.Array(Type.Union([Type.Integer(), Type.Boolean(), Type.Null()]))),
      free: Type.Optional(Type.Unknown()),
    }),
    response: Type.Object({ data: Type.Unknown() }),
  }),
)(({ query, body }) => ({ data: { ...query, ...body } }));

/** Breaks off in its first or in a later piece. */
const download = streamedFileEndpoint(
  route({
    ...common,
    method: 'GET',
    path: '/test/download/{pieces}',
    access: anyone,
    params: Type.Object({ pieces: Type.Integer() }),
    response: Type.String(),
    responseKind: 'file',
  }),
)(({ params }) => {
  async function* texts(): AsyncGenerator<string> {
    for (let piece = 0; piece < params.pieces; piece += 1) yield 'x'.repeat(70_000);
    throw new Error('the database went away');
  }
  return { fileName: 'a.csv', contentType: 'text/csv', content: inPieces(texts()) };
});

const write = callerEndpoint(
  route({ ...common, method: 'POST', path: '/test/write', access: anyone, response: Type.Object({}) }),
)(() => ({}));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    environment: { BREAKWATER_ALLOWED_HOSTS: 'bw.example.test', BREAKWATER_METRICS_TOKEN: 'token-of-the-monitor' },
    extraEndpoints: [numbers, download, write],
  });
});
afterAll(() => server.close());

interface Raw {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends what `fetch` would not: other hosts, raw texts. */
const send = (path: string, { method = 'POST', headers = {}, body = '' }: Raw = {}) =>
  new Promise<{ status: number; body: string; cookies: string[] }>((resolve, reject) => {
    const request = httpRequest(`${server.baseUrl}${path}`, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text, cookies: response.headers['set-cookie'] ?? [] }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
const asAdmin = () => ({ authorization: `Bearer ${server.tokens.admin}` });
const sendJson = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  send(path, { body, headers: { 'content-type': 'application/json', ...headers } });

/** What comes back for these bytes, until the server closes. */
const sendBytes = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.baseUrl);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (piece: string) => {
      answer += piece;
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });

describe('numbers that no computer keeps', () => {
  const HUGE = ['1e309', '-1e309', '1e400', '99999999999999999999', '9007199254740993', '1e20'];

  test.each(HUGE.flatMap((number) => ['count', 'share'].map((field) => [number, field] as const)))(
    '%s as %s of a body is refused',
    async (number, field) => {
      const { status, body } = await sendJson('/api/v1/test/numbers', `{"${field}": ${number}}`);
      expect([status, JSON.parse(body).detail[0].loc]).toEqual([422, ['body', field]]);
    },
  );

  test.each(HUGE)('%s deep inside a body that takes anything is refused at its place', async (number) => {
    const { status, body } = await sendJson('/api/v1/test/numbers', `{"free": {"a": [1, {"b": ${number}}]}}`);
    expect(status).toBe(422);
    expect(JSON.parse(body).detail).toEqual([
      { loc: ['body', 'free', 'a', 1, 'b'], msg: expect.stringMatching(/9007199254740991/), type: 'number_range' },
    ]);
  });

  test.each(HUGE.flatMap((number) => ['page', 'share'].map((field) => [number, field] as const)))(
    '%s as %s of a query is refused',
    async (number, field) => {
      const { status, body } = await sendJson(`/api/v1/test/numbers?${field}=${number}`, '{}');
      expect([status, JSON.parse(body).detail[0].loc]).toEqual([422, ['query', field]]);
    },
  );

  test('what fits is taken', async () => {
    const { status, body } = await sendJson('/api/v1/test/numbers?share=1e3', '{"count": -9007199254740991}');
    expect([status, JSON.parse(body).data]).toEqual([200, { share: 1000, count: -9_007_199_254_740_991 }]);
  });

  test.each(HUGE)('pages and limits of lists: %s', async (number) => {
    for (const path of [
      `/findings?pagination[page]=${number}`,
      `/findings?pagination[pageSize]=${number}`,
      `/scans?pagination[page]=${number}`,
    ]) {
      expect((await server.call('GET', path, { as: 'admin' })).status, path).toBe(422);
    }
  });
});

test('a body with many errors costs no more than reading it', { timeout: 20_000 }, async () => {
  const list = `{"list": [${'"x",'.repeat(200_000)}"x"]}`;
  const start = performance.now();
  const { status, body } = await sendJson('/api/v1/test/numbers', list);
  expect(status).toBe(422);
  expect(JSON.parse(body).detail.length).toBeGreaterThan(0);
  // folding the errors of so many unions took minutes
  expect(performance.now() - start).toBeLessThan(5000);
});

describe('bodies that are not what they claim', () => {
  const path = () => `/api/v1/upload_scan/00000000-0000-7000-8000-000000000000`;

  test.each(['deflate', 'gzip', 'br'])('broken %s is 4xx', async (encoding) => {
    const broken = Buffer.from('this was never compressed by anybody');
    const { status, body } = await sendJson('/api/v1/test/numbers', broken, { 'content-encoding': encoding });
    expect([status, JSON.parse(body).code]).toEqual([422, 'validation_failed']);
    expect(body).toContain('encoding');
  });

  test('a body shorter than it says is not caused by ours', async () => {
    const { port } = new URL(server.baseUrl);
    const before = server.logs.length;
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(
        'POST /api/v1/test/numbers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"count"',
      );
      setTimeout(() => socket.destroy(), 50);
    });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.logs.slice(before).join('')).not.toContain('an internal error');
  });

  test('an upload without boundary, cut off, or compressed as a whole is 4xx', async () => {
    const made = await server.call('POST', '/create_repository_with_list', {
      as: 'admin',
      body: { source_control: 'git', data: [{ nickname: 'edge', url: '' }] },
    });
    const address = path().replace(/[^/]*$/, made.body.data[0]._id);
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{"results": [';
    const form = { ...asAdmin(), 'content-type': 'multipart/form-data; boundary=b' };
    for (const [headers, body] of [
      [{ ...asAdmin(), 'content-type': 'multipart/form-data' }, part],
      [{ ...asAdmin(), 'content-type': 'multipart/form-data; boundary=' }, part],
      [form, part],
      [form, '--b\r\nContent-Disposition: form-da'],
      [form, ''],
      [form, '--other--'],
      [{ ...form, 'content-encoding': 'deflate' }, part],
      [{ ...asAdmin(), 'content-type': 'application/json', 'content-encoding': 'deflate' }, 'nonsense'],
    ] as const) {
      const answer = await send(address, { headers, body });
      expect([answer.status, JSON.parse(answer.body).code], `${headers['content-type']} ${body}`).toEqual([
        422,
        'validation_failed',
      ]);
    }
    for (const field of ['"tool": 1e309', '"tool": 99999999999999999999', '"ext": 1e400', '"branch": 1e309']) {
      const answer = await send(address, {
        headers: { ...asAdmin(), 'content-type': 'application/json' },
        body: `{${field}, "file": "e30="}`,
      });
      expect(answer.status, field).toBe(422);
    }
    const wait = await send(`${address}?wait=1e309`, { headers: form, body: `${part}]}\r\n--b--\r\n` });
    expect(wait.status).toBe(422);
  });
});

describe('hosts', () => {
  const host = (name: string) => send('/api/v1/test/write', { headers: { ...asAdmin(), host: name } });

  test.each(['localhost', 'localhost:8080', '127.0.0.1:80', '[::1]:8080', 'bw.example.test', 'BW.example.test.:443'])(
    '%s is ours',
    async (name) => {
      expect((await host(name)).status).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'bw.example.test.evil.example',
    '192.168.1.7:8080',
    'localhost.evil.example',
    'a@localhost',
  ])('nothing is changed under the name %s, and the answer says what to set', async (name) => {
    const answer = await host(name);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, 'host_not_allowed']);
    expect(answer.body).toContain('BREAKWATER_ALLOWED_HOSTS');
  });

  test('signing in is no exception; reading is not refused', async () => {
    const login = { email: server.users.admin.email, password: server.users.admin.password };
    expect((await sendJson('/api/v1/login', JSON.stringify(login), { host: 'evil.example' })).status).toBe(403);
    const read = await send('/api/v1/session', { method: 'GET', headers: { ...asAdmin(), host: 'evil.example' } });
    expect(read.status).toBe(200);
  });

  test('what a client says of a forwarded host counts for nothing without a proxy', async () => {
    const headers = { ...asAdmin(), host: 'evil.example', 'x-forwarded-host': 'localhost' };
    expect((await send('/api/v1/test/write', { headers })).status).toBe(403);
  });

  test('two Host headers are refused, whatever is asked', async () => {
    for (const line of ['GET /healthz', 'GET /api/v1/setup', 'POST /api/v1/login']) {
      const answer = await sendBytes(
        `${line} HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      expect(answer, line).toMatch(/^HTTP\/1\.1 400 /);
    }
  });
});

describe('metrics', () => {
  const metrics = (headers: Record<string, string>) => send('/metrics', { method: 'GET', headers });

  test('are for this machine', async () => {
    expect((await metrics({})).body).toContain('nodejs_eventloop_lag');
  });

  test.each([
    ['a proxy on this machine', { 'x-forwarded-for': '203.0.113.9' }],
    ['another name', { host: 'bw.example.test' }],
    ['a wrong token', { host: 'bw.example.test', authorization: 'Bearer token-of-somebody' }],
    ['a user', { host: 'bw.example.test', cookie: 'accessToken=x' }],
  ])('by %s are refused', async (_by, headers) => {
    const answer = await metrics(headers);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([401, 'not_authenticated']);
  });

  test('are for who holds the token', async () => {
    const headers = { host: 'bw.example.test', authorization: 'Bearer token-of-the-monitor' };
    expect((await metrics(headers)).status).toBe(200);
  });
});

describe('downloads that break off', () => {
  const ask = (pieces: number) => fetch(`${server.baseUrl}/api/v1/test/download/${pieces}`, { headers: asAdmin() });

  test('before their first byte are an error like any other', async () => {
    const answer = await ask(0);
    expect([answer.status, JSON.parse(await answer.text()).code]).toEqual([500, 'internal']);
    expect(answer.headers.get('content-disposition')).toBeNull();
  });

  test('later end the transfer, so that no reader takes the part for the whole', async () => {
    const answer = await ask(3);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('also for a reader that knows no chunks: the connection is reset, not ended', async () => {
    const reading = sendBytes(
      `GET /api/v1/test/download/3 HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer ${server.tokens.admin}\r\n\r\n`,
    );
    await expect(reading).rejects.toThrow(/ECONNRESET/);
  });
});

test('over https the cookie is bound to this very host, and one without the prefix opens nothing', async () => {
  const secure = await startTestServer({ environment: { BREAKWATER_PUBLIC_URL: 'https://app.example.test' } });
  try {
    const { email, password } = secure.users.admin;
    const answer = await secure.call('POST', '/login', { body: { email, password } });
    const cookie = answer.headers.getSetCookie()[0] ?? '';
    expect(cookie).toMatch(/^__Host-accessToken=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const status = async (header: string) =>
      (await secure.call('GET', '/session', { headers: { cookie: header } })).status;
    const pair = cookie.split(';')[0] ?? '';
    expect(await status(pair)).toBe(200);
    expect(await status(pair.replace('__Host-', ''))).toBe(401);
    const out = await secure.call('POST', '/logout', { headers: { cookie: pair } });
    expect(out.headers.getSetCookie()[0]).toMatch(/^__Host-accessToken=; Path=\/; Expires=Thu, 01 Jan 1970.*Secure/);
  } finally {
    await secure.close();
  }
});
