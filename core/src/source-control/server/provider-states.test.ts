import type { CredentialSchema, Ctx, Scm } from '@breakwater/sdk';
import {
  ANSWER_FAULTS,
  type BareRepository,
  openTestConnection,
  refusalOf,
  type ServiceFaults,
  tryGit,
} from '@breakwater/sdk/testing';
import { expect, onTestFinished, test } from 'vitest';
import { plugin as bitbucket } from '../../../../plugins/scm-bitbucket/src/plugin.ts';
import { server as bitbucketServer } from '../../../../plugins/scm-bitbucket/src/server/index.ts';
import { startFakeBitbucket } from '../../../../plugins/scm-bitbucket/src/server/testing/fake-bitbucket.ts';
import { plugin as gitea } from '../../../../plugins/scm-gitea/src/plugin.ts';
import { server as giteaServer } from '../../../../plugins/scm-gitea/src/server/index.ts';
import { startFakeGitea } from '../../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { plugin as github } from '../../../../plugins/scm-github/src/plugin.ts';
import { server as githubServer } from '../../../../plugins/scm-github/src/server/index.ts';
import { startFakeGithub } from '../../../../plugins/scm-github/src/server/testing/fake-github.ts';
import { plugin as gitlab } from '../../../../plugins/scm-gitlab/src/plugin.ts';
import { server as gitlabServer } from '../../../../plugins/scm-gitlab/src/server/index.ts';
import { startFakeGitlab } from '../../../../plugins/scm-gitlab/src/server/testing/fake-gitlab.ts';

const TOKEN = 'made-for-tests-only-0123';

/** A repository of a provider that is not real, and how people end what is open in it. */
interface Provider {
  scm: Scm | undefined;
  ctx: Ctx<CredentialSchema>;
  id: string;
  name: string;
  git: BareRepository;
  end(isMerged: boolean): void;
  faults: ServiceFaults;
  /** Whether it tells why an issue was closed. */
  saysDeclined?: true;
}

const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the fake has no repository');
  return value;
};

const PROVIDERS: Readonly<Record<string, () => Promise<Provider>>> = {
  gitea: async () => {
    const fake = await startFakeGitea({ token: TOKEN });
    onTestFinished(() => fake.close());
    const values = { oauth_token: TOKEN, protocol: 'https', hosted_domain: 'gitea.example.com', port: 443 };
    const one = required(fake.repositories[0]);
    return {
      scm: giteaServer.connectors['gitea']?.scm,
      ctx: openTestConnection(gitea.connectors[0], { values, baseUrl: fake.url }),
      ...{ id: String(one.id), name: `${one.owner}/${one.name}`, git: await one.git(), faults: fake.faults },
      end: (isMerged) => {
        for (const issue of one.issues) Object.assign(issue, { state: 'closed', isMerged });
      },
    };
  },
  github: async () => {
    const fake = await startFakeGithub({ token: TOKEN });
    onTestFinished(() => fake.close());
    const values = { oauth_token: TOKEN, installation_id: '42' };
    const one = required(fake.repositories[0]);
    return {
      scm: githubServer.connectors['github']?.scm,
      ctx: openTestConnection(github.connectors[0], { values, baseUrl: fake.url }),
      ...{ id: String(one.id), name: `${one.owner}/${one.name}`, git: await one.git(), faults: fake.faults },
      end: (isMerged) => {
        const state_reason = isMerged ? 'completed' : 'not_planned';
        for (const issue of one.issues) Object.assign(issue, { state: 'closed', isMerged, state_reason });
      },
      saysDeclined: true,
    };
  },
  gitlab: async () => {
    const fake = await startFakeGitlab({ token: TOKEN, scopes: ['api'], projects: 1 });
    onTestFinished(() => fake.close());
    const values = { oauth_token: TOKEN, refresh_token: 'r', hosted_url: 'https://gitlab.example.com' };
    const one = required(fake.repositories[0]);
    return {
      scm: gitlabServer.connectors['gitlab']?.scm,
      ctx: openTestConnection(gitlab.connectors[0], { values, baseUrl: fake.url }),
      ...{ id: String(one.id), name: one.path, git: await one.git(), faults: fake.faults },
      end: (isMerged) => {
        for (const merge of one.mergeRequests) merge.state = isMerged ? 'merged' : 'closed';
        for (const issue of one.issues) issue.state = 'closed';
      },
    };
  },
  bitbucket: async () => {
    const scopes = ['account', 'repository:write', 'pullrequest:write', 'issue:write'];
    const fake = await startFakeBitbucket({ token: TOKEN, scopes, workspaces: ['acme'], repositories: 1 });
    onTestFinished(() => fake.close());
    const values = { oauth_token: TOKEN, refresh_token: 'r', workspaces: 'acme' };
    const one = required(fake.repositories[0]);
    return {
      scm: bitbucketServer.connectors['bitbucket_cloud']?.scm,
      ctx: openTestConnection(bitbucket.connectors[0], { values, baseUrl: fake.url }),
      ...{
        id: `${one.workspace}/${one.uuid}`,
        name: `${one.workspace}/${one.slug}`,
        git: await one.git(),
        faults: fake.faults,
      },
      end: (isMerged) => {
        for (const pull of one.pullRequests) pull.state = isMerged ? 'MERGED' : 'DECLINED';
        for (const issue of one.issues) issue.state = isMerged ? 'resolved' : 'wontfix';
      },
      saysDeclined: true,
    };
  },
};

