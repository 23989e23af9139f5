import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Delivery, Webhook } from '../../capability-contracts.ts';
import type { OAuth2 } from '../../connector.ts';
import type { NormalizedFinding } from '../../findings/finding.ts';
import { ReportError, type ReportParser } from '../../findings/report-parser.ts';
import {
  ConnectorError,
  type DeliveryEvent,
  defineConnector,
  monogram,
  readAnswer,
  type TSchema,
  Type,
} from '../../index.ts';
import type { AnyConnectorCode } from '../../server.ts';
import type { ConnectorFixture, RecordedDelivery, RecordedSignIn } from '../fixtures.ts';
import type { KitCheck } from './check.ts';
import { checkDeliveries } from './checks/gold/deliveries.ts';
import { checkMigrations } from './checks/gold/migrations.ts';
import { checkSignIn } from './checks/gold/sign-in.ts';
import { checkSpoiledReports } from './checks/gold/spoiled-reports.ts';
import { playRecorded } from './service/recorded.ts';
import { openSubject, type Subject } from './service/subject.ts';

/** What gold tries beside the requests of a connector: sign-in, deliveries, migrations and reports. Each with a sound one and with faults. */

const OAUTH: OAuth2 = {
  type: 'oauth2',
  authorizeUrl: 'https://login.wharf.example/authorize',
  tokenUrl: 'https://login.wharf.example/token',
  revokeUrl: 'https://login.wharf.example/revoke',
  scopes: ['read'],
};

const connector = defineConnector({
  id: 'wharf',
  title: 'Wharf',
  category: 'source-control',
  image: monogram('Wh'),
  description: 'Takes deliveries.',
  documentation: 'https://wharf.example/docs',
  credentials: {
    type: 'object',
    required: ['oauth_token'],
    properties: {
      oauth_token: { type: 'string', title: 'Token', writeOnly: true },
      refresh_token: { type: 'string', title: 'Refresh token', writeOnly: true },
      hook_secret: { type: 'string', title: 'Hook secret', writeOnly: true },
      group: { type: 'string', title: 'Group' },
    },
  },
  auth: OAUTH,
  baseUrl: 'https://api.wharf.example/v1',
  permissions: { egress: ['api.wharf.example', 'login.wharf.example'] },
});

const User = Type.Object({ login: Type.String({ minLength: 1 }) });
const check: AnyConnectorCode['check'] = async ({ http }) => ({
  identity: readAnswer(User, await http.json({ path: '/me' })).login,
});

const fixture: ConnectorFixture = {
  addresses: { baseUrl: 'https://api.wharf.example/v1' },
  signature: { authorization: 'Bearer {{oauth_token}}' },
  exchanges: [{ request: { path: '/me' }, answer: { body: { login: 'ada' } } }],
  expect: { check: { identity: 'ada' } },
};

const subjectOf = (code: AnyConnectorCode, change: Partial<ConnectorFixture>): Promise<Subject> =>
  openSubject({
    ...{ connector, folder: import.meta.dirname },
    code: { check, ...code },
    fixture: { ...fixture, ...change },
  });
/** Other values in place of the usual ones; null leaves one out. */
type Change<T> = { readonly [K in keyof T]?: T[K] | null };

function changed<T extends object>(value: T, change: Change<T>): T {
  const all = Object.entries({ ...value, ...change }).filter(([, one]) => one !== null);
  return JSON.parse(JSON.stringify(Object.fromEntries(all)));
}

/** @param issue null: there is none */
const expectIssue = (found: readonly string[], issue: RegExp | null): void => {
  if (issue === null) expect(found).toEqual([]);
  else expect(found).toContainEqual(expect.stringMatching(issue));
};
const words = ({ issues }: KitCheck): string[] => issues.map(({ what }) => what);

const TOKENS = { access_token: '{{oauth_token}}', refresh_token: '{{refresh_token}}', expires_in: 3600 };
const CLIENT = { client_id: 'kit-client', client_secret: 'kit-client-secret' };
const PROOF = 'kit-verifier-kit-verifier-kit-verifier-kit-verifier';
const CONSENT =
  'https://login.wharf.example/authorize?response_type=code&client_id=kit-client&redirect_uri=https%3A%2F%2Fbreakwater.example%2Fcallback' +
  // by `printf | openssl dgst -sha256 -binary | basenc --base64url` of the proof key
  '&scope=read&state=kit-state&code_challenge=sr8ObeeSRx0FWf0zV2bYS9-mJKStwzzkMe8Ie0GwIK4&code_challenge_method=S256';
