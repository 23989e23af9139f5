import {
  answerJson,
  ConnectorError,
  type Ctx,
  type HttpAnswer,
  type Identity,
  type Json,
  readAnswer,
} from '@breakwater/sdk';
import type { BitbucketForm } from '../plugin.ts';
import { Page, Repository, User, WorkspaceAccess } from './answers.ts';
import { rowsOf } from './pages.ts';
import { readRefusal } from './requests.ts';
import { workspacesOf } from './workspaces.ts';

/**
 * Whose token it is, and that it sees every workspace that was entered and may read repositories there.
 * Source: Bitbucket Cloud REST API 2.0, `GET /user`, `GET /user/workspaces`, `GET /repositories/{workspace}`.
 */
export async function checkBitbucket({ http, config }: Ctx<BitbucketForm>): Promise<Identity> {
  const userAnswer = await http.request({ path: '/user', accept: [403] });
  const user = readAnswer(User, explained(userAnswer));
  const entered = workspacesOf(config.workspaces);
  const visible = new Set<string>();
  for await (const { workspace } of rowsOf(http, '/user/workspaces', WorkspaceAccess)) visible.add(workspace.slug);
  const unknown = entered.filter((slug) => !visible.has(slug));
  if (unknown.length > 0) {
    throw new ConnectorError(
      'config',
      `The token sees no workspace ${unknown.map((slug) => `"${slug}"`).join(', ')}.`,
      {
        help: 'Check the spelling, as in bitbucket.org/<workspace>/, and that the user of the token is a member.',
      },
    );
  }
  for (const slug of entered) {
    const path = `/repositories/${encodeURIComponent(slug)}`;
    const repositories = await http.request({ path, query: { pagelen: 1 }, accept: [403] });
    readAnswer(Page(Repository), explained(repositories));
  }
  return { identity: user.username ?? user.display_name, scopes: grantedScopes(userAnswer) };
}

/** Bitbucket lists the scopes of a token with every answer. */
function grantedScopes({ headers }: HttpAnswer): string[] {
  return (headers['x-oauth-scopes'] ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
}

/** The body, unless Bitbucket says which scope is missing. */
function explained(answer: HttpAnswer): Json {
  const body = answerJson(answer);
  if (answer.status !== 403) return body;
  const required = (readRefusal(body)?.error.detail?.required ?? []).join(', ');
  throw new ConnectorError(
    'scope',
    required === ''
      ? 'The token lacks a scope: it may not read repositories.'
      : `The token lacks a scope: ${required}.`,
    {
      help: 'Sign in again and allow access to account and repositories.',
    },
  );
}
