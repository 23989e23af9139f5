import { gzipSync } from 'node:zlib';
import { createEgressGate } from '@breakwater/sdk/host';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { epssFile, type FeedServer, kevFile, startFeedServer } from '../../testing/feed-server.ts';
import type { FeedSource } from '../model/feeds.ts';
import { enqueueDueFeeds } from './feed-jobs.ts';
import { loadReferenceData } from './feeds/reference-data.ts';
import { type RefreshDeps, refreshFeed } from './feeds/refresh-feed.ts';
import { checkFeed, feedInUse, replaceFeed } from './feeds/replace-feed.ts';

let it: TestDatabase;
let feed: FeedServer;
let deps: RefreshDeps;
const gate = createEgressGate({ allowPrivateHosts: false });

beforeAll(async () => {
  it = await createTestDatabase();
  feed = await startFeedServer();
  const addresses = new Map<FeedSource, URL>([
    ['epss', feed.address],
    ['kev', feed.address],
  ]);
  deps = { database: it.database, gate, log: pino({ level: 'silent' }), addresses };
});
afterAll(async () => {
  await gate.close();
  await feed.close();
  await it.drop();
});
beforeEach(async () => {
  await it.owner.query('delete from reference_feeds; delete from job_state');
  feed.asked.length = 0;
});

const SCORES = { 'CVE-2026-0001': 0.25, 'CVE-2026-12345': 0.5, 'CVE-2023-44487': 0.75 };
const good = epssFile('2026-11-20', SCORES);
const refresh = (source: FeedSource = 'epss') => refreshFeed(deps, source, new AbortController().signal);
const inUse = (source: FeedSource = 'epss') => it.database.forIdentity((db) => feedInUse(db, source));
const reference = () => it.database.forIdentity((db) => loadReferenceData((text) => sql.raw(text).execute(db)));
const check = async () =>
  (await it.owner.query(`select state from job_state where job = 'reference.refresh'`)).rows[0]?.state;

test('without a feed the delivered data is in use', async () => {
  expect(await inUse()).toMatchObject({ origin: 'delivered', date: '2026-08-22', entries: 1556 });
  expect(await inUse('kev')).toMatchObject({ origin: 'delivered', date: '2026-07-23', entries: 1653 });
  expect((await reference()).version).toBe(0);
});

test('a good file of each source replaces the data, for the other source nothing changes', async () => {
  feed.reply({ body: good, headers: { etag: '"one"' } });
  expect(await refresh()).toBe(true);
  expect(await inUse()).toMatchObject({ origin: 'feed', date: '2026-11-20', model: 'v2025.03.14', entries: 3 });
  const data = await reference();
  expect(data.epss('cve-2026-12345')).toEqual({ probability: 0.5, percentile: 0.5, date: '2026-11-20' });
  expect(data.epss('CVE-2002-0367')).toBeUndefined();
  expect(data.kev('CVE-2023-44487')?.dateAdded).toBe('2023-10-10');
  expect(data).toMatchObject({ version: 1, epssModel: 'v2025.03.14', kevDate: '2026-07-23' });
  feed.reply({ body: kevFile('2026-11-21', ['CVE-2026-0001']) });
  expect(await refresh('kev')).toBe(true);
  const next = await reference();
  expect(next.version).toBe(2);
  expect(next.kev('CVE-2026-0001')?.dateAdded).toBe('2026-11-21');
  expect(next.epss('CVE-2026-12345')?.probability).toBe(0.5);
});

test('the address is kept and shown without what may be a key', async () => {
  feed.reply({ body: good });
  await refresh();
  expect((await inUse()).name).not.toContain('hidden');
  expect((await check()).address).not.toContain('hidden');
});

test('what did not change is not sent again, and a file uploaded since is replaced nevertheless', async () => {
  feed.reply({ body: good, headers: { etag: '"one"', 'last-modified': 'Fri, 20 Nov 2026 12:55:00 GMT' } });
  await refresh();
  feed.reply({ status: 304 });
  expect(await refresh()).toBe(false);
  expect(feed.asked[1]).toMatchObject({
    'if-none-match': '"one"',
    'if-modified-since': 'Fri, 20 Nov 2026 12:55:00 GMT',
  });
  expect(await check()).toMatchObject({ failure: null, etag: '"one"' });
  expect((await inUse()).date).toBe('2026-11-20');
  const uploaded = await checkFeed('epss', epssFile('2026-10-01', SCORES));
  expect(await replaceFeed(it.database, uploaded, { origin: 'file', name: 'mine.csv' })).toBe(true);
  feed.reply({ body: good });
  expect(await refresh()).toBe(true);
  expect(feed.asked[2]).not.toHaveProperty('if-none-match');
});

test('a file of many lines with Windows ends is read whole, whatever the order of its columns', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => `0.5,CVE-2026-${10_000 + index},${index / 2_500}`);
  const text = ['#score_date:2026-11-20', 'percentile,cve,epss', ...rows, ''].join('\r\n');
  expect(await checkFeed('epss', Buffer.from(text))).toMatchObject({ entries: 2_500, date: '2026-11-20' });
  await replaceFeed(it.database, await checkFeed('epss', Buffer.from(text)), { origin: 'file', name: 'x' });
  expect((await reference()).epss('CVE-2026-12250')).toMatchObject({ probability: 0.9, percentile: 0.5 });
});

test('the same file again is no replacement', async () => {
  feed.reply({ body: good });
  expect(await refresh()).toBe(true);
  expect(await refresh()).toBe(false);
  expect((await reference()).version).toBe(1);
});

