import {
  answerJson,
  ConnectorError,
  type HttpAnswer,
  type NamedRef,
  type NumberedAt,
  readAnswer,
} from '@breakwater/sdk';
import { Commit, ThreadState } from './answers.ts';
import { type GitlabCtx, projectPath, segment } from './requests.ts';

/** The answer where the thread is there, null where only it is missing. @throws ConnectorError config, where the project is */
async function found({ http }: GitlabCtx, repository: string, rest: string): Promise<HttpAnswer | null> {
  const answer = await http.request({ path: projectPath(repository, rest), accept: [404] });
  if (answer.status !== 404) return answer;
  const project = await http.request({ path: projectPath(repository), accept: [404] });
  if (project.status !== 404) return null;
  throw new ConnectorError('config', `GitLab knows no project "${repository}", or the token does not see it.`);
}

/** Source: GitLab REST API v4, "Merge requests", get single MR. `locked` is one that is being merged. */
export async function pullRequest(ctx: GitlabCtx, { repository, number }: NumberedAt) {
  const answer = await found(ctx, repository, `/merge_requests/${number}`);
  if (answer === null) return null;
  const { state } = readAnswer(ThreadState, answerJson(answer));
  return { state: state === 'merged' || state === 'closed' ? state : 'open' } as const;
}

/** Source: GitLab REST API v4, "Issues", single project issue. */
export async function issue(ctx: GitlabCtx, { repository, number }: NumberedAt) {
  const answer = await found(ctx, repository, `/issues/${number}`);
  if (answer === null) return null;
  return { state: readAnswer(ThreadState, answerJson(answer)).state === 'closed' ? 'closed' : 'open' } as const;
}

/** Source: GitLab REST API v4, "Commits", get a single commit: by hash, branch or tag. */
export async function resolveRef({ http }: GitlabCtx, { name, ref }: NamedRef): Promise<string | null> {
  for (const kind of ['refs/tags/', 'refs/heads/']) {
    const path = projectPath(name, `/repository/commits/${segment(`${kind}${ref}`)}`);
    const answer = await http.request({ path, accept: [404] });
    if (answer.status !== 404) return readAnswer(Commit, answerJson(answer)).id;
  }
  return null;
}
