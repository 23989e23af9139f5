import type { PostureAnswer } from '@breakwater/sdk';
import {
  ANSWER_FAULTS,
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswers,
  withFault,
} from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { createFakeGithub, type FakeGithub } from './testing/fake-github.ts';

const TOKEN = 'ghu_made_for_tests_only_0123';
const { scm } = server.connectors['github']!;
const NOW = new Date('2026-06-01T00:00:00Z');

async function ask(answer: TestAnswers): Promise<readonly PostureAnswer[]> {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const values = { oauth_token: TOKEN, installation_id: '42' };
  const ctx = openTestConnection(plugin.connectors[0], { values, baseUrl: service.url, now: NOW });
  return scm!.posture!(ctx, '1');
}

function fake(change: (github: FakeGithub) => void = () => undefined): FakeGithub {
  const github = createFakeGithub({ token: TOKEN });
  onTestFinished(() => github.close());
  change(github);
  return github;
}

const statesOf = (answers: readonly PostureAnswer[]) =>
  Object.fromEntries(answers.map(({ check, state }) => [check, state]));
const key = (title: string, change: object) => ({
  id: 1,
  key: 'ssh-ed25519 AAAA',
  url: 'https://api.github.com/keys/1',
  title,
  verified: true,
  created_at: '2026-01-01T00:00:00Z',
  read_only: true,
  ...change,
});

const BARE = {
  'branch-protection': 'at-risk',
  'required-reviews': 'at-risk',
  'signed-commits': 'at-risk',
  'force-pushes': 'at-risk',
  'default-workflow-permissions': 'ok',
  'unpinned-actions': 'ok',
  'secrets-in-forks': 'ok',
  'admins-without-two-factor': 'ok',
  'stale-deploy-keys': 'ok',
};
const PROTECTED = {
  required_pull_request_reviews: {
    required_approving_review_count: 2,
    dismiss_stale_reviews: true,
    require_code_owner_reviews: false,
  },
  required_signatures: { url: 'https://api.github.com/x', enabled: true },
  allow_force_pushes: { enabled: false },
};

describe('what the settings say', () => {
  it.each<[string, (github: FakeGithub) => void, Record<string, string>]>([
    ['a repository as GitHub makes it', () => undefined, {}],
    [
      'a branch that is protected',
      ({ repositories: [one] }) => Object.assign(one!.settings, { protection: PROTECTED }),
      { 'branch-protection': 'ok', 'required-reviews': 'ok', 'signed-commits': 'ok', 'force-pushes': 'ok' },
    ],
    [
      'protection that asks for nothing',
      ({ repositories: [one] }) =>
        Object.assign(one!.settings, { protection: { allow_force_pushes: { enabled: true } } }),
      { 'branch-protection': 'ok' },
    ],
    [
      'rulesets',
      ({ repositories: [one] }) =>
        Object.assign(one!.settings, {
          rules: [
            { type: 'pull_request', parameters: { required_approving_review_count: 1 } },
            { type: 'non_fast_forward' },
            { type: 'required_signatures' },
          ],
        }),
      { 'branch-protection': 'ok', 'required-reviews': 'ok', 'signed-commits': 'ok', 'force-pushes': 'ok' },
    ],
    [
      'a ruleset and no protection of its own, which is nothing that cannot be seen',
      ({ repositories: [one] }) => Object.assign(one!.settings, { rules: [{ type: 'deletion' }] }),
      { 'branch-protection': 'ok' },
    ],
    [
      'a pull request that needs no review',
      ({ repositories: [one] }) =>
        Object.assign(one!.settings, {
          rules: [{ type: 'pull_request', parameters: { required_approving_review_count: 0 } }],
        }),
      { 'branch-protection': 'ok' },
    ],
    [
      'workflows that may write, and forks that get secrets',
      ({ repositories: [one] }) => {
        const forks = { run_workflows_from_fork_pull_requests: true, send_write_tokens_to_workflows: false };
        Object.assign(one!.settings, {
          workflow: { default_workflow_permissions: 'write', can_approve_pull_request_reviews: false },
          forks: { ...forks, send_secrets_and_variables: true, require_approval_for_fork_pr_workflows: false },
        });
      },
      { 'default-workflow-permissions': 'at-risk', 'secrets-in-forks': 'at-risk' },
    ],
    [
      'owners without a second factor',
      ({ known }) => Object.assign(known, { ownersWithoutTwoFactor: ['eve'] }),
      { 'admins-without-two-factor': 'at-risk' },
    ],
    [
      'owners that GitHub does not tell of',
      ({ known }) => Object.assign(known, { ownersWithoutTwoFactor: null }),
      { 'admins-without-two-factor': 'unknown' },
    ],
    [
      'a deploy key that nobody uses',
      ({ repositories: [one] }) =>
        Object.assign(one!.settings, {
          keys: [key('fresh', { last_used: '2026-05-30T00:00:00Z' }), key('old', { last_used: null })],
        }),
      { 'stale-deploy-keys': 'at-risk' },
    ],
    [
      'an app that may not see settings',
      ({ known, repositories: [one] }) => {
        Object.assign(known, { installations: [{ id: 42, permissions: { contents: 'read', metadata: 'read' } }] });
        Object.assign(one!.settings, { protection: PROTECTED });
      },
      {
        'branch-protection': 'ok',
        'required-reviews': 'unknown',
        'signed-commits': 'unknown',
        'force-pushes': 'unknown',
        'default-workflow-permissions': 'unknown',
        'secrets-in-forks': 'unknown',
        'stale-deploy-keys': 'unknown',
      },
    ],
  ])('%s', async (_, change, differs) => {
    const answers = await ask(fake(change).answer);
    expect(statesOf(answers)).toEqual({ ...BARE, ...differs });
    for (const { detail, url } of answers) {
      expect(detail).toMatch(/^[A-Zm].*\.$/);
      expect(url ?? 'https://').toMatch(/^https:\/\//);
    }
  });

  it('of actions that are not pinned, unless only pinned ones may run', async () => {
    const github = fake();
    const git = await github.repositories[0]!.git();
    const workflow = 'steps:\n  - uses: actions/checkout@v4\n';
    await git.commitFiles({
      branch: 'main',
      message: 'ci',
      files: { '.github/workflows/ci.yml': workflow, '.github/workflows/notes.txt': workflow },
    });
    const answer = async () => (await ask(github.answer)).find(({ check }) => check === 'unpinned-actions');
    expect(await answer()).toMatchObject({ state: 'at-risk', detail: expect.stringContaining('actions/checkout@v4') });
    github.repositories[0]!.settings.actions = { enabled: true, sha_pinning_required: true };
    expect((await answer())?.state).toBe('ok');
    github.repositories[0]!.settings.actions = { enabled: false };
    expect((await answer())?.state).toBe('ok');
    // Only pinned ones may run there, for all that an app without the permission can tell.
    Object.assign(github.known, { installations: [{ id: 42, permissions: { contents: 'read', metadata: 'read' } }] });
    expect(await answer()).toMatchObject({ state: 'unknown', detail: expect.stringContaining('actions/checkout@v4') });
  });
});

it('fails where nothing can be said: refused, too often, broken', async () => {
  const github = fake();
  for (const { name, code, answer } of ANSWER_FAULTS.filter(
    (fault) => !fault.isHeld && !fault.isOfLists && fault.code !== 'scope',
  )) {
    for (const at of [0, 1, 4]) {
      const said = await refusalOf(ask(withFault(github.answer, { answer }, at).answer));
      expect([name, at, said.code]).toEqual([name, at, code]);
    }
  }
});
