import { answerJson, branchPath, readAnswer, type Scm } from '@breakwater/sdk';
import type { GiteaForm } from '../plugin.ts';
import { Branch, IssueState, PullRequestState, Tag } from './answers.ts';
import { nameRepository } from './requests.ts';

type Read = Required<Pick<Scm<GiteaForm>, 'pullRequest' | 'issue' | 'resolveRef'>>;

/** Source: Gitea API 1.22, `GET /repos/{owner}/{repo}/pulls/{index}`. */
export const pullRequest: Read['pullRequest'] = async ({ http }, { repository, number }) => {
  const { path } = await nameRepository(http, repository);
  const answer = await http.request({ path: `${path}/pulls/${number}`, accept: [404] });
  if (answer.status === 404) return null;
  const { state, merged } = readAnswer(PullRequestState, answerJson(answer));
  return { state: merged === true ? 'merged' : state === 'closed' ? 'closed' : 'open' };
};

/** Source: Gitea API 1.22, `GET /repos/{owner}/{repo}/issues/{index}`. */
export const issue: Read['issue'] = async ({ http }, { repository, number }) => {
  const { path } = await nameRepository(http, repository);
  const answer = await http.request({ path: `${path}/issues/${number}`, accept: [404] });
  if (answer.status === 404) return null;
  return { state: readAnswer(IssueState, answerJson(answer)).state === 'closed' ? 'closed' : 'open' };
};

/** Of this server alone. Source: Gitea API 1.22, `GET /repos/{owner}/{repo}/tags/{tag}` and `/branches/{branch}`. */
export const resolveRef: Read['resolveRef'] = async ({ http }, { name, ref }) => {
  const path = `/repos/${name.split('/').map(encodeURIComponent).join('/')}`;
  const tag = await http.request({ path: `${path}/tags/${branchPath(ref)}`, accept: [404] });
  if (tag.status !== 404) return readAnswer(Tag, answerJson(tag)).commit.sha;
  const branch = await http.request({ path: `${path}/branches/${branchPath(ref)}`, accept: [404] });
  return branch.status === 404 ? null : readAnswer(Branch, answerJson(branch)).commit.id;
};
