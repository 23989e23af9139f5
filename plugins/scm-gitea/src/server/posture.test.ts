import type { PostureAnswer } from '@breakwater/sdk';
import {
  ANSWER_FAULTS,
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswers,
  withFault,
} from '@breakwater/sdk/testing';
import { expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { createFakeGitea, type FakeGitea, type FakeGiteaOptions } from './testing/fake-gitea.ts';

const TOKEN = 'made-for-tests-only';
const values = { oauth_token: TOKEN, protocol: 'https', hosted_domain: 'gitea.example.com', port: 443 };
const { scm } = server.connectors['gitea']!;

async function ask(answer: TestAnswers, repository = '1'): Promise<readonly PostureAnswer[]> {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  return scm!.posture!(openTestConnection(plugin.connectors[0], { values, baseUrl: service.url }), repository);
}

function fake(options: Partial<FakeGiteaOptions> = {}): FakeGitea {
  const gitea = createFakeGitea({ token: TOKEN, ...options });
  onTestFinished(() => gitea.close());
  return gitea;
}

const BARE = {
  'branch-protection': 'at-risk',
  'required-reviews': 'at-risk',
  'signed-commits': 'at-risk',
  'force-pushes': 'at-risk',
  'unpinned-actions': 'ok',
  'stale-deploy-keys': 'ok',
};
const RULES = { required_approvals: 2, require_signed_commits: true, enable_push: true };
const STRICT = { 'branch-protection': 'ok', 'required-reviews': 'ok', 'signed-commits': 'ok', 'force-pushes': 'ok' };

it.each<[string, (gitea: FakeGitea) => void, Record<string, string>]>([
  ['a repository as Gitea makes it', () => undefined, {}],
  ['a branch that is protected', ({ repositories: [one] }) => Object.assign(one!, { protection: RULES }), STRICT],
  [
    'protection that asks for little',
    ({ repositories: [one] }) =>
      Object.assign(one!, { protection: { required_approvals: 0, require_signed_commits: false, enable_push: true } }),
    { 'branch-protection': 'ok', 'force-pushes': 'ok' },
  ],
  [
    'deploy keys, of which Gitea tells little',
    ({ repositories: [one] }) =>
      Object.assign(one!, { keys: [{ id: 1, title: 'ci', created_at: '2020-01-01T00:00:00Z', read_only: true }] }),
    { 'stale-deploy-keys': 'unknown' },
  ],
  [
    'a user who may not see settings',
    ({ repositories: [one] }) =>
      Object.assign(one!, { protection: RULES, permissions: { admin: false, push: true, pull: true } }),
    { ...STRICT, 'signed-commits': 'unknown', 'force-pushes': 'unknown', 'stale-deploy-keys': 'unknown' },
  ],
])('%s', async (_, change, differs) => {
  const gitea = fake();
  change(gitea);
  const answers = await ask(gitea.answer);
  expect(Object.fromEntries(answers.map(({ check, state }) => [check, state]))).toEqual({ ...BARE, ...differs });
  for (const { detail } of answers) expect(detail).toMatch(/^["A-Z].*\.$/);
});

it('reads workflows of both folders', async () => {
  const gitea = fake();
  const git = await gitea.repositories[0]!.git();
  const files = {
    '.gitea/workflows/ci.yaml': 'steps:\n  - uses: actions/checkout@v4\n',
    '.github/workflows/ci.yml': 'steps:\n  - uses: acme/tool@main\n',
    '.github/workflows/readme.md': '- uses: not/a-workflow@v1\n',
  };
  await git.commitFiles({ branch: 'main', message: 'ci', files });
  const found = (await ask(gitea.answer)).find(({ check }) => check === 'unpinned-actions');
  expect(found?.state).toBe('at-risk');
  expect(found?.detail).toContain('acme/tool@main, actions/checkout@v4.');
});

it('says nothing of an empty repository', async () => {
  expect(await ask(fake({ repositories: 2 }).answer, '2')).toEqual([]);
});

it('fails where nothing can be said: refused, too often, broken', async () => {
  const gitea = fake();
  const faults = ANSWER_FAULTS.filter((fault) => !fault.isHeld && !fault.isOfLists && fault.code !== 'scope');
  for (const { name, code, answer } of faults) {
    for (const at of [0, 1, 2]) {
      const said = await refusalOf(ask(withFault(gitea.answer, { answer }, at).answer));
      expect([name, at, said.code]).toEqual([name, at, code]);
    }
  }
});