const signIn: RecordedSignIn = {
  consent: CONSENT,
  exchange: {
    request: {
      method: 'POST',
      path: '/token',
      form: {
        grant_type: 'authorization_code',
        code: 'kit-code',
        redirect_uri: 'https://breakwater.example/callback',
        code_verifier: PROOF,
        ...CLIENT,
      },
    },
    answer: { body: TOKENS },
  },
  refresh: {
    request: {
      method: 'POST',
      path: '/token',
      form: { grant_type: 'refresh_token', refresh_token: '{{refresh_token}}', ...CLIENT },
    },
    answer: { body: { ...TOKENS, refresh_token: 'another-one' } },
  },
  revoke: {
    request: { method: 'POST', path: '/revoke', form: { token: '{{oauth_token}}', ...CLIENT } },
    answer: { status: 200 },
  },
  refused: { status: 400, body: { error: 'invalid_grant' } },
};

it.each<[string, Change<OAuth2>, Change<RecordedSignIn>, RegExp | null]>([
  ['that is sound', {}, {}, null],
  [
    'with other scopes',
    { scopes: ['read', 'write'] },
    {},
    /^a person is sent to .*scope=read\+write.* to agree, recorded is /,
  ],
  [
    'at another address',
    { tokenUrl: 'https://login.wharf.example/oauth/token' },
    {},
    /^exchange asks otherwise .*POST \/oauth\/token/,
  ],
  [
    'with the client in a header',
    { tokenAuth: 'basic', revokeAuth: 'body' },
    {},
    /^exchange asks otherwise .*header authorization/,
  ],
  ['without a proof key', { pkce: false }, {}, /^a person is sent to /],
  [
    'that keeps a refresh token which the service replaces',
    { refresh: 'reuse' },
    {},
    /^refresh is "reuse", and the service answers a new /,
  ],
  [
    'that never renews',
    { refresh: 'none' },
    { refresh: null },
    /^the service gives a refresh token, and refresh is "none"/,
  ],
  [
    'whose service gives nothing to renew with',
    {},
    { exchange: { ...signIn.exchange, answer: { body: { access_token: '{{oauth_token}}' } } } },
    /^refresh is "rotate", and the service gives no refresh token/,
  ],
  [
    'whose service keeps its refresh token',
    {},
    { refresh: { ...signIn.refresh!, answer: { body: { access_token: 'x' } } } },
    /^refresh is "rotate", and the service answers no new refresh token/,
  ],
  [
    'whose service refuses in words of its own',
    {},
    { refused: { status: 400, body: { error: 'unauthorized_client' } } },
    /^exchange fails with config .* instead of auth/,
  ],
  ['that cannot be revoked', { revokeUrl: null }, {}, /^signIn.revoke is recorded, and there is no revokeUrl/],
  [
    'of which no revocation was recorded',
    {},
    { revoke: null },
    /^nothing says what the service answers when a token is revoked/,
  ],
  [
    'that takes the token of another field',
    { tokenField: 'refresh_token', refreshField: 'oauth_token' },
    {},
    /^refresh asks otherwise than recorded/,
  ],
])('a sign-in %s', async (_name, auth, change, issue) => {
  const subject = await subjectOf({}, { signIn: changed(signIn, change) });
  const given = { ...subject, connector: { ...subject.connector, auth: changed(OAUTH, auth) } };
  const found = words(await checkSignIn(given, await playRecorded(given)));
  expectIssue(found, issue);
});

it('a sign-in that nobody recorded, and one that there is not', async () => {
  const subject = await subjectOf({}, {});
  expect(words(await checkSignIn(subject, []))).toEqual([
    'people sign in by OAuth 2.0, and nothing says what the service answers',
  ]);
  const none = { ...subject, connector: { ...subject.connector, auth: { type: 'none' } as const } };
  expect(await checkSignIn(none, [])).toMatchObject({ notApplicable: 'it does not sign in by OAuth 2.0' });
});

