import { refusalOf, setAll } from '@breakwater/sdk/testing';
import { expect, it } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { openFake } from './testing/open-fake.ts';
import type { FakeOptions } from './testing/state.ts';

const scm = server.connectors['bitbucket_cloud']!.scm!;
const settings = scm.write!.settings!;
const REPOSITORY = 'acme/{00000000-3574-44ea-bb41-89e8638bcca4}';

async function open(differs: Partial<FakeOptions> = {}) {
  const { fake, ctx } = await openFake(plugin.connectors[0], differs);
  return { ctx, repository: fake.repositories.find((one) => one.workspace === 'acme' && one.slug === 'repo-0')! };
}

it('makes each setting right, and shows beforehand what it changes', async () => {
  const { ctx, repository } = await open();
  const outcomes = await setAll(scm, ctx, REPOSITORY);
  expect(outcomes['branch-protection']).toMatchObject({
    before: 'at-risk',
    planned: [{ setting: 'Direct pushes to "main"', from: 'by all who may write', to: 'by nobody: by pull request' }],
  });
  expect(outcomes['required-reviews']).toMatchObject({ before: 'at-risk', planned: [{}, {}] });
  expect(Object.keys(outcomes)).toHaveLength(3);
  for (const { isAsPlanned, after, left } of Object.values(outcomes))
    expect({ isAsPlanned, after, left }).toEqual({ isAsPlanned: true, after: 'ok', left: 0 });
  const glob = { branch_match_kind: 'glob', pattern: 'main' };
  expect(repository.restrictions).toMatchObject([
    { kind: 'push', ...glob, users: [], groups: [] },
    { kind: 'require_approvals_to_merge', ...glob, value: 1 },
    { kind: 'enforce_merge_checks', ...glob },
  ]);
});

it('asks for more where a restriction asks for nothing', async () => {
  const { ctx, repository } = await open();
  const none = { type: 'branchrestriction', id: 7, kind: 'require_approvals_to_merge', branch_match_kind: 'glob' };
  repository.restrictions = [{ ...none, pattern: 'main', value: 0 }];
  await settings.set(ctx, { repository: REPOSITORY, check: 'required-reviews' });
  expect(repository.restrictions[0]).toMatchObject({ id: 7, pattern: 'main', value: 1 });
});

it('says which scope is missing', async () => {
  const { ctx } = await open({ scopes: ['account', 'repository:write'] });
  const refused = await refusalOf(settings.plan(ctx, { repository: REPOSITORY, check: 'force-pushes' }));
  expect(refused).toMatchObject({ code: 'scope', help: expect.stringContaining('"repository:admin"') });
});
