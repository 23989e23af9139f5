import { describe, expect, it } from 'vitest';
import type { Ctx } from '../../context.ts';
import type { CredentialSchema } from '../../credentials.ts';
import { ConnectorError, defineConnector, monogram, readAnswer, Type, withKeyMark } from '../../index.ts';
import type { ScmSettings } from '../../scm/posture.ts';
import type { AnyConnectorCode } from '../../server.ts';
import type { ConnectorFixture, Exchange, Situation } from '../fixtures.ts';
import { checkTheCheck } from './checks/bronze.ts';
import { checkCapabilities } from './checks/capabilities.ts';
import { playRecorded } from './service/recorded.ts';
import { openSubject } from './service/subject.ts';

/** Faults that one conversation with a service does not show: they need another one, or another form. */

const credentials = {
  type: 'object',
  required: ['token', 'region', 'kind'],
  properties: {
    token: { type: 'string', title: 'Token', writeOnly: true },
    region: { type: 'string', title: 'Region' },
    kind: { type: 'string', title: 'Kind', enum: ['cloud', 'server'] },
    label: { type: 'string', title: 'Label' },
  },
} as const;
const card = {
  id: 'quay',
  title: 'Quay',
  category: 'source-control',
  image: monogram('Qu'),
  description: 'Lists repositories and comments on them.',
  auth: { type: 'bearer', value: '{{token}}' },
  permissions: { egress: ['*.quay.example'] },
} as const;
const connector = defineConnector({ ...card, credentials, baseUrl: 'https://{{region}}.quay.example/v2' });

const User = Type.Object({ login: Type.String({ minLength: 1 }) });
const Rows = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));
const Notes = Type.Array(Type.Object({ url: Type.String(), body: Type.String() }));

interface Variant {
  pages?: number;
  looks?: boolean;
  rootOf?: (kind: unknown) => string;
  labelName?: string;
  decode?: (chunk: Uint8Array) => string;
  settings?: ScmSettings;
}

const decoder = new TextDecoder();

/** The connector, with one thing wrong. */
const quay = ({
  pages = 9,
  looks = true,
  rootOf = (kind) => (kind === 'server' ? '/api' : ''),
  labelName = 'label',
  decode = (chunk) => decoder.decode(chunk, { stream: true }),
  settings = moorings(),
}: Variant = {}): AnyConnectorCode => ({
  check: async ({ http, config }) => ({
    identity: readAnswer(User, await http.json({ path: `${rootOf(config['kind'])}/me` })).login,
  }),
  scm: {
    user: async ({ http }) => ({ name: readAnswer(User, await http.json({ path: '/me' })).login }),
    async *listRepositories({ http, config }) {
      const { label } = config;
      for (let page = 1; page <= pages; page += 1) {
        const query = { page, ...(typeof label === 'string' && label !== '' ? { [labelName]: label } : {}) };
        const rows = readAnswer(Rows, await http.json({ path: '/repositories', query }));
        if (rows.length === 0) return;
        yield* rows.map(({ id, name }) => ({ id, name, url: 'https://quay.example/r' }));
      }
    },
    async *listBranches({ http }) {
      let text = '';
      for await (const chunk of http.stream({ path: '/branches' })) text += decode(chunk);
      yield* text.split('\n').map((name) => ({ name, commit: 'a' }));
    },
    write: {
      ...unused(),
      settings,
      async comment({ http }, { number, text, idempotencyKey }) {
        const path = `/issues/${number}/notes`;
        const body = withKeyMark(text, idempotencyKey);
        const known = readAnswer(Notes, await http.json({ path })).find((note) => note.body === body);
        if (looks && known !== undefined) return { url: known.url };
        return { url: readAnswer(Notes, await http.json({ method: 'POST', path, body: { body } }))[0]?.url ?? '' };
      },
    },
  },
  webhook: {
    proof: { type: 'token', header: 'x-quay-token', secret: 'token' },
    on: async (_, { event }) =>
      event === 'push' ? [{ kind: 'push', repository: '1', branch: 'main', commit: 'a' }] : undefined,
  },
});

const Rule = Type.Object({ forced: Type.Boolean() });
const FORCED = { setting: 'Force pushes', from: 'accepted', to: 'refused' };

