import { answerJson, type NamedRef, type NumberedAt, readAnswer } from '@breakwater/sdk';
import { Branch, ThreadState } from './answers.ts';
import { type BitbucketCtx, headOf, repositoryOf, repositoryPath, segment } from './requests.ts';

/** The state in Bitbucket's words; null where there is none of that number. @throws ConnectorError config, where there is no repository */
async function stateOf(ctx: BitbucketCtx, { repository, number }: NumberedAt, kind: string): Promise<string | null> {
  const answer = await ctx.http.request({ path: repositoryPath(repository, `/${kind}/${number}`), accept: [404] });
  if (answer.status !== 404) return readAnswer(ThreadState, answerJson(answer)).state;
  await repositoryOf(ctx, repository);
  return null;
}

/** Source: Bitbucket Cloud REST API 2.0, `GET pullrequests/{id}`: OPEN, MERGED, DECLINED, SUPERSEDED. */
export async function pullRequest(ctx: BitbucketCtx, at: NumberedAt) {
  const state = await stateOf(ctx, at, 'pullrequests');
  if (state === null) return null;
  return { state: state === 'MERGED' ? 'merged' : state === 'OPEN' ? 'open' : 'closed' } as const;
}

const DONE: readonly string[] = ['resolved', 'closed'];
const DECLINED: readonly string[] = ['invalid', 'duplicate', 'wontfix'];

/** How an issue stands, from Bitbucket's word for it. */
export function issueStateOf(state: string): 'open' | 'closed' | 'declined' {
  if (DONE.includes(state)) return 'closed';
  return DECLINED.includes(state) ? 'declined' : 'open';
}

/** Source: Bitbucket Cloud REST API 2.0, `GET issues/{id}`. */
export async function issue(ctx: BitbucketCtx, at: NumberedAt) {
  const state = await stateOf(ctx, at, 'issues');
  return state === null ? null : { state: issueStateOf(state) };
}

/** Source: Bitbucket Cloud REST API 2.0, `GET refs/tags/{name}`; the target of an annotated tag is its commit. */
export async function resolveRef(ctx: BitbucketCtx, { name, ref }: NamedRef): Promise<string | null> {
  const answer = await ctx.http.request({ path: repositoryPath(name, `/refs/tags/${segment(ref)}`), accept: [404] });
  return answer.status === 404 ? headOf(ctx, name, ref) : readAnswer(Branch, answerJson(answer)).target.hash;
}
