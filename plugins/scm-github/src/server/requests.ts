import {
  answerJson,
  ConnectorError,
  type Ctx,
  type HttpAnswer,
  type HttpRequest,
  isConnectorError,
  type Json,
  readAnswer,
  type Static,
} from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { RefusalAnswer, RepositoryAnswer, User } from './answers.ts';

/** Sent with every request. Source: GitHub REST API, "API versions". */
export const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' } as const;

/** 100 is GitHub's largest page (specification §9). */
export const PAGE = { per_page: 100 } as const;

type Http = Ctx<GithubForm>['http'];

/** What the account must be allowed in a repository, and which permission of the app gives it. */
export type Right = 'Contents' | 'Pull requests' | 'Issues' | 'Commit statuses' | 'Webhooks' | 'Administration';

/** What GitHub says of a repository. */
export type RepositoryFacts = Static<typeof RepositoryAnswer>;

/** A repository that is about to be written to. */
export interface OpenRepository {
  /** `/repositories/42`, the root of its resources. A rename changes nothing. */
  readonly path: string;
  readonly facts: RepositoryFacts;
  /** Sends a request that needs a permission. @throws ConnectorError scope, saying which one is missing */
  ask(right: Right, request: HttpRequest): Promise<HttpAnswer>;
  json(right: Right, request: HttpRequest): Promise<Json>;
  /** Several requests, of which each may need the permission. @throws as `ask` */
  granted<T>(right: Right, work: () => Promise<T>): Promise<T>;
}

/** Path of a repository's resources. @throws ConnectorError config, where it is no id */
export function repositoryPath(repository: string): string {
  if (/^[0-9]{1,20}$/.test(repository)) return `/repositories/${repository}`;
  throw new ConnectorError('config', 'GitHub knows repositories by a number.');
}

/** @throws ConnectorError config, where there is no such repository */
export async function readRepository(http: Http, repository: string): Promise<RepositoryFacts> {
  const answer = await http.request({ path: repositoryPath(repository), headers: HEADERS, accept: [404] });
  if (answer.status !== 404) return readAnswer(RepositoryAnswer, answerJson(answer));
  throw new ConnectorError('config', 'GitHub does not show this repository to the connection.', {
    help: 'Was it deleted? Else add it to the installation of the app: Settings, Applications, Configure.',
  });
}

/**
 * A repository to write to. What stands in the way is said before anything is sent that would be refused.
 * @throws ConnectorError config, where it is archived; scope, where the user of the token may not write to it
 */
export async function openRepository(http: Http, repository: string, right: Right): Promise<OpenRepository> {
  const facts = await readRepository(http, repository);
  const name = facts.full_name;
  if (facts.archived) {
    throw new ConnectorError('config', `${name} is archived, so nothing can be written to it.`, {
      help: 'Unarchive it on GitHub: Settings, Danger zone.',
    });
  }
  const level = right === 'Webhooks' || right === 'Administration' ? 'admin' : 'push';
  const isAllowed = right === 'Issues' || facts.permissions?.[level] !== false;
  if (!isAllowed) {
    const role = level === 'admin' ? 'Admin' : 'Write';
    throw new ConnectorError('scope', `The user of the token may not write to ${name}.`, {
      help: `Give the user the role "${role}" in the repository, or connect as somebody who has it.`,
    });
  }
  const ask = async (needed: Right, request: HttpRequest): Promise<HttpAnswer> =>
    granted(name, needed, () => http.request({ ...request, headers: { ...HEADERS, ...request.headers } }));
  return {
    path: repositoryPath(repository),
    facts,
    ask,
    json: async (needed, request) => answerJson(await ask(needed, request)),
    granted: (needed, work) => granted(name, needed, work),
  };
}

export const howToGrant = (right: Right): string =>
  `Grant "${right}" in the settings of the app under Permissions, and accept the change in the installation.`;

async function granted<T>(name: string, right: Right, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isConnectorError(error) || error.code !== 'scope') throw error;
    throw new ConnectorError('scope', `The app may not write to ${name}: "${right}" (read and write) is not granted.`, {
      help: howToGrant(right),
      cause: error,
    });
  }
}

/** Why GitHub took a request for invalid (422) or in conflict (409), in its own words; at most 300 characters. */
export function refusalWords(answer: HttpAnswer): string {
  const { message, errors = [] } = readAnswer(RefusalAnswer, answerJson(answer));
  const said = errors.flatMap((error) => (typeof error === 'string' ? [error] : (error.message ?? error.code ?? [])));
  return [message, ...said].join(' ').slice(0, 300);
}

/** Login of the account that writes: only what it wrote itself is asked for the mark of a key. */
export async function ownLogin(http: Http): Promise<string> {
  return readAnswer(User, await http.json({ path: '/user', headers: HEADERS })).login;
}
