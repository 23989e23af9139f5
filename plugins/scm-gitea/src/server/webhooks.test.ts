import type { Ctx, Json } from '@breakwater/sdk';
import { refusalOf } from '@breakwater/sdk/testing';
import { expect, it } from 'vitest';
import type { GiteaForm } from '../plugin.ts';
import { webhook } from './webhooks.ts';

const ctx = {} as Ctx<GiteaForm>;
const HEAD = 'a'.repeat(40);
const of = (event: string, body: Json) => webhook.on(ctx, { event, id: '1', body });
const repository = { id: 7, full_name: 'acme/repo' };
const push = (change: Record<string, Json>) => ({
  ref: 'refs/heads/fix/a',
  before: HEAD,
  after: HEAD,
  repository,
  deleted: false,
  ...change,
});
const pull = (action: string, change: Record<string, Json> = {}) => ({
  action,
  number: 3,
  repository,
  pull_request: {
    head: { ref: 'fix', sha: HEAD, repo_id: 7 },
    base: { ref: 'main', sha: HEAD, repo_id: 7 },
    merged: false,
    ...change,
  },
});
const pulled = {
  kind: 'pull-request',
  repository: '7',
  number: 3,
  branch: 'fix',
  commit: HEAD,
  into: 'main',
  isFromFork: false,
};

it.each<[string, string, Json, Json[]]>([
  ['a push', 'push', push({}), [{ kind: 'push', repository: '7', branch: 'fix/a', commit: HEAD }]],
  ['a tag', 'push', push({ ref: 'refs/tags/v1' }), []],
  ['a branch that was deleted', 'push', push({ after: '0'.repeat(40) }), []],
  ['a new pull request', 'pull_request', pull('opened'), [{ ...pulled, action: 'opened' }]],
  ['new commits', 'pull_request', pull('synchronized'), [{ ...pulled, action: 'updated' }]],
  ['opened again', 'pull_request', pull('reopened'), [{ ...pulled, action: 'updated' }]],
  ['merged', 'pull_request', pull('closed', { merged: true }), [{ ...pulled, action: 'merged' }]],
  ['closed', 'pull_request', pull('closed'), [{ ...pulled, action: 'closed' }]],
  ['a label', 'pull_request', pull('label_updated'), []],
  [
    'a fork',
    'pull_request',
    pull('opened', { head: { ref: 'fix', sha: HEAD, repo_id: 8 } }),
    [{ ...pulled, action: 'opened', isFromFork: true }],
  ],
  [
    'a fork that is gone',
    'pull_request',
    pull('opened', { head: { ref: 'fix', sha: HEAD } }),
    [{ ...pulled, action: 'opened', isFromFork: true }],
  ],
  [
    'an issue that is closed',
    'issues',
    { action: 'closed', number: 5, repository },
    [{ kind: 'issue', repository: '7', number: 5, action: 'closed' }],
  ],
  ['an issue that is opened again', 'issues', { action: 'reopened', number: 5, repository }, []],
  ['a comment', 'issue_comment', { action: 'created' }, []],
])('%s', async (_, event, body, events) => {
  expect(await of(event, body)).toEqual(events);
});

it('does not swallow a delivery that it cannot read', async () => {
  expect((await refusalOf(of('push', { ref: 'refs/heads/main' }))).code).toBe('upstream');
  expect((await refusalOf(of('pull_request', null))).code).toBe('upstream');
  expect((await refusalOf(of('issues', { action: 'closed' }))).code).toBe('upstream');
});
