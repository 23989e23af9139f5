import { answerJson, ConnectorError, type HttpAnswer, type Identity, type Json, readAnswer } from '@breakwater/sdk';
import { Projects, User } from './answers.ts';
import { type GitlabCtx, missingScopes } from './requests.ts';

/**
 * Whose token it is, and that it may list projects.
 * Source: GitLab REST API v4, "Get the current user" and "List all projects".
 */
export async function checkGitlab({ http }: GitlabCtx): Promise<Identity> {
  const user = readAnswer(User, explained(await http.request({ path: '/user', accept: [403] })));
  const projects = await http.request({ path: '/projects', query: { owned: true, per_page: 1 }, accept: [403] });
  readAnswer(Projects, explained(projects));
  return { identity: user.username };
}

/** The body, unless GitLab says which scope is missing. */
function explained(answer: HttpAnswer): Json {
  const body = answerJson(answer);
  if (answer.status !== 403) return body;
  const scopes = missingScopes(body);
  const lacking =
    scopes === undefined ? 'The token lacks a scope: it may not read projects.' : `The token lacks a scope: ${scopes}.`;
  throw new ConnectorError('scope', lacking, {
    help: 'Sign in again, or make a personal access token with the scope "api" or "read_api".',
  });
}
