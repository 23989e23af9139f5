import { type CommitStatus, readAnswer, Type } from '@breakwater/sdk';
import { Statuses } from './answers.ts';
import { answered, type GitlabCtx, PAGE, projectPath, segment, write } from './requests.ts';

const STATES = { pending: 'pending', success: 'success', failure: 'failed' } as const;
/** GitLab takes no longer description, and no longer name. */
const LONGEST = 255;

/**
 * GitLab makes a new status of each finished one, and refuses to set a pending one pending again: what is so already is not written.
 * Source: GitLab REST API v4, "Commits", set commit pipeline status.
 */
export async function setStatus(ctx: GitlabCtx, status: CommitStatus): Promise<void> {
  const { repository, commit, state, url } = status;
  const name = status.name.slice(0, LONGEST);
  const description = status.description?.slice(0, LONGEST);
  const path = projectPath(repository, `/repository/commits/${segment(commit)}/statuses`);
  const list = readAnswer(Statuses, await ctx.http.json({ path, query: { ...PAGE, name } }));
  const [newest] = list.filter((one) => one.name === name).sort((one, other) => other.id - one.id);
  const isSo =
    newest?.status === STATES[state] &&
    (newest.description ?? undefined) === description &&
    (newest.target_url ?? undefined) === url;
  if (isSo) return;
  const answer = await write(ctx, {
    method: 'POST',
    path: projectPath(repository, `/statuses/${segment(commit)}`),
    body: {
      state: STATES[state],
      name,
      ...(description === undefined ? {} : { description }),
      ...(url === undefined ? {} : { target_url: url }),
    },
  });
  // A pending status keeps its description until it ends.
  if (answer.status === 400 && newest?.status === STATES[state]) return;
  readAnswer(Type.Object({ id: Type.Integer() }), answered(answer, `set the status "${name}"`));
}
