import { answerJson, branchPath, readAnswer, type Scm, type Static } from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { IssueState, PullRequestState } from './answers.ts';
import { HEADERS, readRepository, repositoryPath } from './requests.ts';

type Read = Required<Pick<Scm<GithubForm>, 'pullRequest' | 'issue' | 'resolveRef'>>;

/** Source: GitHub REST API, "Get a pull request". */
export const pullRequest: Read['pullRequest'] = async ({ http }, { repository, number }) => {
  const path = `${repositoryPath(repository)}/pulls/${number}`;
  const answer = await http.request({ path, headers: HEADERS, accept: [404] });
  if (answer.status !== 404) {
    const { state, merged } = readAnswer(PullRequestState, answerJson(answer));
    return { state: merged === true ? 'merged' : state === 'closed' ? 'closed' : 'open' };
  }
  await readRepository(http, repository);
  return null;
};

const DECLINED: readonly unknown[] = ['not_planned', 'duplicate'];

/** How an issue stands, as answers and deliveries write it. */
export function stateOf({ state, state_reason: reason }: Static<typeof IssueState>): 'open' | 'closed' | 'declined' {
  if (state !== 'closed') return 'open';
  return DECLINED.includes(reason) ? 'declined' : 'closed';
}

/** One that was deleted or moved away is gone. Source: GitHub REST API, "Get an issue". */
export const issue: Read['issue'] = async ({ http }, { repository, number }) => {
  const path = `${repositoryPath(repository)}/issues/${number}`;
  const answer = await http.request({ path, headers: HEADERS, accept: [404, 410] });
  if (answer.status === 200) return { state: stateOf(readAnswer(IssueState, answerJson(answer))) };
  await readRepository(http, repository);
  return null;
};

/** The commit, also of an annotated tag. Source: GitHub REST API, "Get a commit", media type `sha`. */
export const resolveRef: Read['resolveRef'] = async ({ http }, { name, ref }) => {
  const path = `/repos/${name.split('/').map(encodeURIComponent).join('/')}/commits`;
  const headers = { ...HEADERS, accept: 'application/vnd.github.sha' };
  for (const kind of ['tags', 'heads']) {
    const answer = await http.request({ path: `${path}/${kind}/${branchPath(ref)}`, headers, accept: [404, 422] });
    const sha = Buffer.from(answer.body).toString('latin1').trim();
    if (answer.status === 200 && /^[0-9a-f]{40}$/.test(sha)) return sha;
  }
  return null;
};
