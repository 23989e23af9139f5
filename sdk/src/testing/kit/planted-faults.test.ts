import { describe, expect, it } from 'vitest';
import { getSimplePaths } from 'xstate/graph';
import {
  type ConnectionEvent,
  type ConnectionState,
  canTransition,
  connectionMachine,
  NO_CONNECTION,
} from '../../connection-machine.ts';
import type { CredentialSchema } from '../../credentials.ts';
import { CONNECTOR_ERROR_CODES } from '../../errors.ts';
import { ConnectorError, type Ctx, defineConnector, monogram, readAnswer, readManifest, Type } from '../../index.ts';
import type { AnyConnectorCode } from '../../server.ts';
import type { ConnectorFixture } from '../fixtures.ts';
import type { LoadedFolder } from './load-plugin.ts';
import { printReport, reaches } from './print-report.ts';
import { type KitReport, reportOn } from './run-kit.ts';

const User = Type.Object({ login: Type.String({ minLength: 1 }) });
const Issues = Type.Array(Type.Object({ rule: Type.String() }));

const connector = defineConnector({
  id: 'demo',
  title: 'Demo',
  category: 'sast',
  image: monogram('De'),
  description: 'Finds insecure code.',
  documentation: 'https://demo.example/docs',
  credentials: {
    type: 'object',
    required: ['token'],
    properties: {
      token: { type: 'string', title: 'Token', writeOnly: true },
      project: { type: 'string', title: 'Project' },
    },
  },
  auth: { type: 'bearer', value: '{{token}}' },
  baseUrl: 'https://api.demo.example/v1',
  permissions: { egress: ['api.demo.example'], reveal: ['token'] },
});

const check = async ({ http }: Ctx<CredentialSchema>) => ({
  identity: readAnswer(User, await http.json({ path: '/user' })).login,
});
const findings: NonNullable<AnyConnectorCode['findings']> = {
  async *sync({ http }) {
    yield { kind: 'target', id: '1', name: 'One' };
    for await (const page of http.pages({ path: '/issues' }, { type: 'link' })) {
      for (const { rule } of readAnswer(Issues, page)) {
        yield { kind: 'finding', type: 'SAST', ruleId: rule, title: rule, severity: 'high' };
      }
    }
  },
};
const sound: AnyConnectorCode = { check, findings };
const fixture: ConnectorFixture = {
  credentials: { project: 'harbour' },
  addresses: { baseUrl: 'https://api.demo.example/v1' },
  signature: { authorization: 'Bearer {{token}}' },
  exchanges: [
    { request: { path: '/user' }, answer: { body: { login: 'ada' } } },
    { request: { path: '/issues', query: { page: '2' } }, answer: { body: [{ rule: 'weak-hash' }] } },
    {
      request: { path: '/issues' },
      answer: { headers: { link: '<{{base}}/issues?page=2>; rel="next"' }, body: [{ rule: 'sqli' }] },
    },
  ],
  expect: {
    check: { identity: 'ada' },
    'findings.sync': [
      { kind: 'target', id: '1', name: 'One' },
      { kind: 'finding', type: 'SAST', ruleId: 'sqli', title: 'sqli', severity: 'high' },
      { kind: 'finding', type: 'SAST', ruleId: 'weak-hash', title: 'weak-hash', severity: 'high' },
    ],
  },
  wrong: [
    {
      name: 'a project that does not exist',
      during: 'findings.sync',
      exchanges: [{ request: { path: '/issues' }, answer: { status: 404, body: { message: 'no such project' } } }],
      code: 'config',
    },
  ],
};

async function testOf(code: AnyConnectorCode, change: Partial<ConnectorFixture> = {}): Promise<KitReport> {
  const loaded: LoadedFolder = {
    plugin: readManifest({ id: 'demo', version: '1.0.0', connectors: [connector] }),
    parsers: [],
    server: { pluginId: 'demo', connectors: { demo: code } },
    fixtures: { connectors: { demo: { ...fixture, ...change } } },
    entries: [],
    issues: [],
  };
  return reportOn(import.meta.dirname, loaded);
}

/** `silver, secrets: a secret comes out …` */
const messagesOf = (report: KitReport): string[] =>
  report.connectors.flatMap(({ checks }) =>
    checks.flatMap(({ tier, name, issues }) => issues.map(({ what }) => `${tier}, ${name}: ${what}`)),
  );

