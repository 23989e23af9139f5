import type { FakeProvider, StartedProvider, TestRequest } from '@breakwater/sdk/testing';
import {
  type FakeBitbucket,
  startFakeBitbucket,
} from '../../plugins/scm-bitbucket/src/server/testing/fake-bitbucket.ts';
import { OAUTH_APP as BITBUCKET_APP } from '../../plugins/scm-bitbucket/src/server/testing/fake-oauth.ts';
import { type FakeGitea, startFakeGitea } from '../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { type FakeGithub, startFakeGithub } from '../../plugins/scm-github/src/server/testing/fake-github.ts';
import { type FakeGitlab, startFakeGitlab } from '../../plugins/scm-gitlab/src/server/testing/fake-gitlab.ts';
import { OAUTH_APP as GITLAB_APP } from '../../plugins/scm-gitlab/src/server/testing/fake-oauth.ts';

/** How many repositories each of them has; a page of their lists holds 100. */
export const REPOSITORIES = 250;

const ANY_APP = { clientId: 'breakwater', clientSecret: 'made-for-tests-only' };
const token = (of: string): string => `${of}-token-made-for-tests-only`;

export interface SourceControls {
  github: StartedProvider<FakeGithub>;
  gitlab: StartedProvider<FakeGitlab>;
  bitbucket_cloud: StartedProvider<FakeBitbucket>;
  gitea: StartedProvider<FakeGitea>;
  /** What the server has to know of them. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

const environmentOf = (id: string, url: URL, app: typeof ANY_APP): Record<string, string> => ({
  [`${id}_BASE_URL`]: url.origin,
  [`${id}_OAUTH_CLIENT_ID`]: app.clientId,
  [`${id}_OAUTH_CLIENT_SECRET`]: app.clientSecret,
});

/** The four providers on this machine, with 250 repositories each, whose people are asked when they sign in. */
export const startSourceControls = async (): Promise<SourceControls> => {
  const common = { asksConsent: true, repositories: REPOSITORIES };
  const github = await startFakeGithub({ ...common, token: token('github'), branches: 2 });
  const gitlab = await startFakeGitlab({ ...common, token: token('gitlab'), scopes: ['api'], projects: REPOSITORIES });
  const scopes = ['account', 'repository:write', 'repository:admin', 'pullrequest:write', 'issue:write', 'webhook'];
  const bitbucket_cloud = await startFakeBitbucket({
    ...common,
    token: token('bitbucket'),
    scopes,
    workspaces: ['harbour'],
  });
  const gitea = await startFakeGitea({ ...common, token: token('gitea'), branches: 2, mostRows: 100 });
  return {
    ...{ github, gitlab, bitbucket_cloud, gitea },
    environment: {
      ...environmentOf('GITHUB', github.url, ANY_APP),
      GITHUB_OAUTH_APP: 'breakwater',
      ...environmentOf('GITLAB', gitlab.url, GITLAB_APP),
      ...environmentOf('BITBUCKET_CLOUD', bitbucket_cloud.url, BITBUCKET_APP),
      ...environmentOf('GITEA', gitea.url, ANY_APP),
    },
    close: async () => {
      for (const fake of [github, gitlab, bitbucket_cloud, gitea]) await fake.close();
    },
  };
};

const LISTS = /\/(?:user\/installations\/42\/repositories|projects|repositories\/harbour|repos\/search)$/;

/** Requests for a page of the repositories, not those that only look whether they may be listed. */
export const isListing = ({ path, query }: TestRequest): boolean =>
  LISTS.test(path) && ['per_page', 'pagelen', 'limit'].some((name) => Number(query.get(name)) >= 50);

/** Lets the token end when the second page is asked for: the first request with it is refused. */
export const expireOnSecondPage = (fake: StartedProvider<FakeProvider>): void => {
  const isSecond = ({ query }: TestRequest) => query.get('page') === '2' || query.get('id_after') === '100';
  fake.faults.add({
    times: 1,
    when: (request) => isListing(request) && isSecond(request),
    fault: {
      answer: (real) => {
        fake.tokens.expire();
        return real();
      },
    },
  });
};
