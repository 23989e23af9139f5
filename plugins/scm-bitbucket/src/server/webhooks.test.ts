import type { Json } from '@breakwater/sdk';
import { refusalOf } from '@breakwater/sdk/testing';
import { expect, it } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { openFake } from './testing/open-fake.ts';

const { scm, webhook } = server.connectors['bitbucket_cloud']!;
const write = scm!.write!;
const uuid = '{00000000-3574-44ea-bb41-89e8638bcca4}';
const repository = `acme/${uuid}`;
const hook = {
  repository,
  url: 'https://breakwater.example/hooks/1',
  secret: 's1',
  events: ['push'],
  idempotencyKey: 'h',
} as const;

async function open() {
  const opened = await openFake(plugin.connectors[0]);
  const target = opened.fake.repositories.find((one) => one.workspace === 'acme' && one.slug === 'repo-0')!;
  return { ...opened, target };
}

it('makes one hook for one address, brings it up to date, and deletes it once', async () => {
  const { ctx, target, service } = await open();
  const { id } = await write.createWebhook!(ctx, hook);
  const both = { ...hook, secret: 's2', events: ['push', 'pull-request', 'issue'] } as const;
  expect(await write.createWebhook!(ctx, both)).toEqual({ id });
  expect([...target.hooks.values()]).toEqual([
    expect.objectContaining({
      active: true,
      events: expect.arrayContaining(['repo:push', 'pullrequest:created', 'issue:updated']),
    }),
  ]);
  expect(service.requests.flatMap(({ body }) => /"secret":"(\w+)"/.exec(body)?.[1] ?? [])).toEqual(['s1', 's2']);
  await write.deleteWebhook!(ctx, { repository, id });
  await write.deleteWebhook!(ctx, { repository, id });
  expect(target.hooks.size).toBe(0);
});

it('says what the token needs to make hooks', async () => {
  const { ctx, target } = await open();
  target.right = 'write';
  const removed = await refusalOf(write.deleteWebhook!(ctx, { repository, id: '{1}' }));
  expect(removed).toMatchObject({ code: 'scope', help: expect.stringContaining('"webhook"') });
  const made = await refusalOf(write.createWebhook!(ctx, hook));
  expect(made).toMatchObject({ code: 'scope', help: expect.stringContaining('"webhook"') });
});

const about = { uuid, full_name: 'Acme/repo-0', type: 'repository' };
const change = (after: Json): Json => ({ repository: about, push: { changes: [{ old: null, new: after }] } });
const issue = (old: string, now: string): Json => ({
  repository: about,
  issue: { id: 6, state: now },
  changes: { status: { old, new: now } },
});
const tip = { type: 'branch', name: 'feature/ü', target: { type: 'commit', hash: 'b'.repeat(40) } };

/** After the examples of Bitbucket Cloud, "Event payloads". */
it.each<[string, string, Json, object[]]>([
  ['a push', 'repo:push', change(tip), [{ kind: 'push', repository, branch: 'feature/ü', commit: 'b'.repeat(40) }]],
  ['a deleted branch', 'repo:push', change(null), []],
  ['a tag', 'repo:push', change({ ...tip, type: 'tag' }), []],
  ['a fork', 'repo:fork', {}, []],
  [
    'an issue that is resolved',
    'issue:updated',
    issue('open', 'resolved'),
    [{ kind: 'issue', repository, number: 6, action: 'closed' }],
  ],
  [
    'one that nobody does',
    'issue:updated',
    issue('new', 'wontfix'),
    [{ kind: 'issue', repository, number: 6, action: 'declined' }],
  ],
  ['one that was at its end before', 'issue:updated', issue('resolved', 'closed'), []],
  ['a new title of an issue', 'issue:updated', { repository: about, issue: { id: 6 }, changes: {} }, []],
])('knows %s', async (_, event, body, events) => {
  const { ctx } = await open();
  expect(await webhook!.on(ctx, { event, id: '1', body })).toEqual(events);
});

const pullRequest = (hash: string, from: Json): Json => ({
  repository: about,
  pullrequest: {
    id: 7,
    source: { branch: { name: 'fix' }, commit: { hash }, repository: from },
    destination: { branch: { name: 'main' }, commit: { hash: 'd'.repeat(12) }, repository: about },
  },
});

it.each([
  ['pullrequest:created', 'opened'],
  ['pullrequest:updated', 'updated'],
  ['pullrequest:fulfilled', 'merged'],
  ['pullrequest:rejected', 'closed'],
])('knows %s, and the whole hash of its commit', async (event, action) => {
  const { ctx, target } = await open();
  const commit = (await (await target.git()).resolve('main'))!;
  const body = pullRequest(commit.slice(0, 12), { uuid, full_name: 'acme/repo-0' });
  expect(await webhook!.on(ctx, { event, id: '1', body })).toEqual([
    { kind: 'pull-request', repository, number: 7, branch: 'fix', commit, into: 'main', isFromFork: false, action },
  ]);
});

it.each<[string, Json]>([
  ['a fork that may not be seen', { uuid: '{99}', full_name: 'other/fork' }],
  ['a fork that is gone', null],
])('keeps the short hash of %s', async (_, from) => {
  const { ctx, service } = await open();
  const body = pullRequest('c'.repeat(12), from);
  const [event] = (await webhook!.on(ctx, { event: 'pullrequest:created', id: '1', body })) ?? [];
  expect(event).toMatchObject({ commit: 'c'.repeat(12), isFromFork: true });
  expect(service.requests).toEqual([]);
});

it('keeps the short hash of a commit that is gone, and says so where a right to read it is missing', async () => {
  const { ctx } = await open();
  const delivery = { event: 'pullrequest:rejected', id: '1', body: pullRequest('c'.repeat(12), about) };
  expect((await webhook!.on(ctx, delivery))?.[0]).toMatchObject({ commit: 'c'.repeat(12), isFromFork: false });
  const { ctx: lacking } = await openFake(plugin.connectors[0], { scopes: ['account'] });
  const refused = webhook!.on(lacking, delivery);
  expect((await refusalOf(refused.then(() => undefined))).code).toBe('scope');
});

it('refuses a delivery that cannot be read', async () => {
  const { ctx } = await open();
  const read = webhook!.on(ctx, { event: 'repo:push', id: '1', body: {} });
  expect(await refusalOf(read.then(() => undefined))).toMatchObject({ code: 'upstream' });
});
