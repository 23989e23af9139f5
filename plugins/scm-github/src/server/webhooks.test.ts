import type { Ctx, Json } from '@breakwater/sdk';
import { refusalOf } from '@breakwater/sdk/testing';
import { expect, it } from 'vitest';
import type { GithubForm } from '../plugin.ts';
import { webhook } from './webhooks.ts';

const ctx = {} as Ctx<GithubForm>;
const HEAD = 'a'.repeat(40);
const of = (event: string, body: Json) => webhook.on(ctx, { event, id: '1', body });
const repository = { id: 7, full_name: 'octo-org/repo' };
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
    head: { ref: 'fix', sha: HEAD, repo: { id: 7 } },
    base: { ref: 'main', sha: HEAD, repo: { id: 7 } },
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

const issue = (action: string, change: Record<string, Json>) => ({
  action,
  repository,
  issue: { number: 5, ...change },
});
const ended = { kind: 'issue', repository: '7', number: 5 };

it.each<[string, string, Json, Json[]]>([
  [
    'an issue that is done',
    'issues',
    issue('closed', { state: 'closed', state_reason: 'completed' }),
    [{ ...ended, action: 'closed' }],
  ],
  ['one closed long ago', 'issues', issue('closed', { state: 'closed' }), [{ ...ended, action: 'closed' }]],
  [
    'one that nobody does',
    'issues',
    issue('closed', { state: 'closed', state_reason: 'not_planned' }),
    [{ ...ended, action: 'declined' }],
  ],
  ['a label of an issue', 'issues', issue('labeled', { state: 'closed', state_reason: 'completed' }), []],
  ['a push', 'push', push({}), [{ kind: 'push', repository: '7', branch: 'fix/a', commit: HEAD }]],
  ['a tag', 'push', push({ ref: 'refs/tags/v1' }), []],
  ['a branch that was deleted', 'push', push({ deleted: true, after: '0'.repeat(40) }), []],
  ['a new pull request', 'pull_request', pull('opened'), [{ ...pulled, action: 'opened' }]],
  ['new commits', 'pull_request', pull('synchronize'), [{ ...pulled, action: 'updated' }]],
  ['opened again', 'pull_request', pull('reopened'), [{ ...pulled, action: 'updated' }]],
  ['merged', 'pull_request', pull('closed', { merged: true }), [{ ...pulled, action: 'merged' }]],
  ['closed', 'pull_request', pull('closed'), [{ ...pulled, action: 'closed' }]],
  ['a label', 'pull_request', pull('labeled'), []],
  [
    'a fork',
    'pull_request',
    pull('opened', { head: { ref: 'fix', sha: HEAD, repo: { id: 8 } } }),
    [{ ...pulled, action: 'opened', isFromFork: true }],
  ],
  [
    'a fork that is gone',
    'pull_request',
    pull('opened', { head: { ref: 'fix', sha: HEAD, repo: null } }),
    [{ ...pulled, action: 'opened', isFromFork: true }],
  ],
  ['a ping', 'ping', { zen: 'Design for failure.' }, []],
])('%s', async (_, event, body, events) => {
  expect(await of(event, body)).toEqual(events);
});

it('does not swallow a delivery that it cannot read', async () => {
  expect((await refusalOf(of('push', { ref: 'refs/heads/main' }))).code).toBe('upstream');
  expect((await refusalOf(of('pull_request', null))).code).toBe('upstream');
  expect((await refusalOf(of('issues', { action: 'closed' }))).code).toBe('upstream');
});