const Push = Type.Object({
  ref: Type.String(),
  after: Type.String({ minLength: 1 }),
  repository: Type.Object({ id: Type.String({ minLength: 1 }) }),
});
const pushOf = (body: Delivery['body'], shape: TSchema = Push): DeliveryEvent[] => {
  const { ref, after, repository } = readAnswer(Type.Unsafe<Type.Static<typeof Push>>(shape), body);
  return [{ kind: 'push', repository: repository.id, branch: ref.replace('refs/heads/', ''), commit: after }];
};
const hook = (on: Webhook['on']): AnyConnectorCode => ({
  webhook: { proof: { type: 'hmac-sha256', header: 'X-Wharf-Signature', secret: 'hook_secret' }, on },
});
const sound: Webhook['on'] = async (_ctx, { event, body }) => (event === 'push' ? pushOf(body) : []);
const push: RecordedDelivery = {
  name: 'a push',
  event: 'push',
  headers: { 'x-event': 'push', 'x-delivery-id': '1', 'x-wharf-signature': 'sha256={{proof}}' },
  body: { ref: 'refs/heads/main', after: 'c0ffee', repository: { id: '7' } },
};

it.each<[string, Webhook['on'], Change<RecordedDelivery>, RegExp | null]>([
  ['that is sound', sound, {}, null],
  ['without headers', sound, { headers: null }, /^nothing says which headers/],
  [
    'that proves itself by another header',
    sound,
    { headers: { 'x-event': 'push', 'x-signature': '{{proof}}' } },
    /^its headers do not prove it/,
  ],
  [
    'that is called otherwise',
    sound,
    { event: 'pushed', headers: push.headers! },
    /^its headers say that it is "push", and the event is "pushed"/,
  ],
  [
    'that is taken for a push whatever it is',
    async (_ctx, { body }) => pushOf(body),
    {},
    /^an event that nobody knows means something/,
  ],
  [
    'that means something only once',
    async (ctx, delivery) => {
      if ((await ctx.store.get(delivery.id)) !== undefined) return [];
      await ctx.store.set(delivery.id, true);
      return sound(ctx, delivery);
    },
    {},
    /^it means something else when it comes again/,
  ],
  [
    'of which nothing is checked',
    async (_ctx, { event, body }) => {
      const all = JSON.parse(JSON.stringify(body));
      return event === 'push'
        ? [
            {
              kind: 'push',
              repository: all.repository.id,
              branch: all.ref.replace('refs/heads/', ''),
              commit: all.after,
            },
          ]
        : [];
    },
    {},
    /^a delivery that is not as usual crashes with TypeError/,
  ],
  [
    'of which half is checked',
    async (_ctx, { event, body }) =>
      event === 'push'
        ? pushOf(body, Type.Object({ ref: Type.String(), repository: Type.Object({ id: Type.Any() }) }))
        : [],
    {},
    /^the host cannot use what a spoiled delivery means: event 0: /,
  ],
  [
    'that means what the host does not know',
    async (_ctx, { event }) => (event === 'push' ? [JSON.parse('{"kind":"star"}')] : []),
    {},
    /^the host cannot use what it means: event 0: its kind is none of push, /,
  ],
])('a delivery %s', async (_name, on, change, issue) => {
  const delivery = changed(push, change);
  const subject = await subjectOf(hook(on), { calls: { deliveries: [delivery] } });
  const found = words(await checkDeliveries(subject, await playRecorded(subject)));
  expectIssue(found, issue);
});

it('deliveries that nobody recorded, and a connector that takes none', async () => {
  expect(words(await checkDeliveries(await subjectOf(hook(sound), {}), []))).toEqual([
    'it takes deliveries, and none was recorded',
  ]);
  expect(await checkDeliveries(await subjectOf({}, {}), [])).toMatchObject({ notApplicable: 'it takes no deliveries' });
});

const migrations = [
  {
    from: '0.1.0',
    config: { team: 'pier' },
    secrets: ['token'],
    expect: { config: { group: 'pier' }, secrets: ['oauth_token'] },
  },
];
const rename = { team: 'group', token: 'oauth_token' };