/** Steps that go on from the simple paths of the machine, as its own graph gives them: with sync, without OAuth. */
function countPaths(): number {
  const plain = ['CONFIGURE', 'SUBMIT', 'EDIT', 'TIMER', 'BACKOFF', 'GIVE_UP', 'REMOVE', 'CHECK', 'OK', 'SYNC', 'DONE'];
  const events = [
    ...plain.map((type) => ({ type }) as ConnectionEvent),
    ...CONNECTOR_ERROR_CODES.map((code): ConnectionEvent => ({ type: 'FAIL', code, message: '' })),
  ];
  // Only check and sync run here: nothing can fail while it is connected.
  const stepsFrom = ({ connection }: { connection: ConnectionState }) =>
    events.filter(
      (event) =>
        canTransition({ ...NO_CONNECTION, connection }, event) &&
        !(connection === 'connected' && event.type === 'FAIL'),
    ).length;
  return getSimplePaths(connectionMachine, { events, serializeState: ({ value }) => JSON.stringify(value) })
    .filter(
      ({ steps }) =>
        !steps.some(
          ({ event }, index) => event.type === 'FAIL' && steps[index - 1]?.state.value.connection === 'connected',
        ),
    )
    .reduce((sum, { state }) => sum + stepsFrom(state.value), 0);
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the kit', () => {
  it('gives silver to a sound connector, with every part of it tried', async () => {
    const report = await testOf(sound);
    expect(messagesOf(report)).toEqual([]);
    expect(report.connectors).toMatchObject([{ id: 'demo', tier: 'silver', silverNotApplicable: null }]);
    expect(reaches(report, 'silver')).toBe(true);
    const tried = Object.fromEntries(report.connectors[0]!.checks.map((one) => [one.name, one.tried]));
    expect(tried).toMatchObject({ form: 2, check: 3, capabilities: 1, abort: 4 });
    expect(tried['statechart']).toBe(countPaths());
    // Three requests (one of check, two of sync), each wrong in nineteen ways.
    expect(tried['fault matrix']).toBe(57);
    expect(tried['secrets']).toBe(59);
    expect(printReport(report)).toContain('1 connectors: 1 silver, 0 bronze');
  });

  it('asks bronze of a card that talks to no service, and says why silver does not apply', async () => {
    const report = await testOf({});
    // Here it has auth, so that the missing check is an issue of its card.
    expect(messagesOf(report)).toEqual(['bronze, card: signs its requests but has no check']);
    expect(report.connectors).toMatchObject([{ tier: 'none', silverNotApplicable: 'talks to no service' }]);
  });

  it('refuses a connector whose answers nobody recorded', async () => {
    const report = await testOf(sound, { exchanges: undefined } as never);
    expect(messagesOf(report)).toEqual([expect.stringContaining('nothing says what the service answers')]);
    expect(report.connectors).toMatchObject([{ tier: 'none' }]);
  });
});

interface Planted {
  name: string;
  code: AnyConnectorCode;
  fixture?: Partial<ConnectorFixture>;
  tier: 'none' | 'bronze';
  message: RegExp;
}

