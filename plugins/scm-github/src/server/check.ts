import { ConnectorError, type Ctx, type Identity, isConnectorError, readAnswer, type Static } from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { Installations, User } from './answers.ts';
import { HEADERS, PAGE } from './requests.ts';

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

async function findInstallation({ http, config }: Ctx<GithubForm>): Promise<Installation> {
  const id = config.installation_id;
  const pages = http.pages({ path: '/user/installations', headers: HEADERS, query: PAGE }, { type: 'link' });
  try {
    for await (const page of pages) {
      const { installations } = readAnswer(Installations, page);
      const found = installations.find((installation) => String(installation.id) === id);
      if (found) return found;
    }
  } catch (error) {
    // Every token of an app may list its installations: one that may not is of another kind.
    throw isConnectorError(error) && error.code === 'scope' ? wrongKindOfToken() : error;
  }
  throw new ConnectorError('config', `The token and installation ${id} do not belong together.`, {
    help: 'Enter the installation on which the user of the token has rights: Settings, Applications, Configure.',
  });
}

function wrongKindOfToken(): ConnectorError {
  return new ConnectorError('scope', 'The token works, but is no user access token of a GitHub App.', {
    help: 'Sign in through the GitHub App; personal access tokens cannot name their installations.',
  });
}