/** A setting, with one thing wrong. */
function moorings(wrong: { shows?: 'nothing'; plans?: 'by writing'; sends?: 'always' | 'never' } = {}): ScmSettings {
  const send = async ({ http }: Ctx<CredentialSchema>): Promise<void> => {
    readAnswer(Rule, await http.json({ method: 'PUT', path: '/rule', body: { forced: false } }));
  };
  const look = async ({ http }: Ctx<CredentialSchema>) =>
    readAnswer(Rule, await http.json({ path: '/rule' })).forced ? [FORCED] : [];
  return {
    checks: ['force-pushes', 'signed-commits'],
    plan: async (ctx) => {
      const changes = await look(ctx);
      if (wrong.plans === 'by writing' && changes.length > 0) await send(ctx);
      return wrong.shows === 'nothing' ? [] : changes;
    },
    set: async (ctx) => {
      const changes = await look(ctx);
      if (wrong.sends === 'always' || (wrong.sends !== 'never' && changes.length > 0)) await send(ctx);
      return changes;
    },
  };
}

function unused() {
  const refuse = async () => {
    throw new ConnectorError('unsupported', 'Quay does not know this.');
  };
  return {
    createBranch: refuse,
    commitFiles: refuse,
    openPullRequest: refuse,
    openIssue: refuse,
    setStatus: refuse,
  };
}

const listed = (page: string, names: readonly string[], query = {}): Exchange => ({
  request: { path: '/repositories', query: { page, ...query } },
  answer: { body: names.map((name) => ({ id: `id-${name}`, name })) },
});
const repositories = (...names: string[]) =>
  names.map((name) => ({ id: `id-${name}`, name, url: 'https://quay.example/r' }));
const note = { url: 'https://quay.example/n/1', body: withKeyMark('Two findings.', 'kit') };
const situations: readonly Situation[] = [
  {
    name: 'a server of their own',
    during: 'check',
    credentials: { kind: 'server' },
    exchanges: [{ request: { path: '/api/me' }, answer: { body: { login: 'ada' } } }],
    expect: { identity: 'ada' },
  },
  {
    name: 'one label',
    during: 'scm.listRepositories',
    credentials: { label: 'prod' },
    exchanges: [listed('1', ['pier'], { label: 'prod' }), listed('2', [], { label: 'prod' })],
    expect: repositories('pier'),
  },
  {
    name: 'the comment is there',
    during: 'scm.comment',
    isRepeated: true,
    exchanges: [{ request: { path: '/issues/7/notes' }, answer: { body: [note] } }],
    expect: { url: note.url },
  },
  {
    name: 'the rule is right',
    during: 'scm.settings.set: force-pushes',
    exchanges: [{ request: { path: '/rule' }, answer: { body: { forced: false } } }],
    expect: [],
  },
];
const fixture: ConnectorFixture = {
  credentials: { region: 'eu', kind: 'cloud' },
  addresses: { baseUrl: 'https://eu.quay.example/v2' },
  signature: { authorization: 'Bearer {{token}}' },
  exchanges: [
    { request: { path: '/me' }, answer: { body: { login: 'ada' } } },
    listed('1', ['quay']),
    listed('2', []),
    { request: { path: '/branches' }, answer: { text: 'main\nprüfen' } },
    { request: { path: '/issues/7/notes' }, answer: { body: [] } },
    { request: { method: 'POST', path: '/issues/7/notes', body: { body: note.body } }, answer: { body: [note] } },
    { request: { path: '/rule' }, answer: { body: { forced: true } } },
    { request: { method: 'PUT', path: '/rule', body: { forced: false } }, answer: { body: { forced: false } } },
  ],
  expect: {
    check: { identity: 'ada' },
    'scm.user': { name: 'ada' },
    'scm.listRepositories': repositories('quay'),
    'scm.listBranches': [
      { name: 'main', commit: 'a' },
      { name: 'prüfen', commit: 'a' },
    ],
    'scm.comment': { url: note.url },
    'scm.settings.plan: force-pushes': [FORCED],
    'scm.settings.set: force-pushes': [FORCED],
    'webhook: a push': [{ kind: 'push', repository: '1', branch: 'main', commit: 'a' }],
    'webhook: a star': null,
  },
  situations,
  calls: {
    scm: { repository: '1', settings: ['force-pushes'], write: { comment: { number: 7, text: 'Two findings.' } } },
    deliveries: [
      { name: 'a push', event: 'push', body: {} },
      { name: 'a star', event: 'star', body: {} },
    ],
  },
};

