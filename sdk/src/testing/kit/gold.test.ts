import { describe, expect, it } from 'vitest';
import { ConnectorError, defineConnector, monogram, readAnswer, readManifest, Type, withKeyMark } from '../../index.ts';
import type { Scm } from '../../scm/scm.ts';
import type { AnyConnectorCode } from '../../server.ts';
import type { ConnectorFixture, Exchange } from '../fixtures.ts';
import { checkTheCheck } from './checks/bronze.ts';
import { checkCapabilities } from './checks/capabilities.ts';
import { checkFaultMatrix, playFaults } from './checks/fault-matrix.ts';
import { checkGold } from './checks/gold/gold.ts';
import type { LoadedFolder } from './load-plugin.ts';
import { printReport, reaches } from './print-report.ts';
import { type KitReport, reportOn } from './run-kit.ts';
import { playRecorded } from './service/recorded.ts';
import { openSubject } from './service/subject.ts';

/** Faults that bronze and silver let pass, one for each check of gold. */

const connector = defineConnector({
  id: 'wharf',
  title: 'Wharf',
  category: 'source-control',
  image: monogram('Wh'),
  description: 'Lists repositories and comments on them.',
  documentation: 'https://wharf.example/docs',
  credentials: {
    type: 'object',
    required: ['token'],
    properties: { token: { type: 'string', title: 'Token', writeOnly: true } },
  },
  auth: { type: 'bearer', value: '{{token}}' },
  baseUrl: 'https://api.wharf.example/v1',
  permissions: { egress: ['api.wharf.example'] },
});

const User = Type.Object({ login: Type.String({ minLength: 1 }) });
const Row = Type.Object({ id: Type.String(), name: Type.String() });
const Rows = Type.Object({ items: Type.Array(Row) });

type List = Scm['listRepositories'];
type Rows = readonly { readonly id: string; readonly name: string }[];

const repository = ({ id, name }: Rows[number]) => ({ id, name, url: `https://wharf.example/${name}` });

const CURSOR = { type: 'cursor', cursorAt: 'next', parameter: 'after' } as const;

/** Lists repositories page by page; `take` is what it makes of the rows of one page. */
const listWith = (take: (rows: Rows) => Rows): List =>
  async function* ({ http }) {
    for await (const page of http.pages({ path: '/repositories' }, CURSOR)) {
      yield* take(readAnswer(Rows, page).items).map(repository);
    }
  };

type Comment = NonNullable<Scm['write']>['comment'];

const Notes = Type.Array(Type.Object({ url: Type.String(), body: Type.String() }));

/** Comments once for each key: what the key made is looked for at the service. */
const comment: Comment = async ({ http }, { number, text, idempotencyKey }) => {
  const path = `/issues/${number}/notes`;
  const body = withKeyMark(text, idempotencyKey);
  const known = readAnswer(Notes, await http.json({ path })).find((note) => note.body === body);
  if (known !== undefined) return { url: known.url };
  return { url: readAnswer(Notes, await http.json({ method: 'POST', path, body: { body } }))[0]?.url ?? '' };
};

/** Notes in the store that it is about to comment, and takes that for done the next time. */
const commentNotedBefore: Comment = async (ctx, order) => {
  const isNoted = (await ctx.store.get(order.idempotencyKey)) !== undefined;
  await ctx.store.set(order.idempotencyKey, true);
  const { url } = await comment(ctx, order);
  return isNoted ? { url: `${url}#again` } : { url };
};

/** Comments under another key once the first one did not work out. */
const commentUnderAnotherKey: Comment = async (ctx, order) => {
  const count = Number((await ctx.store.get('tries')) ?? 0);
  await ctx.store.set('tries', count + 1);
  const made = await comment(ctx, { ...order, idempotencyKey: `${order.idempotencyKey}${'x'.repeat(count)}` });
  await ctx.store.delete('tries');
  return made;
};

const refuse = async () => {
  throw new ConnectorError('unsupported', 'Wharf does not know this.');
};
const writing = (own: Comment) => ({
  ...{ createBranch: refuse, commitFiles: refuse, openPullRequest: refuse, openIssue: refuse, setStatus: refuse },
  comment: own,
});

const note = { url: 'https://wharf.example/n/1', body: withKeyMark('Two findings.', 'kit') };
const NOTES = '/issues/7/notes';
/** A comment that was recorded, and what the service says once it is there. */
const commented = (): Partial<ConnectorFixture> => ({
  exchanges: [
    ...(fixture.exchanges ?? []),
    { request: { path: NOTES }, answer: { body: [] } },
    { request: { method: 'POST', path: NOTES, body: { body: note.body } }, answer: { body: [note] } },
  ],
  expect: { ...fixture.expect, 'scm.comment': { url: note.url } },
  calls: { scm: { repository: '1', write: { comment: { number: 7, text: 'Two findings.' } } } },
  situations: [
    {
      name: 'the comment is there',
      during: 'scm.comment',
      isRepeated: true,
      exchanges: [{ request: { path: NOTES }, answer: { body: [note] } }],
      expect: { url: note.url },
    },
  ],
});

