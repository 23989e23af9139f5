import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, gzipSync } from 'node:zlib';
import { ADMIN } from './api.ts';
import type { Attack, Target } from './attack.ts';

/** Inputs of attackers. Source: safety.md 17-27, and what an attack from outside found. */
const JSON_TYPE = { 'content-type': 'application/json' };
const bytes = (text: string): Uint8Array => Buffer.from(text);
const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value));

const upload = (name: string, file: Uint8Array, tools: readonly string[] = ['auto']): Attack => ({
  name,
  expect: 'answered',
  run: async (target) => {
    const statuses: number[] = [];
    for (const tool of tools) statuses.push(await target.upload(file, { tool }));
    return statuses;
  },
});
const refused = (attack: Attack): Attack => ({ ...attack, expect: 'refused' });
const small = (attack: Attack): Attack => ({ ...attack, isSmall: true });

const bandit = (fields: object): Uint8Array =>
  json({
    errors: [],
    generated_at: '2026-11-22T00:00:00Z',
    metrics: {},
    results: [
      {
        ...{ filename: 'a.py', line_number: 1, test_id: 'B101', test_name: 'assert_used', issue_severity: 'LOW' },
        ...{ issue_confidence: 'HIGH', issue_text: 'text', code: '1 assert True', line_range: [1], more_info: '' },
        ...fields,
      },
    ],
  });
const PUMPS = [' ', '\n', 'a', '<!--', '((', '[[', '`*_', 'a.', '0', '\u00a0', '=', 'https://a', '@a'];
const pumped = (pump: string, length = 65_536): string => `${pump.repeat(Math.ceil(length / pump.length))}!`;

/** A zip of stored entries, written by hand: no library makes such names. */
const zipOf = (entries: readonly { name: string; data: Uint8Array }[]): Uint8Array => {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data } of entries) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, rest, Buffer.from(name)]));
    files.push(file);
    offset += file.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
};