const PLANTED: Planted[] = [
  {
    name: 'answers without asking',
    code: { ...sound, check: async () => ({ identity: 'ada' }) },
    tier: 'none',
    message: /^bronze, check: check answers without asking the service/,
  },
  {
    name: 'names somebody else',
    code: sound,
    fixture: { expect: { ...fixture.expect, check: { identity: 'grace' } } },
    tier: 'none',
    message: /^bronze, check: check answers otherwise than expected: identity is "ada", expected is "grace"/,
  },
  {
    name: 'asks what was not recorded',
    code: { ...sound, check: async ({ http }) => ({ identity: String(await http.json({ path: '/me' })) }) },
    tier: 'none',
    message: /^bronze, check: check asks GET \/v1\/me, which no recorded exchange answers/,
  },
  {
    name: 'maps every failure to one code',
    code: {
      ...sound,
      check: async (ctx) =>
        check(ctx).catch((cause: unknown) => {
          throw new ConnectorError('upstream', 'It did not work.', { cause });
        }),
    },
    tier: 'none',
    message: /^bronze, check: check fails with upstream .* when the service refuses the credentials/,
  },
  {
    name: 'catches everything and says that all is well',
    code: { ...sound, check: async (ctx) => check(ctx).catch(() => ({ identity: 'somebody' })) },
    tier: 'none',
    message: /^bronze, check: check succeeds when the service refuses the credentials/,
  },
  {
    name: 'hangs',
    code: { ...sound, check: () => new Promise(() => undefined) },
    tier: 'none',
    message: /^bronze, check: check fails with unreachable/,
  },
  {
    name: 'does not recognise what its fixture calls wrong',
    code: sound,
    fixture: {
      wrong: [
        {
          name: 'an old version',
          exchanges: [{ request: { path: '/user' }, answer: { body: { login: 'ada', version: 1 } } }],
          code: 'unsupported',
        },
      ],
    },
    tier: 'none',
    message: /^bronze, check: check succeeds instead of failing with unsupported/,
  },
  {
    name: 'fails rightly for another reason, because what it asks in a wrong case is not recorded',
    code: {
      ...sound,
      findings: {
        async *sync(ctx) {
          const { status } = await ctx.http.request({ path: '/issues', accept: [404] });
          if (status === 404) await ctx.http.json({ path: '/projects/harbour' });
          yield* findings.sync(ctx);
        },
      },
    },
    tier: 'none',
    message: /^bronze, check: findings.sync asks GET \/v1\/projects\/harbour, which no recorded exchange answers/,
  },
  {
    name: 'crashes on JSON of another shape',
    code: {
      ...sound,
      check: async ({ http }) => {
        const { login } = (await http.json({ path: '/user' })) as { login: string };
        return { identity: login.trim() };
      },
    },
    tier: 'bronze',
    message: /^silver, fault matrix: check crashes with TypeError/,
  },
  {
    name: 'believes every document',
    code: {
      ...sound,
      check: async ({ http }) => {
        const answer = await http.json({ path: '/user' });
        return { identity: JSON.stringify(answer).includes('ada') ? 'ada' : 'anonymous' };
      },
    },
    tier: 'bronze',
    message: /^silver, fault matrix: check succeeds although the service gave it: another document/,
  },
  {
    name: 'takes a service in trouble for wrong credentials',
    code: {
      ...sound,
      check: async ({ http }) => {
        const { status, body } = await http.request({ path: '/user', accept: [500] });
        if (status === 500) throw new ConnectorError('auth', 'The token is wrong.');
        return { identity: readAnswer(User, JSON.parse(new TextDecoder().decode(body))).login };
      },
    },
    tier: 'bronze',
    message: /^silver, statechart: check fails with auth .* the connection is needsAuth instead of retrying/,
  },
  {
    name: 'forgets Retry-After',
    code: {
      ...sound,
      check: async ({ http }) => {
        const { status, body } = await http.request({ path: '/user', accept: [429] });
        if (status === 429) throw new ConnectorError('rate_limited', 'Too many requests.', { retryAfterMs: 5000 });
        const text = new TextDecoder().decode(body);
        try {
          return { identity: readAnswer(User, JSON.parse(text)).login };
        } catch {
          throw new ConnectorError('upstream', 'The answer is not readable.');
        }
      },
    },
    tier: 'bronze',
    message: /^silver, fault matrix: asks again before the 120 s of Retry-After are over/,
  },
  {
    name: 'ignores abort',
    code: {
      ...sound,
      check: async (ctx) => {
        for (;;) {
          try {
            return await check(ctx);
          } catch (error) {
            if (!ctx.signal.aborted) throw error;
            await sleep(20_000);
          }
        }
      },
    },
    tier: 'bronze',
    message: /^silver, abort: check is still at work a second after ctx.signal was aborted/,
  },
  {
    name: 'leaks the secret into an error',
    code: {
      ...sound,
      check: async (ctx) => {
        const token = await ctx.reveal('token');
        return check(ctx).catch((error: unknown) => {
          const { code, retryAfterMs } = error as ConnectorError;
          throw new ConnectorError(
            code,
            `It did not work with ${token}.`,
            retryAfterMs === undefined ? {} : { retryAfterMs },
          );
        });
      },
    },
    tier: 'bronze',
    message: /^silver, secrets: a secret comes out in the error: token as it is/,
  },
  {
    name: 'leaks the secret into the cause of an error, encoded',
    code: {
      ...sound,
      check: async (ctx) => {
        const cause = { headers: `Basic ${Buffer.from(await ctx.reveal('token')).toString('base64')}` };
        return check(ctx).catch((error: unknown) => {
          const { code, message, retryAfterMs } = error as ConnectorError;
          throw new ConnectorError(code, message, retryAfterMs === undefined ? { cause } : { retryAfterMs, cause });
        });
      },
    },
    tier: 'bronze',
    message: /^silver, secrets: a secret comes out in the error: token in base64/,
  },
  {
    name: 'repeats what the service says, secrets included',
    code: {
      ...sound,
      check: async ({ http }) => {
        const { status, body } = await http.request({ path: '/user', accept: [401] });
        const text = new TextDecoder().decode(body);
        if (status === 401) throw new ConnectorError('auth', `The service says: ${text}`);
        try {
          return { identity: readAnswer(User, JSON.parse(text)).login };
        } catch {
          throw new ConnectorError('upstream', 'The answer is not readable.');
        }
      },
    },
    tier: 'bronze',
    message: /^silver, secrets: a secret comes out in the error: token as it is/,
  },
  {
    name: 'leaks the secret into the log',
    code: {
      ...sound,
      check: async (ctx) => {
        ctx.log.info('checking', { token: await ctx.reveal('token') });
        return check(ctx);
      },
    },
    tier: 'bronze',
    message: /^silver, secrets: a secret comes out in the log: token as it is/,
  },
  {
    name: 'keeps the secret in the store',
    code: {
      ...sound,
      check: async (ctx) => {
        await ctx.store.set('session', { header: `Bearer ${await ctx.reveal('token')}` });
        return check(ctx);
      },
    },
    tier: 'bronze',
    message: /^silver, secrets: a secret comes out in the store: token as it is/,
  },
  {
    name: 'prints the secret',
    code: {
      ...sound,
      check: async (ctx) => {
        console.log(await ctx.reveal('token'));
        return check(ctx);
      },
    },
    tier: 'bronze',
    message: /^silver, secrets: a secret comes out in the console: token as it is/,
  },
  {
    name: 'shows the secret in a finding',
    code: {
      ...sound,
      findings: {
        async *sync(ctx) {
          for await (const record of findings.sync(ctx)) {
            yield record.kind === 'finding' ? { ...record, description: await ctx.reveal('token') } : record;
          }
        },
      },
    },
    tier: 'bronze',
    message: /^silver, secrets: a secret comes out in the result: token as it is/,
  },
  {
    name: 'ignores abort in its second request only',
    code: {
      ...sound,
      findings: {
        async *sync(ctx) {
          yield { kind: 'target', id: '1', name: 'One' };
          const first = readAnswer(Issues, await ctx.http.json({ path: '/issues' }));
          const second = await ctx.http.json({ path: '/issues', query: { page: 2 } }).catch(async (error: unknown) => {
            if (ctx.signal.aborted) await sleep(20_000);
            throw error;
          });
          for (const { rule } of [...first, ...readAnswer(Issues, second)]) {
            yield { kind: 'finding', type: 'SAST', ruleId: rule, title: rule, severity: 'high' };
          }
        },
      },
    },
    tier: 'bronze',
    message: /^silver, abort: findings.sync is still at work a second after ctx.signal was aborted/,
  },
  {
    name: 'takes an empty object for an empty list',
    code: {
      ...sound,
      findings: {
        async *sync({ http }) {
          yield { kind: 'target', id: '1', name: 'One' };
          const Wrapped = Type.Object({ items: Type.Optional(Issues) });
          for (const { rule } of readAnswer(Wrapped, await http.json({ path: '/wrapped' })).items ?? []) {
            yield { kind: 'finding', type: 'SAST', ruleId: rule, title: rule, severity: 'high' };
          }
        },
      },
    },
    fixture: {
      exchanges: [
        { request: { path: '/user' }, answer: { body: { login: 'ada' } } },
        { request: { path: '/wrapped' }, answer: { body: { items: [{ rule: 'a' }, { rule: 'b' }] } } },
      ],
      wrong: [],
    },
    tier: 'bronze',
    message: /^silver, fault matrix: findings.sync loses 2 of 3 records because an answer was \{\}/,
  },
  {
    name: 'calls home',
    code: {
      ...sound,
      check: async (ctx) => {
        await fetch('https://collector.example/x').catch(() => undefined);
        return check(ctx);
      },
    },
    tier: 'bronze',
    message: /^silver, egress: (connects to|looks up) collector\.example/,
  },
  {
    name: 'loses a page',
    code: {
      ...sound,
      findings: {
        async *sync({ http }) {
          yield { kind: 'target', id: '1', name: 'One' };
          for (const { rule } of readAnswer(Issues, await http.json({ path: '/issues' }))) {
            yield { kind: 'finding', type: 'SAST', ruleId: rule, title: rule, severity: 'high' };
          }
        },
      },
    },
    tier: 'bronze',
    message: /^silver, capabilities: findings.sync answers otherwise than expected: it has 2 items, expected are 3/,
  },
  {
    name: 'yields findings that cannot be imported',
    code: {
      ...sound,
      findings: {
        async *sync(ctx) {
          for await (const record of findings.sync(ctx)) {
            yield (record.kind === 'finding' ? { ...record, severity: 'severe' } : record) as never;
          }
        },
      },
    },
    tier: 'bronze',
    message: /^silver, capabilities: a finding cannot be imported: severity/,
  },
  {
    name: 'skips what it cannot read',
    code: {
      ...sound,
      findings: {
        async *sync(ctx) {
          try {
            yield* findings.sync(ctx);
          } catch (error) {
            if ((error as ConnectorError).code !== 'upstream') throw error;
          }
        },
      },
    },
    tier: 'bronze',
    message: /^silver, fault matrix: findings.sync succeeds although the service gave it: /,
  },
];

describe('the kit and a connector that', () => {
  it.concurrent.each(PLANTED)('$name', async ({ code, fixture: change, tier, message }) => {
    const report = await testOf(code, change);
    expect(messagesOf(report)).toContainEqual(expect.stringMatching(message));
    expect(report.connectors).toMatchObject([{ tier }]);
    expect(reaches(report, 'silver')).toBe(false);
    expect(reaches(report, 'bronze')).toBe(tier === 'bronze');
  });
});
