import { ConnectorError, type Ctx, type Identity, type Json, readAnswer, type Static } from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { Installations, User } from './answers.ts';
import { ask, HEADERS, PAGE } from './requests.ts';

type Installation = Static<typeof Installations>['installations'][number];

/** What reading repositories and branches needs of the app. Source: GitHub, "Permissions required for GitHub Apps". */
const NEEDED = ['contents', 'metadata'];

/**
 * Whose token it is, and that it belongs to the installation that was entered.
 * Source: GitHub REST API, "Get the authenticated user" and "List app installations accessible to the user access token".
 */
export async function checkGithub(ctx: Ctx<GithubForm>): Promise<Identity> {
  const user = readAnswer(User, await ctx.http.json({ path: '/user', headers: HEADERS }));
  const installation = await findInstallation(ctx);
  if (installation.suspended_at) {
    throw new ConnectorError('scope', 'The installation of the app is suspended.', {
      help: 'Unsuspend it on GitHub: Settings, Applications, Configure.',
    });
  }
  const missing = NEEDED.filter((permission) => installation.permissions[permission] === undefined);
  if (missing.length > 0) {
    throw new ConnectorError('scope', `The app lacks the permissions ${missing.join(', ')} (read).`, {
      help: 'Add them in the settings of the app under Permissions, and accept the change in the installation.',
    });
  }
  const owner = installation.account?.login ?? installation.account?.slug;
  return {
    identity: owner === undefined || owner === user.login ? user.login : `${user.login} · ${owner}`,
    scopes: Object.entries(installation.permissions).map(([name, level]) => `${name}:${level}`),
  };
}

async function findInstallation(ctx: Ctx<GithubForm>): Promise<Installation> {
  // The first page is asked for by itself, because only its refusal says that the token is of the wrong kind.
  const first = await ask(ctx.http, '/user/installations', ctx.now());
  if (first.status !== 200) throw wrongKindOfToken();
  const id = ctx.config.installation_id;
  const found = matching(first.body, id);
  if (found) return found;
  const pages = ctx.http.pages({ path: '/user/installations', headers: HEADERS, query: PAGE }, { type: 'link' });
  for await (const page of pages) {
    const later = matching(page, id);
    if (later) return later;
  }
  throw new ConnectorError('config', `The token and installation ${id} do not belong together.`, {
    help: 'Enter the installation on which the user of the token has rights: Settings, Applications, Configure.',
  });
}

function matching(page: Json, id: string): Installation | undefined {
  return readAnswer(Installations, page).installations.find((installation) => String(installation.id) === id);
}

function wrongKindOfToken(): ConnectorError {
  return new ConnectorError('scope', 'The token works, but is no user access token of a GitHub App.', {
    help: 'Sign in through the GitHub App; personal access tokens cannot name their installations.',
  });
}