interface Variant {
  list?: List;
  comment?: Comment;
}

const wharf = ({ list = listWith((rows) => rows), comment: own }: Variant = {}): AnyConnectorCode => ({
  check: async ({ http }) => ({ identity: readAnswer(User, await http.json({ path: '/me' })).login }),
  scm: {
    user: async ({ http }) => ({ name: readAnswer(User, await http.json({ path: '/me' })).login }),
    listRepositories: list,
    async *listBranches({ http }) {
      const { items } = readAnswer(Rows, await http.json({ path: '/branches' }));
      yield* items.map(({ id, name }) => ({ name, commit: id }));
    },
    ...(own === undefined ? {} : { write: writing(own) }),
  },
});

const page = (items: Rows, { after, next }: { after?: string; next?: string }): Exchange => ({
  request: { path: '/repositories', ...(after === undefined ? {} : { query: { after } }) },
  answer: { body: { items: [...items], ...(next === undefined ? {} : { next }) } },
});
const rows = (...names: string[]) => names.map((name) => ({ id: `id-${name}`, name }));

const fixture: ConnectorFixture = {
  addresses: { baseUrl: 'https://api.wharf.example/v1' },
  signature: { authorization: 'Bearer {{token}}' },
  exchanges: [
    { request: { path: '/me' }, answer: { body: { login: 'ada' } } },
    page(rows('pier', 'quay'), { next: 'b' }),
    page(rows('dock', 'mole'), { after: 'b' }),
    { request: { path: '/branches' }, answer: { body: { items: [{ id: 'a', name: 'main' }] } } },
  ],
  expect: {
    check: { identity: 'ada' },
    'scm.user': { name: 'ada' },
    'scm.listRepositories': rows('pier', 'quay', 'dock', 'mole').map(repository),
    'scm.listBranches': [{ name: 'main', commit: 'a' }],
  },
  calls: { scm: { repository: '1' } },
};

/** What silver says of the connector, and what gold does; the slow parts of silver are left out. */
async function judge(code: AnyConnectorCode, change: Partial<ConnectorFixture> = {}) {
  const given = { ...fixture, ...change };
  const subject = await openSubject({ connector, code, fixture: given, folder: import.meta.dirname });
  const recorded = await playRecorded(subject);
  const silver = [
    await checkTheCheck(subject, recorded, new Map()),
    await checkCapabilities(subject, recorded),
    checkFaultMatrix(await playFaults(subject, recorded), recorded),
  ];
  const gold = await checkGold(subject, recorded);
  return {
    silver: silver.flatMap(({ issues }) => issues.map(({ what }) => what)),
    gold: gold.flatMap(({ name, issues }) => issues.map(({ what }) => `${name}: ${what}`)),
    notApplicable: Object.fromEntries(gold.map(({ name, notApplicable }) => [name, notApplicable])),
  };
}

function report(code: AnyConnectorCode, upTo: 'silver' | 'gold'): Promise<KitReport> {
  const loaded: LoadedFolder = {
    plugin: readManifest({ id: 'wharf', version: '1.0.0', connectors: [connector] }),
    parsers: [],
    server: { pluginId: 'wharf', connectors: { wharf: code } },
    fixtures: { connectors: { wharf: fixture } },
    entries: [],
    issues: [],
  };
  return reportOn(import.meta.dirname, loaded, { upTo });
}

/** Ids that are counted on in the store of the connection. */
const counting: List = async function* (ctx) {
  for await (const { id, ...rest } of listWith((all) => all)(ctx)) {
    const count = Number((await ctx.store.get('count')) ?? 0) + 1;
    await ctx.store.set('count', count);
    yield { ...rest, id: count <= 4 ? id : `${id}-${count}` };
  }
};

/** Only what is new since the last time, by the clock. */
const onlyNew: List = async function* (ctx) {
  const last = Number((await ctx.store.get('last')) ?? Number.POSITIVE_INFINITY);
  await ctx.store.set('last', ctx.now().getTime());
  for await (const one of listWith((all) => all)(ctx)) if (ctx.now().getTime() <= last) yield one;
};

