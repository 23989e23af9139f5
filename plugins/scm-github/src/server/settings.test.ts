import { openTestConnection, refusalOf, setAll, startTestService } from '@breakwater/sdk/testing';
import { expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { createFakeGithub } from './testing/fake-github.ts';

const TOKEN = 'ghu_made_for_tests_only_0123';
const scm = server.connectors['github']!.scm!;
const settings = scm.write!.settings!;
const RIGHTS = { contents: 'read', metadata: 'read' } as const;

async function open(administration: 'read' | 'write' = 'write') {
  const github = createFakeGithub({
    token: TOKEN,
    installations: [{ id: 42, permissions: { ...RIGHTS, administration } }],
  });
  const service = await startTestService(github.answer);
  onTestFinished(async () => {
    await service.close();
    await github.close();
  });
  const values = { oauth_token: TOKEN, installation_id: '42' };
  const ctx = openTestConnection(plugin.connectors[0], { values, baseUrl: service.url });
  return { ctx, repository: github.repositories[0]! };
}

it('makes each setting right in a ruleset of ours, and shows beforehand what it changes', async () => {
  const { ctx, repository } = await open();
  Object.assign(repository.settings, {
    workflow: { default_workflow_permissions: 'write', can_approve_pull_request_reviews: true },
  });
  const outcomes = await setAll(scm, ctx, '1');
  expect(Object.keys(outcomes)).toHaveLength(5);
  // a ruleset protects the branch by itself: only the first question finds it bare
  expect(outcomes['branch-protection']).toMatchObject({ before: 'at-risk', planned: [{}, {}] });
  for (const { isAsPlanned, after, left } of Object.values(outcomes))
    expect({ isAsPlanned, after, left }).toEqual({ isAsPlanned: true, after: 'ok', left: 0 });
  const [ruleset, ...others] = repository.settings.rulesets;
  expect(others).toEqual([]);
  expect(ruleset).toMatchObject({ name: 'Breakwater', conditions: { ref_name: { include: ['~DEFAULT_BRANCH'] } } });
  expect(ruleset?.rules).toEqual([
    { type: 'pull_request', parameters: expect.objectContaining({ required_approving_review_count: 1 }) },
    { type: 'deletion' },
    { type: 'required_signatures' },
    { type: 'non_fast_forward' },
  ]);
  expect(repository.settings.workflow).toEqual({
    default_workflow_permissions: 'read',
    can_approve_pull_request_reviews: false,
  });
});

it('touches no rules of others, and none where they are strict enough', async () => {
  const { ctx, repository } = await open();
  const strict = { id: 1, name: 'Reviews', enforcement: 'active', bypass_actors: [{ actor_id: 5 }], conditions: {} };
  const rules = [{ type: 'pull_request', parameters: { required_approving_review_count: 2 } }];
  repository.settings.rulesets.push({ ...strict, rules });
  expect(await settings.set(ctx, { repository: '1', check: 'required-reviews' })).toEqual([]);
  await settings.set(ctx, { repository: '1', check: 'force-pushes' });
  expect(repository.settings.rulesets.map(({ name, rules: { length } }) => [name, length])).toEqual([
    ['Reviews', 1],
    ['Breakwater', 1],
  ]);
  expect(repository.settings.rulesets[0]).toEqual({ ...strict, rules });
});

it('says which permission is missing', async () => {
  const { ctx, repository } = await open('read');
  const at = { repository: '1', check: 'force-pushes' } as const;
  expect(await settings.plan(ctx, at)).toHaveLength(1);
  expect(await refusalOf(settings.set(ctx, at))).toMatchObject({
    code: 'scope',
    message: expect.stringContaining('"Administration" (read and write) is not granted'),
  });
  repository.permissions = { admin: false, push: true, pull: true };
  expect(await refusalOf(settings.plan(ctx, at))).toMatchObject({ code: 'scope' });
});