it.each<[string, NonNullable<AnyConnectorCode['migrate']>, RegExp | null]>([
  ['that is sound', [{ from: '0.1.0', rename }], null],
  [
    'that loses a secret',
    [{ from: '0.1.0', rename: { team: 'group' } }],
    /^stored fields become something else: secrets/,
  ],
  [
    'that leaves a field which the form has not',
    [{ from: '0.1.0', rename, config: (old) => ({ ...old, old: 1 }) }],
    /"old" comes out, which the form has not/,
  ],
  [
    'that fails where nothing was filled in',
    [
      {
        from: '0.1.0',
        rename,
        config: (old) => ({ group: String(old['group']).length > 0 ? text(old['group']) : '' }),
      },
    ],
    /crashes with .* where no field was stored/,
  ],
  [
    'that changes what it was given',
    [{ from: '0.1.0', rename, config: (old) => Object.assign(old, { group: 'pier' }) }],
    /^the migration crashes with TypeError/,
  ],
  [
    'that nobody recorded',
    [{ from: '0.1.0', rename }, { from: '0.2.0' }],
    /^nothing says what fields of version 0.2.0 become/,
  ],
])('a migration %s', async (_name, migrate, issue) => {
  const found = words(await checkMigrations(await subjectOf({ migrate }, { migrations })));
  expectIssue(found, issue);
});

function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('no text');
  return value;
}

it('runs migrations in the order of their versions', async () => {
  const migrate = [
    { from: '0.10.0', rename: { middle: 'group' } },
    { from: '0.9.0', rename: { team: 'middle', token: 'oauth_token' } },
  ];
  const recorded = [
    { ...migrations[0]!, from: '0.9.0' },
    { from: '0.10.0', config: { middle: 'x' }, expect: { config: { group: 'x' } } },
  ];
  expect(words(await checkMigrations(await subjectOf({ migrate }, { migrations: recorded })))).toEqual([]);
});

const parserWith = (parse: ReportParser['parse']): ReportParser => ({
  tool: 'wharf',
  formats: ['json'],
  recognise: () => 1,
  parse,
});
const whole = async (report: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of report) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};
const refused = () => new ReportError('report_malformed', 'It is no report of Wharf.');
const Rows = Type.Object({
  rows: Type.Array(Type.Object({ id: Type.String({ minLength: 1 }), text: Type.String({ minLength: 1 }) })),
});
const finding = ({ id, text: title }: { id: string; text: string }): NormalizedFinding => ({
  ...{ kind: 'finding', type: 'SAST', ruleId: id, title, severity: 'high' },
  locations: [{ path: 'a.ts', startLine: 1 }],
});

it.each<[string, ReportParser['parse'], RegExp | null]>([
  [
    'that checks what it reads',
    async function* (report) {
      const source = await whole(report);
      try {
        yield* readAnswer(Rows, JSON.parse(source)).rows.map(finding);
      } catch {
        throw refused();
      }
    },
    null,
  ],
  [
    'that takes for JSON whatever comes',
    async function* (report) {
      yield* readAnswer(Rows, JSON.parse(await whole(report))).rows.map(finding);
    },
    /^the parser of wharf crashes with SyntaxError/,
  ],
  [
    'that looks at no row',
    async function* (report) {
      let value = null;
      try {
        value = JSON.parse(await whole(report));
      } catch {
        throw refused();
      }
      for (const row of Array.isArray(value?.rows) ? value.rows : []) {
        yield { ...finding({ id: 'x', text: 'x' }), title: row?.text, ruleId: row?.id };
      }
    },
    /^the parser of wharf yields a finding that cannot be imported: /,
  ],
])('a parser %s', async (_name, parse, issue) => {
  const folder = await mkdtemp(join(tmpdir(), 'gold-'));
  try {
    await writeFile(join(folder, 'report.json'), '{"rows":[{"id":"r1","text":"One"},{"id":"r2","text":"Two"}]}');
    const reader = { ...connector, parser: { tool: 'wharf', family: 'SAST' } as const };
    const reports = {
      folder,
      parsers: [parserWith(parse)],
      fixtures: { connectors: {}, reports: { wharf: [{ file: 'report.json' }] } },
    };
    const found = words(await checkSpoiledReports(reader, reports));
    expectIssue(found, issue);
    const unrecorded = { ...reports, fixtures: { connectors: {} } };
    expect(words(await checkSpoiledReports(reader, unrecorded))).toEqual(['it reads reports, and none was recorded']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('a connector error of a delivery that cannot be read is no fault', async () => {
  const on: Webhook['on'] = async () => {
    throw new ConnectorError('upstream', 'It cannot be read.');
  };
  const subject = await subjectOf(hook(on), { calls: { deliveries: [push] } });
  expect(words(await checkDeliveries(subject, []))).toEqual([]);
});