const UPLOADS: readonly Attack[] = [
  small(upload('an exponential pattern in recognition', bytes(`${'<!---->'.repeat(60)}x`), ['auto', 'opengrep'])),
  small(upload('64 KB of line ends', bytes('\n'.repeat(65_536)))),
  ...PUMPS.map((pump) =>
    upload(`Bandit text of ${JSON.stringify(pump)}`, bandit({ issue_text: pumped(pump) }), ['bandit']),
  ),
  ...PUMPS.map((pump) => upload(`64 KB of ${JSON.stringify(pump)} to recognise`, bytes(pumped(pump)))),
  ...[' ', 'a', '_', 'aA'].map((pump) =>
    upload(
      `Terrascan rule of ${JSON.stringify(pump)}`,
      bytes(
        `results:\n  violations:\n  - rule_name: "${pumped(pump, 60_000)}"\n    severity: HIGH\n  scan_summary: {}\n`,
      ),
      ['terrascan'],
    ),
  ),
  small(
    upload(
      'numbers beyond all bounds in a report',
      bytes(Buffer.from(bandit({})).toString().replaceAll(':1,', ':1e400,')),
      ['bandit'],
    ),
  ),
  upload(
    'a record with 200,000 keys',
    bandit(Object.fromEntries(Array.from({ length: 200_000 }, (_, key) => [`k${key}`, 1]))),
    ['bandit'],
  ),
  upload('__proto__ as key', bytes(`{"__proto__": {"isAdmin": true}, ${Buffer.from(bandit({})).toString().slice(1)}`)),
  small(refused(upload('10,000-deep nesting', bytes(`${'{"a":['.repeat(10_000)}${']}'.repeat(10_000)}`)))),
  small(refused(upload('a gzip bomb', gzipSync(Buffer.alloc(600 * 1024 * 1024))))),
  refused(
    upload(
      'a billion laughs',
      bytes(
        `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY b${n} "${(n === 0 ? '&b;' : `&b${n - 1};`).repeat(10)}">`).join('')}]><a>&b8;</a>`,
      ),
      ['auto', 'fortify', 'owasp_dependency_check'],
    ),
  ),
  refused(
    upload(
      'an external entity',
      bytes('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
      ['auto', 'fortify'],
    ),
  ),
  small(
    refused(
      upload(
        'a zip that climbs out',
        zipOf([
          { name: '../../../../tmp/climbed', data: bandit({}) },
          { name: 'audit.fvdl', data: bytes('x') },
        ]),
      ),
    ),
  ),
  refused(upload('a damaged zip', zipOf([{ name: 'a.json', data: bandit({}) }]).subarray(0, 120))),
  {
    name: 'names of files that climb',
    expect: 'answered',
    run: (target) =>
      Promise.all(
        ['../../../etc/passwd', '..\\..\\x', '/etc/passwd', 'a'.repeat(5000), '=1+1.json', '\u202egnp.json', 'con'].map(
          (fileName) => target.upload(bandit({ issue_text: fileName }), { tool: 'bandit', fileName }),
        ),
      ),
  },
];

const FORMULAS = ['=1+1', 'a;=1+1', 'a\t@SUM(1)', 'a\n+1', '";=cmd|x', '\u202e=1'];

const BODIES: readonly Attack[] = [
  small({
    name: 'broken encodings, cut and endless bodies',
    expect: 'refused',
    run: async ({ send, sendBytes, repositoryId }) => {
      const address = `/api/v1/upload_scan/${repositoryId}`;
      const form = { 'content-type': 'multipart/form-data; boundary=b' };
      const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n{';
      const answers = await Promise.all([
        ...['deflate', 'gzip', 'br', 'zstd'].map((encoding) =>
          send('/api/v1/login', {
            method: 'POST',
            headers: { ...JSON_TYPE, 'content-encoding': encoding },
            body: 'no',
          }),
        ),
        send(address, { method: 'POST', headers: form, body: part }),
        send(address, { method: 'POST', headers: { 'content-type': 'multipart/form-data' }, body: part }),
        send('/api/v1/login', { method: 'POST', headers: JSON_TYPE, body: `{"a": ${'['.repeat(200_000)}` }),
        send('/api/v1/login', { method: 'POST', headers: JSON_TYPE, body: `[${'{},'.repeat(250_000)}{}]` }),
        send('/api/v1/login', { method: 'POST', headers: JSON_TYPE, body: `"${'x'.repeat(2_000_000)}"` }),
        send('/api/v1/login', { method: 'POST', headers: { ...JSON_TYPE, 'x-long': 'x'.repeat(100_000) }, body: '{}' }),
      ]);
      const raw = 'POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\n';
      const smuggled = await sendBytes(`${raw}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
      return [...answers.map(({ status }) => status), statusOf(smuggled)];
    },
  }),
  small({
    name: 'numbers beyond all bounds',
    expect: 'refused',
    run: async ({ send }) => {
      const huge = ['1e309', '-1e309', '1e400', '99999999999999999999'];
      const paths = [
        '/findings?pagination[page]=',
        '/findings?pagination[pageSize]=',
        '/scans?pagination[page]=',
        '/findings?filters[priority_gt]=',
      ];
      const queries = huge.flatMap((number) => paths.map((path) => send(`/api/v1${path}${number}`)));
      const bodies = huge.map((number) =>
        send('/api/v1/client', { method: 'PUT', headers: JSON_TYPE, body: `{"prioritisation": {"x": ${number}}}` }),
      );
      return (await Promise.all([...queries, ...bodies])).map(({ status }) => status);
    },
  }),
  {
    name: 'hostile search texts',
    expect: 'answered',
    run: async ({ send }) => {
      const texts = ["' or 1=1 --", '%', '\\', '\0', '%_'.repeat(500), '('.repeat(1000), '\ud800', '$$', '{"$ne": 1}'];
      const ask = (text: string) => send(`/api/v1/findings?search=${encodeURIComponent(text.toWellFormed())}`);
      return (await Promise.all(texts.map(ask))).map(({ status }) => status);
    },
  },
  small({
    name: 'formulas in an export',
    expect: 'answered',
    run: async ({ upload: put, send }) => {
      const statuses: number[] = [];
      for (const [line, text] of FORMULAS.entries())
        statuses.push(
          await put(bandit({ issue_text: text, test_id: text, filename: `${text}.py`, line_number: line }), {
            tool: 'bandit',
          }),
        );
      const { status, text } = await send('/api/v1/download_csv_findings', { method: 'POST' });
      if (status !== 200) throw new Error(`no export: ${status}`);
      if (/(^|[;,|\t\r\n])[" ]*[=@+]/.test(text)) throw new Error('a cell of the export is a formula');
      return [...statuses, status];
    },
  }),
];

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

const login = ({ send }: Target, password: string, headers: Record<string, string> = {}) =>
  send('/api/v1/login', {
    method: 'POST',
    isAnonymous: true,
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ username: ADMIN.username, password }),
  });