test.each(Object.keys(PROVIDERS))('%s says how pull requests, issues and tags stand', async (provider) => {
  const { scm, ctx, id, name, git, end, saysDeclined } = await required(PROVIDERS[provider])();
  const commit = await git.commitFiles({ branch: 'fix', message: 'Fix', files: { 'a.txt': 'a' } });
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  for (const args of [['v1.2'], ['-a', '-m', 'x', 'v2']])
    expect((await tryGit({ args: ['--git-dir', git.folder, ...author, 'tag', ...args, commit] })).code).toBe(0);
  for (const ref of ['v1.2', 'v2', 'fix']) expect(await scm?.resolveRef?.(ctx, { name, ref })).toBe(commit);
  expect(await scm?.resolveRef?.(ctx, { name, ref: 'v3' })).toBe(null);
  if (!(await git.branches()).has('main')) await git.setBranches(new Map([['main', commit]]));

  const text = { repository: id, title: 'T', description: 'D' };
  const pull = await scm?.write?.openPullRequest(ctx, { ...text, from: 'fix', into: 'main', idempotencyKey: 'p' });
  const issue = await scm?.write?.openIssue(ctx, { ...text, idempotencyKey: 'i' });
  const [at, issueAt] = [pull, issue].map((made) => ({ repository: id, number: made?.number ?? 0 }));
  const states = async () => [
    (await scm?.pullRequest?.(ctx, at ?? { repository: '', number: 0 }))?.state,
    (await scm?.issue?.(ctx, issueAt ?? { repository: '', number: 0 }))?.state,
  ];
  expect(await states()).toEqual(['open', 'open']);
  end(false);
  expect(await states()).toEqual(['closed', saysDeclined ? 'declined' : 'closed']);
  end(true);
  expect(await states()).toEqual(['merged', 'closed']);
  const missing = { repository: id, number: 4711 };
  expect(await scm?.pullRequest?.(ctx, missing)).toBe(null);
  expect(await scm?.issue?.(ctx, missing)).toBe(null);
});

const FAULTS = ANSWER_FAULTS.filter(({ isHeld, isOfLists }) => isHeld !== true && isOfLists !== true);

test.each(Object.keys(PROVIDERS))('%s says rightly why it could not be asked how they stand', async (provider) => {
  const { scm, ctx, id, faults } = await required(PROVIDERS[provider])();
  const at = { repository: id, number: 1 };
  for (const [name, ask] of Object.entries({ pullRequest: scm?.pullRequest, issue: scm?.issue })) {
    for (const fault of FAULTS) {
      faults.add({ times: 1, fault });
      const { code } = await refusalOf(Promise.resolve(ask?.(ctx, at)).then(() => undefined));
      expect([name, fault.name, code]).toEqual([name, fault.name, fault.code]);
    }
  }
});