const lines = (text: string) => `#score_date:2026-11-21\ncve,epss,percentile\n${text}`;
test.each<[string, FeedSource, Parameters<FeedServer['reply']>[0], RegExp]>([
  ['gzip cut off', 'epss', { body: good.subarray(0, good.length - 20) }, /cannot be unpacked/],
  ['a connection cut off', 'epss', { body: good, cutAfter: 40 }, /could not be read/],
  ['text cut off', 'epss', { body: lines('CVE-2026-0001,0.1,0.1\nCVE-2026-0002,0.1,0.') }, /middle of a line/],
  ['a value out of range', 'epss', { body: lines('CVE-2026-0001,0.1,0.1\nCVE-2026-0002,1.1,0.1\n') }, /^Line 4 /],
  ['a CVE twice', 'epss', { body: lines('CVE-2026-0001,0.1,0.1\nCVE-2026-0001,0.2,0.1\n') }, /second time/],
  ['no date', 'epss', { body: 'cve,epss,percentile\nCVE-2026-0001,0.1,0.1\n' }, /names no date/],
  ['a page', 'epss', { body: '<html>Sign in</html>\n' }, /not an EPSS file/],
  ['nothing', 'epss', { body: '' }, /empty/],
  ['no scores', 'epss', { body: lines('') }, /no scores/],
  ['status 404', 'epss', { status: 404, body: 'gone' }, /status 404/],
  ['a bomb', 'epss', { body: gzipSync(Buffer.alloc(140 * 1024 * 1024)) }, /larger than 128 MB/],
  ['a huge answer', 'epss', { body: Buffer.alloc(65 * 1024 * 1024) }, /larger than 64 MB/],
  ['an older file', 'epss', { body: epssFile('2026-01-01', SCORES) }, /older than the data in use/],
  ['a circle', 'epss', { status: 302, headers: { location: '/feed' } }, /on and on/],
  ['a way into the house', 'epss', { status: 302, headers: { location: 'http://169.254.169.254/' } }, /never called/],
  ['JSON cut off', 'kev', { body: kevFile('2026-11-21', ['CVE-2026-0001']).slice(0, -5) }, /not JSON/],
  ['other JSON', 'kev', { body: '{"vulnerabilities":[{"cve":"x"}]}' }, /not the catalogue/],
  [
    'a wrong count',
    'kev',
    { body: kevFile('2026-11-21', ['CVE-2026-0001']).replace('"count":1', '"count":2') },
    /holds 1/,
  ],
  ['no entries', 'kev', { body: kevFile('2026-11-21', []) }, /no vulnerabilities/],
])('%s changes nothing and says why', async (_what, source, reply, reason) => {
  const before = await inUse(source);
  feed.reply(reply);
  expect(await refresh(source)).toBe(false);
  expect(await inUse(source)).toEqual(before);
  expect((await check()).failure).toMatch(reason);
  expect((await check()).failure).not.toContain('hidden');
});

test('a file that lost most of its entries is not believed, unless somebody uploads it', async () => {
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`CVE-2026-${1000 + index}`, 0.1]));
  feed.reply({ body: epssFile('2026-11-20', many) });
  await refresh();
  feed.reply({ body: epssFile('2026-11-21', SCORES) });
  expect(await refresh()).toBe(false);
  expect((await check()).failure).toMatch(/cut off/);
  const file = await checkFeed('epss', epssFile('2026-11-21', SCORES));
  expect(await replaceFeed(it.database, file, { origin: 'file', name: 'mine.csv' })).toBe(true);
});

test('a feed is asked daily, an hour after a failure, and at once when its address is new', async () => {
  const enqueued: object[] = [];
  const jobs = {
    enqueue: async (_db: unknown, _job: unknown, data: object) => {
      enqueued.push(data);
      return 'id';
    },
  };
  const due = (addresses = deps.addresses) => enqueueDueFeeds({ ...deps, addresses, jobs });
  expect(await due(new Map())).toEqual([]);
  expect(await due()).toEqual(['epss', 'kev']);
  feed.reply({ body: good });
  await refresh();
  expect(await due()).toEqual(['kev']);
  const age = (hours: number) =>
    it.owner.query(`update job_state set due_at = due_at - make_interval(hours => $1)`, [hours]);
  await age(23);
  expect(await due()).toEqual(['kev']);
  expect(await due(new Map([['epss', new URL('/other', feed.address)]]))).toEqual(['epss']);
  await age(25);
  expect(await due()).toEqual(['epss', 'kev']);
  feed.reply({ status: 500 });
  await refresh();
  expect(await due()).toEqual(['kev']);
  await age(2);
  expect(await due()).toEqual(['epss', 'kev']);
  expect(enqueued).toContainEqual({ source: 'epss' });
});

test('two replacements at once get two versions', async () => {
  const [epss, kev] = await Promise.all([
    checkFeed('epss', good),
    checkFeed('kev', Buffer.from(kevFile('2026-11-21', ['CVE-2026-0001']))),
  ]);
  await Promise.all([epss, kev].map((one) => replaceFeed(it.database, one, { origin: 'file', name: 'x' })));
  const { rows } = await it.owner.query('select version from reference_feeds order by version');
  expect(rows.map((row) => Number(row.version))).toEqual([1, 2]);
});

test('no client may write the data of all', async () => {
  const client = await it.owner.query(`insert into clients (organization_name) values ('A') returning id`);
  const write = it.database.forClient(client.rows[0].id, (db) =>
    sql`insert into job_state (job, key) values ('reference.refresh', 'epss')`.execute(db),
  );
  await expect(write).rejects.toThrow(/row-level security/);
});