describe('gold', () => {
  it('is given to a sound connector; what does not apply is told, and is no pass', async () => {
    const sound = await report(wharf(), 'gold');
    expect(sound.connectors.flatMap(({ checks }) => checks.flatMap(({ issues }) => issues))).toEqual([]);
    expect(sound.connectors).toMatchObject([{ tier: 'gold', goldNotApplicable: null }]);
    expect(['bronze', 'silver', 'gold'].map((tier) => reaches(sound, tier as 'gold'))).toEqual([true, true, true]);
    expect(printReport(sound)).toContain('1 connectors: 1 gold, 0 silver, 0 bronze');
  });

  it('is not given where it was not tried, or where one of its checks fails', async () => {
    const untried = await report(wharf(), 'silver');
    expect(untried).toMatchObject({ tried: 'silver', connectors: [{ tier: 'silver' }] });
    expect(reaches(untried, 'gold')).toBe(false);
    const failing = await report(wharf({ list: counting }), 'gold');
    expect(failing.connectors).toMatchObject([{ tier: 'silver', goldNotApplicable: null }]);
    expect([reaches(failing, 'silver'), reaches(failing, 'gold')]).toEqual([true, false]);
    expect(printReport(failing)).toContain('✗ wharf, gold, identities: scm.listRepositories does not give');
  });

  it.each<[string, AnyConnectorCode, Partial<ConnectorFixture>, RegExp]>([
    [
      'ids that are counted on from sync to sync',
      wharf({ list: counting }),
      {},
      /^identities: scm.listRepositories does not give the same identities twice: 4 of 4 are gone, 4 are new, /,
    ],
    [
      'the last row of each page that is lost',
      wharf({ list: listWith((all) => (all.length > 1 ? all.slice(0, -1) : all)) }),
      { expect: { ...fixture.expect, 'scm.listRepositories': rows('pier', 'dock').map(repository) } },
      /^page sizes: scm.listRepositories gives other records .*: 1 are new, 0 are gone, the first is .*quay/,
    ],
    [
      'an empty list that ends with a crash',
      wharf({ list: listWith(([first, ...others]) => [{ id: first!.id, name: first!.name }, ...others]) }),
      {},
      /^page sizes: scm.listRepositories crashes with TypeError.* when a list is short/,
    ],
    [
      'a list of one that is read otherwise',
      wharf({ list: listWith((all) => (all.length > 1 ? all : all.map(({ id }) => ({ id, name: id })))) }),
      {},
      /^page sizes: scm.listRepositories gives other records .*: 1 are new/,
    ],
    [
      'a list that holds only what is new since the last time',
      wharf({ list: onlyNew }),
      {},
      /^identities: scm.listRepositories does not give the same identities twice: 4 of 4 are gone, 0 are new, /,
    ],
    [
      'a comment that is noted before it is made',
      wharf({ comment: commentNotedBefore }),
      commented(),
      /^lost answers: scm.comment answers otherwise when it is tried again: .*#again/,
    ],
    [
      'a comment under another key after an error',
      wharf({ comment: commentUnderAnotherKey }),
      commented(),
      /^lost answers: scm.comment .*when it is tried again/,
    ],
  ])('shows %s, which silver does not', async (_name, code, change, issue) => {
    const { silver, gold } = await judge(code, change);
    expect(silver).toEqual([]);
    expect(gold).toEqual([expect.stringMatching(issue)]);
  });

  it('does not ask for identities of what lists nothing', async () => {
    const { check } = wharf();
    const { notApplicable } = await judge({ ...(check ? { check } : {}) }, { calls: {} });
    expect(notApplicable).toMatchObject({
      identities: 'it lists nothing that has an identity',
      'page sizes': 'no list was recorded over two pages that could be recognised',
      'lost answers': 'no write with its repetition was recorded',
    });
  });

  it('wants at least one write of a connector that offers them', async () => {
    const { gold } = await judge(wharf({ comment }), { calls: { scm: { repository: '1' } } });
    expect(gold).toEqual(['lost answers: it offers writes, and none was recorded with its repetition']);
  });

  it('takes what a page repeats of the one before it for one item', async () => {
    const once: List = async function* ({ http }) {
      let last: readonly string[] = [];
      for await (const part of http.pages({ path: '/repositories' }, CURSOR)) {
        const { items } = readAnswer(Rows, part);
        const known = last;
        yield* items.filter(({ id }) => !known.includes(id)).map(repository);
        last = items.map(({ id }) => id);
      }
    };
    const overlapping = {
      exchanges: [
        { request: { path: '/me' }, answer: { body: { login: 'ada' } } },
        page(rows('pier', 'quay'), { next: 'b' }),
        page(rows('quay', 'dock'), { after: 'b' }),
        { request: { path: '/branches' }, answer: { body: { items: [{ id: 'a', name: 'main' }] } } },
      ],
      expect: { ...fixture.expect, 'scm.listRepositories': rows('pier', 'quay', 'dock').map(repository) },
    };
    const { gold } = await judge(wharf({ list: once }), overlapping);
    expect(gold).toEqual([]);
  });

  it('passes a comment that looks for what its key made', async () => {
    const { silver, gold, notApplicable } = await judge(wharf({ comment }), commented());
    expect([silver, gold, notApplicable['lost answers']]).toEqual([[], [], undefined]);
  });
});
