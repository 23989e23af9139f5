import {
  answerJson,
  ConnectorError,
  type Ctx,
  type HttpAnswer,
  type HttpRequest,
  isConnectorError,
  type Json,
  readAnswer,
} from '@breakwater/sdk';
import type { BitbucketForm } from '../plugin.ts';
import { Branch, Refusal, Repository } from './answers.ts';

export type BitbucketCtx = Ctx<BitbucketForm>;

/** What Bitbucket says to a write that it will not do: invalid, unknown, in conflict, too large, unprocessable. */
const REFUSALS = [400, 404, 409, 413, 422] as const;
const LONGEST_WORDS = 300;

/** Below a repository, `workspace/{uuid}` or `workspace/slug`. @throws ConnectorError config */
export function repositoryPath(repository: string, rest = ''): string {
  const [workspace, name, ...more] = repository.split('/');
  if (!workspace || !name || more.length > 0) {
    throw new ConnectorError('config', `"${repository}" is no repository of Bitbucket Cloud.`);
  }
  return `/repositories/${segment(workspace)}/${segment(name)}${rest}`;
}

/** One part of an address. */
export const segment = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The repository itself. @throws ConnectorError config, where there is none */
export async function repositoryOf({ http }: BitbucketCtx, repository: string) {
  const answer = await http.request({ path: repositoryPath(repository), accept: [404] });
  if (answer.status !== 404) return readAnswer(Repository, answerJson(answer));
  throw new ConnectorError('config', `Bitbucket knows no repository "${repository}", or the token does not see it.`);
}

/** Newest commit of a branch, null where there is no such branch. */
export async function headOf({ http }: BitbucketCtx, repository: string, branch: string): Promise<string | null> {
  const path = repositoryPath(repository, `/refs/branches/${segment(branch)}`);
  const answer = await http.request({ path, accept: [404] });
  return answer.status === 404 ? null : readAnswer(Branch, answerJson(answer)).target.hash;
}

/** Hash of a commit or branch: addresses of files cannot hold names with slashes. Null where there is no such branch. */
export async function commitAt(ctx: BitbucketCtx, repository: string, at: string): Promise<string | null> {
  return /^[0-9a-f]{40}$/.test(at) ? at : headOf(ctx, repository, at);
}

/**
 * Sends a write. @throws ConnectorError `scope` with what to grant where a right is missing; any other refusal is an answer, for `answered`
 */
export async function write({ http }: BitbucketCtx, request: HttpRequest, needs: string): Promise<HttpAnswer> {
  return granted(needs, () => http.request({ ...request, accept: REFUSALS }));
}

/** Requests that need a right which a write needs too. @throws ConnectorError `scope` with what to grant where it is missing */
export async function granted<T>(needs: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isConnectorError(error) || error.code !== 'scope') throw error;
    throw new ConnectorError('scope', error.message, { help: `The token needs ${needs} for this repository.` });
  }
}

/** The body of an answer to a write. @throws ConnectorError `config` with Bitbucket's own words, where something there stands in the way */
export function answered(answer: HttpAnswer, doing: string): Json {
  if (answer.status >= 200 && answer.status < 300) return answerJson(answer);
  const words = wordsOf(answer);
  throw new ConnectorError('config', `Bitbucket could not ${doing}.${words === '' ? '' : ` It says: "${words}"`}`);
}

/** What Bitbucket says of a refusal, in one line; empty where it says nothing that can be read. */
function wordsOf(answer: HttpAnswer): string {
  const message = readRefusal(answerJson(answer))?.error.message ?? '';
  const line = message.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS)}…` : line;
}

/** A refusal in Bitbucket's form, null where it is none. */
export function readRefusal(body: Json) {
  try {
    return readAnswer(Refusal, body);
  } catch (error) {
    if (isConnectorError(error)) return null;
    throw error;
  }
}
