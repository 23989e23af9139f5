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
import type { GiteaForm } from '../plugin.ts';
import { Refusal, Repository, User } from './answers.ts';

type Http = Ctx<GiteaForm>['http'];
/** Families of scopes of a token. Source: Gitea, "Scoped tokens". */
export type Scope = 'repository' | 'issue';

/** A repository under its present name. */
export interface NamedRepository {
  /** `/repos/acme/app`, the root of its resources. */
  readonly path: string;
  readonly facts: Static<typeof Repository>;
}

/** A repository that is about to be written to. */
export interface OpenRepository extends NamedRepository {
  /** Sends a request that needs write access. @throws ConnectorError scope, saying what to grant */
  ask(scope: Scope, request: HttpRequest): Promise<HttpAnswer>;
  json(scope: Scope, request: HttpRequest): Promise<Json>;
  /** Several requests, of which each may need the permission. @throws as `ask` */
  granted<T>(scope: Scope, work: () => Promise<T>): Promise<T>;
}

/** Most resources go by name, so the present name is asked for first. @throws ConnectorError config, where there is no such repository */
export async function nameRepository(http: Http, repository: string): Promise<NamedRepository> {
  if (!/^[0-9]{1,20}$/.test(repository)) throw new ConnectorError('config', 'Gitea knows repositories by a number.');
  const answer = await http.request({ path: `/repositories/${repository}`, accept: [404] });
  if (answer.status === 404) {
    throw new ConnectorError('config', 'Gitea does not show this repository to the connection.', {
      help: 'Was it deleted? Else give the user of the token access to it.',
    });
  }
  const facts = readAnswer(Repository, answerJson(answer));
  return { facts, path: `/repos/${facts.full_name.split('/').map(encodeURIComponent).join('/')}` };
}

const NAMED = new WeakMap<Http, Map<string, Promise<NamedRepository>>>();

/** The same for reading files: many are read in one visit, in which a repository keeps its name. @throws as nameRepository */
export function nameOnce(http: Http, repository: string): Promise<NamedRepository> {
  const known = NAMED.get(http) ?? new Map<string, Promise<NamedRepository>>();
  NAMED.set(http, known);
  const named = known.get(repository) ?? nameRepository(http, repository);
  known.set(repository, named);
  // what failed is asked again
  named.catch(() => known.delete(repository));
  return named;
}

/**
 * A repository to write to. What stands in the way is said before anything is sent that would be refused.
 * @throws ConnectorError config, where it is archived; scope, where the user of the token may not write to it
 */
export async function openRepository(
  http: Http,
  repository: string,
  role: 'read' | 'push' | 'admin',
): Promise<OpenRepository> {
  const named = await nameRepository(http, repository);
  const { full_name: name, archived, permissions } = named.facts;
  if (archived === true) {
    throw new ConnectorError('config', `${name} is archived, so nothing can be written to it.`, {
      help: 'Unarchive it on Gitea: Settings, Danger zone.',
    });
  }
  if (role !== 'read' && permissions?.[role] === false) {
    const title = role === 'admin' ? 'Administrator' : 'Write';
    throw new ConnectorError('scope', `The user of the token may not write to ${name}.`, {
      help: `Make the user a collaborator with the role "${title}", or connect as somebody who has it.`,
    });
  }
  const ask = (scope: Scope, request: HttpRequest): Promise<HttpAnswer> =>
    granted(name, scope, () => http.request(request));
  return {
    ...named,
    ask,
    json: async (scope, request) => answerJson(await ask(scope, request)),
    granted: (scope, work) => granted(name, scope, work),
  };
}

async function granted<T>(name: string, scope: Scope, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isConnectorError(error) || error.code !== 'scope') throw error;
    throw new ConnectorError('scope', `Gitea does not let this token write to ${name}. ${error.message}`, {
      help: `Make a token with write access to "${scope}" under Settings, Applications; a protected branch must let the user push.`,
      cause: error,
    });
  }
}

/** Why Gitea took a request for invalid or in conflict, in its own words; at most 300 characters. */
export function refusalWords(answer: HttpAnswer): string {
  return readAnswer(Refusal, answerJson(answer)).message.slice(0, 300);
}

/** Login of the account that writes: only what it wrote itself is asked for the mark of a key. */
export async function ownLogin(http: Http): Promise<string> {
  return readAnswer(User, await http.json({ path: '/user' })).login;
}
