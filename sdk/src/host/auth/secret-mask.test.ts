import { expect, test } from 'vitest';
import type { ConnectorError } from '../../errors.ts';
import { createCtx } from '../ctx.ts';
import { createEgressGate } from '../egress/egress-gate.ts';
import { connectionWith, connectorWith } from '../testing/host-connection.ts';
import { json, startServer } from '../testing/local-server.ts';
import { createSecretMask } from './secret-mask.ts';

const KEY_FILE = `-----BEGIN PRIVATE KEY-----
${'MIIEvQIBADANBgkqhkiG9w0BAQEF'.repeat(2)}
${'AASCBKcwggSjAgEAAoIBAQC7VJTU'.repeat(2)}
-----END PRIVATE KEY-----
`;

const SECRETS = [
  'canary-4f9a1c7e',
  'p@ss word+/=&?"\\<>%',
  'ünï-cödé-密码-secret',
  'aaaaaaaaaaaaaaaa',
  'ghp_0123456789abcdefghijABCDEFGHIJ012345',
  `eyJhbGciOiJIUzI1NiJ9.${'e'.repeat(40)}.sig_-`,
  KEY_FILE,
  '{"type":"service_account","private_key":"-----BEGIN\\nMIIEvQIBADANBgkqhkiG9w0BAQEF\\n"}',
  'tab\there',
  'abcd',
  'half a character \ud800 of one',
];

const forms = (secret: string): string[] => [
  secret,
  `Bearer ${secret}`,
  `https://x.test/?token=${encodeURIComponent(secret.toWellFormed())}&y=1`,
  new URLSearchParams({ token: secret }).toString(),
  JSON.stringify({ token: secret }),
];
/** Only told apart from other text where they are long enough. */
const encodings = (secret: string): string[] => [
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('hex').toUpperCase(),
  Buffer.from(`user:${secret}`).toString('base64'),
  Buffer.from(`me:${secret}:x`).toString('base64'),
  Buffer.from(`a${secret}`).toString('base64url'),
];

test.each(SECRETS)('%j is masked in every form', (secret) => {
  const mask = createSecretMask();
  mask.add(secret);
  const texts = secret.length > 8 ? [...forms(secret), ...encodings(secret)] : forms(secret);
  for (const text of texts) {
    const masked = mask.text(`before ${text} after`);
    expect(masked).toContain('[secret]');
    expect(masked).toMatch(/^before .* after$/s);
    expect(masked).not.toContain(secret);
  }
});

test('a secret among others is masked in every form in which it may come back, words that look alike are not', () => {
  const mask = createSecretMask();
  const secret = 'p@ss "word"/+1';
  mask.add(secret);
  mask.add('p@ss');
  mask.add('ab');
  const whole = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    'p@ss',
  ];
  for (const form of whole) expect(mask.text(`<${form}>`).replaceAll('"', '')).toBe('<[secret]>');
  expect(mask.text('about nothing')).toBe('about nothing');
});

test('lines of a key file are masked alone', () => {
  const mask = createSecretMask();
  mask.add(KEY_FILE);
  for (const line of KEY_FILE.split('\n').slice(1, 3)) expect(mask.text(`line ${line}`)).toBe('line [secret]');
});

test('what stands around a key in its file is no secret', () => {
  const mask = createSecretMask();
  mask.add(
    JSON.stringify({ type: 'service_account', private_key: KEY_FILE, token_uri: 'https://oauth2.example.com/token' }),
  );
  expect(mask.text('https://oauth2.example.com/token says no')).toBe('https://oauth2.example.com/token says no');
  expect(mask.text(`key ${KEY_FILE.split('\n')[1]}`)).toBe('key [secret]');
});

test('what is too short to be told from words is left, and nothing masks everything', () => {
  const mask = createSecretMask();
  for (const secret of ['', 'a', 'abc']) mask.add(secret);
  expect(mask.text('abc and a')).toBe('abc and a');
});

test('one secret within another leaves no rest', () => {
  const mask = createSecretMask();
  mask.add('secret');
  mask.add('my-secret-token');
  expect(mask.text('my-secret-token')).toBe('[secret]');
});