async function judge(code: AnyConnectorCode, change: Partial<ConnectorFixture> = {}, manifest = connector) {
  const given = { ...fixture, ...change };
  const subject = await openSubject({ connector: manifest, code, fixture: given, folder: import.meta.dirname });
  const recorded = await playRecorded(subject);
  const checks = [await checkTheCheck(subject, recorded, new Map()), await checkCapabilities(subject, recorded)];
  return {
    issues: checks.flatMap(({ issues }) => issues.map(({ what }) => what)),
    notes: checks.flatMap(({ notes = [] }) => notes),
  };
}

const without = (name: string) => situations.filter((one) => one.name !== name);
const changed = (name: string, change: Partial<Situation>) =>
  situations.map((one) => (one.name === name ? { ...one, ...change } : one));

describe('what a fixture states besides one conversation', () => {
  it('is as stated; what it does not call is told', async () => {
    const { issues, notes } = await judge(quay());
    expect(issues).toEqual([]);
    expect(notes).toContain('scm.openIssue was not tried: say in calls.scm.write what it is given');
    expect(notes).toContain('the setting "signed-commits" was not tried: name it in calls.scm.settings');
  });

  it.each<[string, AnyConnectorCode, Partial<ConnectorFixture>, RegExp]>([
    [
      'only the first page of an own loop',
      quay({ pages: 1 }),
      {
        exchanges: fixture.exchanges!.filter(({ request }) => request.query?.['page'] !== '2'),
        situations: without('one label'),
      },
      /^scm.listRepositories reads pages, but a second one is never recorded/,
    ],
    [
      'a comment that is written twice',
      quay({ looks: false }),
      {},
      /^scm.comment sends POST .* although the service has what the key made/,
    ],
    [
      'a write of which nothing shows that it happens once',
      quay(),
      { situations: without('the comment is there') },
      /^nothing shows that scm.comment with the same key has one effect/,
    ],
    [
      'a repeated write that answers otherwise',
      quay(),
      {
        situations: changed('the comment is there', {
          exchanges: [
            { request: { path: '/issues/7/notes' }, answer: { body: [{ ...note, url: 'https://quay.example/n/2' }] } },
          ],
          expect: { url: 'https://quay.example/n/2' },
        }),
      },
      /^scm.comment answers otherwise when it is repeated/,
    ],
    ['a choice that asks wrongly', quay({ rootOf: () => '' }), {}, /nothing asks GET \/api\/me of the situation/],
    [
      'a choice that was never tried',
      quay(),
      { situations: without('a server of their own') },
      /^the code looks at "kind", but it is never tried with "server"/,
    ],
    [
      'a field that was never filled',
      quay(),
      { situations: without('one label') },
      /^the code looks at "label", but it is never tried with a value/,
    ],
    [
      'a field that is sent under another name',
      quay({ labelName: 'tag' }),
      {},
      /query parameter tag=prod is sent and not recorded/,
    ],
    [
      'letters that are cut in two',
      quay({ decode: (chunk) => new TextDecoder().decode(chunk) }),
      {},
      /^scm.listBranches answers otherwise when an answer comes byte by byte/,
    ],
    [
      'another result',
      quay(),
      { situations: changed('one label', { expect: [] }) },
      /^scm.listRepositories answers otherwise than expected in the situation "one label"/,
    ],
    [
      'requests to another address',
      quay(),
      { addresses: { baseUrl: 'https://eu.quay.example/v1' } },
      /^requests go elsewhere than expected: baseUrl is/,
    ],
    ['no address', quay(), { addresses: undefined } as never, /^nothing says where requests go/],
    [
      'a plan that sets',
      quay({ settings: moorings({ plans: 'by writing' }) }),
      {},
      /^scm.settings.plan: force-pushes sends PUT \/rule: what is only shown is done/,
    ],
    [
      'a plan that shows something else',
      quay({ settings: moorings({ shows: 'nothing' }) }),
      {},
      /^scm.settings.set: force-pushes says that it did something else than scm.settings.plan: force-pushes shows/,
    ],
    [
      'a setting that is never sent',
      quay({ settings: moorings({ sends: 'never' }) }),
      {},
      /^scm.settings.set: force-pushes says that it changed something, and sends nothing/,
    ],
    [
      'a setting that is set again and again',
      quay({ settings: moorings({ sends: 'always' }) }),
      {},
      /^scm.settings.set: force-pushes sends PUT \/rule although it has nothing to change/,
    ],
    [
      'a setting that is never seen as it should be',
      quay(),
      { situations: without('the rule is right') },
      /^nothing shows that scm.settings.set: force-pushes leaves alone what is right already/,
    ],
    [
      'a setting that is never seen as it should not be',
      quay(),
      {
        exchanges: fixture.exchanges!.flatMap((one): Exchange[] => {
          if (one.request.path !== '/rule') return [one];
          return one.request.method === 'PUT' ? [] : [{ ...one, answer: { body: { forced: false } } }];
        }),
      },
      /^nothing shows what scm.settings.set: force-pushes sends/,
    ],
    [
      'a setting that there is not',
      quay(),
      { calls: { ...fixture.calls, scm: { ...fixture.calls!.scm!, settings: ['force-pushes', 'tides'] } } },
      /calls.scm.settings: write.settings.checks does not name "tides"/,
    ],
    [
      'a situation of an operation that there is not',
      quay(),
      { situations: changed('one label', { during: 'scm.teams' }) },
      /^the connector has no operation "scm.teams"/,
    ],
  ])('shows %s', async (_name, code, change, issue) => {
    expect((await judge(code, change)).issues).toContainEqual(expect.stringMatching(issue));
  });

  it('shows a field that must be filled and that nothing uses', async () => {
    const fixed = defineConnector({ ...card, credentials, baseUrl: 'https://eu.quay.example/v2' });
    expect((await judge(quay(), {}, fixed as never)).issues).toEqual([
      '"region" must be filled in, and nothing uses it',
    ]);
  });

  it('shows a form that counts as configured without its token', async () => {
    const loose = defineConnector({
      ...card,
      credentials: { ...credentials, required: ['region', 'kind'] },
      baseUrl: 'https://{{region}}.quay.example/v2',
    });
    const { issues } = await judge(quay(), {}, loose as never);
    expect(issues).toEqual([
      expect.stringMatching(/^the form counts as configured without "token", but then check fails/),
    ]);
  });

  it('shows a wait that is forgotten or in another unit', async () => {
    const limited = (retryAfterMs?: number): AnyConnectorCode => ({
      ...quay(),
      check: async ({ http }) => {
        const { status, body } = await http.request({ path: '/me', accept: [420] });
        if (status !== 420) return { identity: readAnswer(User, JSON.parse(decoder.decode(body))).login };
        throw new ConnectorError(
          'rate_limited',
          'Quay is asked too often.',
          retryAfterMs === undefined ? {} : { retryAfterMs },
        );
      },
    });
    const exchanges = [{ request: { path: '/me' }, answer: { status: 420, headers: { 'x-wait': '30' } } }];
    const waits = async (code: AnyConnectorCode, retryAfterSeconds?: number | null) => {
      const wrong = { name: 'a limit', exchanges, code: 'rate_limited' as const };
      const stated = retryAfterSeconds === undefined ? wrong : { ...wrong, retryAfterSeconds };
      const { issues } = await judge(code, { wrong: [stated], situations: without('a server of their own') });
      return issues.filter((issue) => issue.includes('waits'));
    };
    expect(await waits(limited(30_000), 30)).toEqual([]);
    expect(await waits(limited(), null)).toEqual([]);
    expect(await waits(limited(30), 30)).toEqual(['check waits 0.03 s in this case, expected is 30 s']);
    expect(await waits(limited(), 30)).toEqual([
      'check waits as long as the host decides in this case, expected is 30 s',
    ]);
    expect(await waits(limited(30_000))).toEqual(['check waits 30 s in this case, nothing says how long']);
  });
});
