import { ConnectorError, readAnswer, type Scm } from '@breakwater/sdk';
import type { BitbucketForm } from '../plugin.ts';
import { Branch, Repository, User } from './answers.ts';
import { rowsOf } from './pages.ts';
import { workspacesOf } from './workspaces.ts';

/** The reading half of Bitbucket Cloud. A repository's id is `workspace/{uuid}`: its uuid alone names it only within a workspace. */
export const scm: Scm<BitbucketForm> = {
  cloneUser: 'x-token-auth',
  async user({ http }) {
    const { username, display_name: displayName } = readAnswer(User, await http.json({ path: '/user' }));
    return { name: username ?? displayName };
  },

  async *listRepositories({ http, config }) {
    for (const workspace of workspacesOf(config.workspaces)) {
      for await (const repository of rowsOf(http, `/repositories/${encodeURIComponent(workspace)}`, Repository)) {
        const clone = repository.links.clone?.find(({ name }) => name === 'https')?.href;
        const main = repository.mainbranch?.name;
        yield {
          id: `${workspace}/${repository.uuid}`,
          name: repository.full_name,
          url: repository.links.html.href,
          ...(clone === undefined ? {} : { cloneUrl: withoutUser(clone) }),
          ...(main === undefined ? {} : { defaultBranch: main }),
          ...(repository.is_private === undefined ? {} : { isPrivate: repository.is_private }),
        };
      }
    }
  },

  async *listBranches({ http }, repository) {
    const [workspace, uuid] = repository.split('/');
    if (!workspace || !uuid) throw new ConnectorError('config', `"${repository}" is no repository of Bitbucket Cloud.`);
    const path = `/repositories/${encodeURIComponent(workspace)}/${encodeURIComponent(uuid)}/refs/branches`;
    for await (const branch of rowsOf(http, path, Branch)) yield { name: branch.name, commit: branch.target.hash };
  },
};

/** Bitbucket writes the name of whoever asks into clone addresses, which would make one repository look like many. */
function withoutUser(address: string): string {
  return address.replace(/^(https:\/\/)[^/@]+@/, '$1');
}