const FIELDS = ['api_token', 'password', 'key_value', 'passphrase', 'client_secret', 'refresh_token'];

test('thirty canaries come out of no error and no log', async () => {
  const secrets = Object.fromEntries(
    FIELDS.map((field, index) => [field, `canary-${index}-${crypto.randomUUID()}+/=`]),
  );
  const values = Object.values(secrets);
  const echo = values.flatMap((value) => [...forms(value), ...encodings(value)]).join(' ');
  const server = await startServer(({ address }, response) => {
    const status = Number(/status=(\d+)/.exec(address)?.[1]);
    json(response, { message: echo, errors: [{ message: echo }] }, status, {
      'x-echo': encodeURIComponent(values[0] ?? ''),
    });
  });
  const connector = connectorWith({
    credentials: {
      type: 'object',
      properties: Object.fromEntries(FIELDS.map((field) => [field, { type: 'string', writeOnly: true }])),
    },
    auth: { type: 'basic', value: '{{api_token}}:{{password}}' },
    baseUrl: 'https://api.example.com',
    permissions: { egress: ['api.example.com'], reveal: ['key_value'] },
  });
  const connection = connectionWith({ connector, secrets, baseUrlOverride: new URL(server.origin) });
  const gate = createEgressGate({ allowPrivateHosts: false });
  const ctx = createCtx(gate, connection, { signal: AbortSignal.timeout(20_000) });
  const outputs: unknown[] = [];
  for (const status of [400, 401, 403, 404, 410, 429, 500]) {
    const error = await ctx.http
      .json({ method: 'POST', path: '/', query: { status } })
      .catch((reason: ConnectorError) => reason);
    expect(error).toMatchObject({ message: expect.stringContaining('It says: "[secret]') });
    outputs.push(Reflect.get(Object(error), 'message'), Reflect.get(Object(error), 'stack'), JSON.stringify(error));
  }
  const revealed = await ctx.reveal('key_value');
  for (const level of ['debug', 'info', 'warn'] as const) {
    ctx.log[level](`revealed ${revealed}`, { revealed, echo, deep: [{ [revealed]: echo }] });
  }
  await expect.poll(() => connection.lines.length).toBe(3);
  outputs.push(connection.lines);
  expect(connection.lines.map(({ level }) => level)).toEqual(['debug', 'info', 'warn']);
  expect(connection.lines[0]?.message).toBe('revealed [secret]');
  const text = JSON.stringify(outputs);
  for (const value of values) {
    for (const form of [...forms(value), ...encodings(value)])
      expect(text).not.toContain(JSON.stringify(form).slice(1, -1));
    expect(text).not.toContain(value.slice(0, 20));
  }
  await server.close();
  await gate.close();
});

test('a log takes whatever code gives it', async () => {
  const connection = connectionWith();
  const gate = createEgressGate({ allowPrivateHosts: false });
  const { log } = createCtx(gate, connection, { signal: AbortSignal.timeout(1_000) });
  const round: Record<string, unknown> = {};
  round['round'] = round;
  const changed = { list: [1] };
  log.info('round', round as never);
  log.info('big', { n: 1n } as never);
  log.info(undefined as never, (() => 1) as never);
  log.info('x'.repeat(100_000), { text: 'x'.repeat(100_000) });
  log.info('changed', changed);
  changed.list.push(2);
  await expect.poll(() => connection.lines.length).toBe(5);
  expect(connection.lines.at(-1)?.facts).toEqual({ list: [1] });
  expect(JSON.stringify(connection.lines).length).toBeLessThan(5_000);
  await gate.close();
});

test('a log line whose secrets cannot be read says nothing', async () => {
  const connection = {
    ...connectionWith(),
    secret: () => Promise.reject(new Error('vault closed')),
  };
  const gate = createEgressGate({ allowPrivateHosts: false });
  createCtx(gate, connection, { signal: AbortSignal.timeout(1_000) }).log.info('token', { token: 'x' });
  await expect
    .poll(() => connection.lines)
    .toEqual([{ level: 'info', message: 'A line was left out: the secrets to mask could not be read.' }]);
  await gate.close();
});
