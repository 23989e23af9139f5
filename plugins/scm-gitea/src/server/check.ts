import {
  answerJson,
  ConnectorError,
  type Ctx,
  type HttpAnswer,
  type Identity,
  isConnectorError,
  type Json,
  readAnswer,
} from '@breakwater/sdk';
import type { GiteaForm } from '../plugin.ts';
import { Refusal, SearchResults, User } from './answers.ts';

/**
 * Whose token it is, and that it may list repositories.
 * Source: Gitea API 1.22, `GET /user`, `GET /repos/search`.
 */
export async function checkGitea({ http }: Ctx<GiteaForm>): Promise<Identity> {
  const user = readAnswer(User, explained(await http.request({ path: '/user', accept: [403, 404] })));
  const found = await http.request({ path: '/repos/search', query: { uid: user.id, limit: 1 }, accept: [403] });
  readAnswer(SearchResults, explained(found));
  return { identity: user.login };
}

/** The body, unless Gitea says which scope is missing or there is no Gitea at this address. */
function explained(answer: HttpAnswer): Json {
  const body = answerJson(answer);
  if (answer.status === 404) {
    throw new ConnectorError('config', 'There is no Gitea API at this address.', {
      help: 'Check protocol, domain and port; the API must be reachable below /api/v1.',
    });
  }
  if (answer.status !== 403) return body;
  const scopes = neededScopes(body);
  throw new ConnectorError('scope', `The token lacks a scope: ${scopes}.`, {
    help: 'Make a token with read access to "user" and "repository" under Settings, Applications.',
  });
}

/** Gitea names them: `token does not have at least one of required scope(s): [read:user]`. */
function neededScopes(body: Json): string {
  try {
    return /\[([a-z:, ]+)\]/.exec(readAnswer(Refusal, body).message)?.[1] ?? 'read:user, read:repository';
  } catch (error) {
    if (isConnectorError(error)) return 'read:user, read:repository';
    throw error;
  }
}
