import { refusalOf, setAll } from '@breakwater/sdk/testing';
import { expect, it } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { openFake } from './testing/open-fake.ts';
import { ROLE } from './testing/state.ts';

const scm = server.connectors['gitlab']!.scm!;
const settings = scm.write!.settings!;

async function open() {
  const { fake, ctx } = await openFake(plugin.connectors[0]);
  return { ctx, project: fake.repositories[0]! };
}

it('makes each setting right, and shows beforehand what it changes', async () => {
  const { ctx, project } = await open();
  Object.assign(project, { approvalRules: [], pushRule: null, jobTokensLimited: false });
  const outcomes = await setAll(scm, ctx, '1');
  expect(Object.keys(outcomes)).toHaveLength(5);
  expect(outcomes['branch-protection']).toMatchObject({
    before: 'at-risk',
    planned: [
      { setting: 'Who may push to "main"', from: 'developers and maintainers', to: 'maintainers' },
      { setting: 'Force pushes to "main"', from: 'accepted', to: 'refused' },
    ],
  });
  for (const { isAsPlanned, after, left } of Object.values(outcomes))
    expect({ isAsPlanned, after, left }).toEqual({ isAsPlanned: true, after: 'ok', left: 0 });
  expect(project.approvalRules).toMatchObject([{ rule_type: 'any_approver', approvals_required: 1 }]);
  expect(project).toMatchObject({ pushRule: { reject_unsigned_commits: true }, jobTokensLimited: true });
});

const OPEN = {
  ...{ id: 1, name: 'ma*', allow_force_push: true, code_owner_approval_required: false },
  push_access_levels: [{ id: 9, access_level: 30 }],
  merge_access_levels: [{ id: 10, access_level: 30 }],
};

it('changes the rule that is there, and names it where it is about more branches', async () => {
  const { ctx, project } = await open();
  Object.assign(project, { protectedBranches: [OPEN], approvalRules: [] });
  const at = (check: 'force-pushes' | 'branch-protection') => ({ repository: '1', check });
  expect(await settings.set(ctx, at('force-pushes'))).toEqual([
    {
      setting: 'Force pushes to "main", by the rule "ma*" for all branches of that name',
      from: 'accepted',
      to: 'refused',
    },
  ]);
  await settings.set(ctx, at('branch-protection'));
  expect(project.protectedBranches).toEqual([
    { ...OPEN, allow_force_push: false, push_access_levels: [{ id: 9, access_level: 40 }] },
  ]);
});

it('says what the edition does not have, and which right is missing', async () => {
  const { ctx, project } = await open();
  project.protectedBranches = [OPEN];
  for (const check of ['required-reviews', 'signed-commits', 'branch-protection'] as const) {
    expect(await refusalOf(settings.set(ctx, { repository: '1', check }))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('is a feature of GitLab Premium'),
    });
  }
  project.pushRule = { id: 1 };
  expect(await refusalOf(settings.plan(ctx, { repository: '1', check: 'signed-commits' }))).toMatchObject({
    code: 'config',
    message: expect.stringContaining('is a feature of GitLab Premium'),
  });
  project.role = ROLE.developer;
  expect(await refusalOf(settings.plan(ctx, { repository: '1', check: 'force-pushes' }))).toMatchObject({
    code: 'scope',
    help: expect.stringContaining('Maintainer'),
  });
});