const STRANGERS: readonly Attack[] = [
  small({
    name: 'other hosts, other sites, two hosts',
    expect: 'refused',
    run: async ({ send, sendBytes }) => {
      const body = JSON.stringify({ address: 'taken' });
      const headers = ['evil.example', 'localhost.evil.example', '169.254.169.254'].map((host) => ({
        ...JSON_TYPE,
        host,
      }));
      const answers = await Promise.all([
        ...headers.map((head) => send('/api/v1/client', { method: 'PUT', headers: head, body })),
        send('/metrics', { headers: { host: 'evil.example' }, isAnonymous: true }),
        send('/api/v1/login', {
          method: 'POST',
          headers: { ...JSON_TYPE, origin: 'https://evil.example' },
          body: '{}',
          isAnonymous: true,
        }),
      ]);
      const two = await sendBytes(
        'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      );
      return [...answers.map(({ status }) => status), statusOf(two)];
    },
  }),
  small({
    name: '100 wrong passwords, while the owner has signed in before',
    expect: 'refused',
    run: async (target) => {
      const known = (await login(target, ADMIN.password)).cookies.find((cookie) => cookie.includes('knownDevice='));
      const answers = await Promise.all(Array.from({ length: 100 }, (_, round) => login(target, `Wrong-${round}`)));
      const statuses = answers.map(({ status }) => status);
      if (statuses.filter((status) => status === 401).length > 10) throw new Error('more than ten were evaluated');
      const owner = await login(target, ADMIN.password, { cookie: known?.split(';')[0] ?? '' });
      if (owner.status !== 200) throw new Error(`the owner is locked out: ${owner.status}`);
      return statuses;
    },
  }),
  {
    name: 'addresses inside, as hosts of a connector',
    expect: 'answered',
    run: async ({ send }) => {
      let hits = 0;
      const inner = createServer((_request, response) => {
        hits += 1;
        response.end('{}');
      });
      await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
      const { port } = inner.address() as AddressInfo;
      const statuses: number[] = [];
      for (const host of [
        '127.0.0.1',
        'localhost',
        '2130706433',
        '0x7f.1',
        '0',
        '[::1]',
        '[::ffff:7f00:1]',
        '169.254.169.254',
        '127.0.0.1.',
        '①②⑦.0.0.1',
      ]) {
        const values = { oauth_token: 'x', protocol: 'http', hosted_domain: host, port };
        const saved = await send('/api/v1/connectors/gitea', {
          method: 'PUT',
          headers: JSON_TYPE,
          body: JSON.stringify({ values }),
        });
        const checked = await send('/api/v1/connectors/gitea/check', { method: 'POST' });
        statuses.push(saved.status, checked.status);
      }
      await new Promise((resolve) => inner.close(resolve));
      if (hits > 0) throw new Error(`${hits} requests reached an address inside`);
      return statuses;
    },
  },
  {
    name: '500 bodies that hang and 2,000 idle connections',
    expect: 'answered',
    run: async ({ hang, send }) => {
      const head =
        'POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
      const sockets = Array.from({ length: 2500 }, (_, index) => hang(index < 500 ? head : ''));
      await new Promise((resolve) => setTimeout(resolve, 5000));
      const { status } = await send('/api/v1/session');
      for (const socket of sockets) socket.destroy();
      return [status];
    },
  },
];

/** All attacks. */
export const ATTACKS: readonly Attack[] = [...UPLOADS, ...BODIES, ...STRANGERS];
