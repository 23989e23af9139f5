import type { Json } from '@breakwater/sdk';
import { refusalOf } from '@breakwater/sdk/testing';
import { expect, it } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { openFake } from './testing/open-fake.ts';
import { ROLE } from './testing/state.ts';

const { scm, webhook } = server.connectors['gitlab']!;
const write = scm!.write!;
const hook = {
  repository: '1',
  url: 'https://breakwater.example/hooks/1',
  secret: 's1',
  events: ['push'],
  idempotencyKey: 'h',
} as const;

it('makes one hook for one address, brings it up to date, and deletes it once', async () => {
  const { ctx, fake, service } = await openFake(plugin.connectors[0]);
  const { hooks } = fake.repositories[0]!;
  const { id } = await write.createWebhook!(ctx, hook);
  expect(await write.createWebhook!(ctx, { ...hook, secret: 's2', events: ['push', 'pull-request', 'issue'] })).toEqual(
    { id },
  );
  expect([...hooks.values()]).toEqual([
    expect.objectContaining({
      push_events: true,
      merge_requests_events: true,
      issues_events: true,
      enable_ssl_verification: true,
    }),
  ]);
  expect(service.requests.flatMap(({ body }) => /"token":"(\w+)"/.exec(body)?.[1] ?? [])).toEqual(['s1', 's2']);
  await write.deleteWebhook!(ctx, { repository: '1', id });
  await write.deleteWebhook!(ctx, { repository: '1', id });
  expect(hooks.size).toBe(0);
});

it('says which role may make hooks', async () => {
  const { ctx, fake } = await openFake(plugin.connectors[0]);
  fake.repositories[0]!.role = ROLE.developer;
  expect(await refusalOf(write.deleteWebhook!(ctx, { repository: '1', id: '1' }))).toMatchObject({
    code: 'scope',
    help: expect.stringContaining('Maintainer'),
  });
  expect(await refusalOf(write.createWebhook!(ctx, hook))).toMatchObject({
    code: 'scope',
    help: expect.stringContaining('Maintainer'),
  });
});

/** After the examples of GitLab, "Webhook events". */
const push = (fields: object): Json => ({
  object_kind: 'push',
  event_name: 'push',
  project_id: 15,
  ref: 'refs/heads/feature/ü',
  before: 'a'.repeat(40),
  after: 'b'.repeat(40),
  ...fields,
});
const request = (fields: object): Json => ({
  object_kind: 'merge_request',
  project: { id: 15, name: 'Test' },
  object_attributes: {
    iid: 16,
    action: 'open',
    source_branch: 'fix',
    target_branch: 'main',
    source_project_id: 15,
    target_project_id: 15,
    last_commit: { id: 'c'.repeat(40) },
    ...fields,
  },
});
const issue = (action: string) => ({
  object_kind: 'issue',
  project: { id: 15 },
  object_attributes: { iid: 23, id: 301, action, state: 'x' },
});
const changed = {
  kind: 'pull-request',
  repository: '15',
  number: 16,
  branch: 'fix',
  commit: 'c'.repeat(40),
  into: 'main',
  isFromFork: false,
};

it.each<[string, string, Json, object[]]>([
  ['a push', 'Push Hook', push({}), [{ kind: 'push', repository: '15', branch: 'feature/ü', commit: 'b'.repeat(40) }]],
  ['a deleted branch', 'Push Hook', push({ after: '0'.repeat(40) }), []],
  ['a tag', 'Push Hook', push({ ref: 'refs/tags/v1' }), []],
  ['a new merge request', 'Merge Request Hook', request({}), [{ ...changed, action: 'opened' }]],
  [
    'new commits',
    'Merge Request Hook',
    request({ action: 'update', oldrev: 'd'.repeat(40) }),
    [{ ...changed, action: 'updated' }],
  ],
  ['a new title', 'Merge Request Hook', request({ action: 'update' }), []],
  [
    'one that is opened again',
    'Merge Request Hook',
    request({ action: 'reopen' }),
    [{ ...changed, action: 'updated' }],
  ],
  ['a merge', 'Merge Request Hook', request({ action: 'merge' }), [{ ...changed, action: 'merged' }]],
  ['one that is closed', 'Merge Request Hook', request({ action: 'close' }), [{ ...changed, action: 'closed' }]],
  ['an approval', 'Merge Request Hook', request({ action: 'approved' }), []],
  [
    'one of a fork',
    'Merge Request Hook',
    request({ source_project_id: 99 }),
    [{ ...changed, isFromFork: true, action: 'opened' }],
  ],
  [
    'an issue that is closed',
    'Issue Hook',
    issue('close'),
    [{ kind: 'issue', repository: '15', number: 23, action: 'closed' }],
  ],
  ['an issue that is opened', 'Issue Hook', issue('open'), []],
  [
    'a task that is closed, which GitLab delivers as an issue',
    'Issue Hook',
    { ...issue('close'), object_kind: 'work_item', event_type: 'work_item' },
    [{ kind: 'issue', repository: '15', number: 23, action: 'closed' }],
  ],
  ['a note', 'Note Hook', { object_kind: 'note' }, []],
])('knows %s', async (_, event, body, events) => {
  const { ctx } = await openFake(plugin.connectors[0]);
  expect(await webhook!.on(ctx, { event, id: '1', body })).toEqual(events);
});

it('refuses a delivery that cannot be read', async () => {
  const { ctx } = await openFake(plugin.connectors[0]);
  const read = webhook!.on(ctx, { event: 'Push Hook', id: '1', body: { object_kind: 'push' } });
  expect(await refusalOf(read.then(() => undefined))).toMatchObject({ code: 'upstream' });
});
