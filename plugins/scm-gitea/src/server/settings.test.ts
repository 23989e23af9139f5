import { openTestConnection, refusalOf, setAll, startTestService } from '@breakwater/sdk/testing';
import { expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { createFakeGitea, type FakeGiteaOptions } from './testing/fake-gitea.ts';

const TOKEN = 'made-for-tests-only';
const values = { oauth_token: TOKEN, protocol: 'https', hosted_domain: 'gitea.example.com', port: 443 };
const scm = server.connectors['gitea']!.scm!;
const settings = scm.write!.settings!;

async function open(options: Partial<FakeGiteaOptions> = {}) {
  const gitea = createFakeGitea({ token: TOKEN, ...options });
  const service = await startTestService(gitea.answer);
  onTestFinished(async () => {
    await service.close();
    await gitea.close();
  });
  const ctx = openTestConnection(plugin.connectors[0], { values, baseUrl: service.url });
  return { gitea, ctx, repository: gitea.repositories[0]! };
}

it('makes each setting right, and shows beforehand what it changes', async () => {
  const { ctx, repository } = await open();
  const outcomes = await setAll(scm, ctx, '1');
  expect(outcomes['branch-protection']).toEqual({
    ...{ before: 'at-risk', isAsPlanned: true, after: 'ok', left: 0 },
    planned: [
      { setting: 'Protection of "main"', from: 'none', to: 'a rule of its own' },
      { setting: 'Direct pushes to "main"', from: 'by all who may write', to: 'by nobody: by pull request' },
    ],
  });
  expect(Object.values(outcomes)).toHaveLength(4);
  for (const { isAsPlanned, after, left } of Object.values(outcomes))
    expect({ isAsPlanned, after, left }).toEqual({ isAsPlanned: true, after: 'ok', left: 0 });
  expect(repository.protection).toEqual({ enable_push: false, required_approvals: 1, require_signed_commits: true });
});

it('leaves what a rule asks for besides as it is', async () => {
  const { ctx, repository } = await open();
  repository.protection = { enable_push: true, required_approvals: 2, require_signed_commits: false };
  expect(await settings.plan(ctx, { repository: '1', check: 'required-reviews' })).toEqual([]);
  await settings.set(ctx, { repository: '1', check: 'signed-commits' });
  expect(repository.protection).toEqual({ enable_push: true, required_approvals: 2, require_signed_commits: true });
});

it('lets people push where a rule is made for signatures alone', async () => {
  const { ctx, repository } = await open();
  await settings.set(ctx, { repository: '1', check: 'signed-commits' });
  expect(repository.protection).toMatchObject({ enable_push: true, require_signed_commits: true });
});

it('says which right is missing', async () => {
  const reader = await open();
  reader.repository.permissions = { admin: false, push: true, pull: true };
  const at = { repository: '1', check: 'force-pushes' } as const;
  expect(await refusalOf(settings.plan(reader.ctx, at))).toMatchObject({
    code: 'scope',
    message: 'The user of the token may not write to acme/repo-1.',
  });
  const narrow = await open({ scopes: ['read:user', 'read:repository'] });
  expect(await refusalOf(settings.set(narrow.ctx, at))).toMatchObject({
    code: 'scope',
    message: expect.stringContaining('write:repository'),
  });
  expect(await refusalOf(settings.plan(narrow.ctx, { repository: '1', check: 'stale-deploy-keys' }))).toMatchObject({
    code: 'unsupported',
  });
});
