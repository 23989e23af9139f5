import { readAnswer, type Scm, type ScmWrite } from '@breakwater/sdk';
import type { BitbucketForm } from '../plugin.ts';
import { Branch, Repository, User } from './answers.ts';
import { commitFiles, createBranch } from './commits.ts';
import { rowsOf } from './pages.ts';
import { posture } from './posture.ts';
import { commitAt, repositoryOf, repositoryPath } from './requests.ts';
import { settings } from './settings.ts';
import { contentOf, sourceEntry } from './source.ts';
import { issue, pullRequest, resolveRef } from './states.ts';
import { comment, openIssue, openPullRequest, setStatus } from './threads.ts';
import { createWebhook, deleteWebhook } from './webhooks.ts';
import { workspacesOf } from './workspaces.ts';

const write: ScmWrite<BitbucketForm> = {
  createBranch,
  commitFiles,
  openPullRequest,
  openIssue,
  comment,
  setStatus,
  createWebhook,
  deleteWebhook,
  settings,
};

/** Source control of Bitbucket Cloud. A repository's id is `workspace/{uuid}`: its uuid alone names it only within a workspace. */
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
    const path = repositoryPath(repository, '/refs/branches');
    for await (const branch of rowsOf(http, path, Branch)) yield { name: branch.name, commit: branch.target.hash };
  },

  async readFile(ctx, { repository, path, at }) {
    const commit = await commitAt(ctx, repository, at);
    const entry = commit === null ? null : await sourceEntry(ctx, { repository, commit, path });
    if (entry !== null && commit !== null) return contentOf(ctx, { repository, commit, path, size: entry.size });
    await repositoryOf(ctx, repository);
    return null;
  },

  posture,
  pullRequest,
  issue,
  resolveRef,
  write,
};

/** Bitbucket writes the name of whoever asks into clone addresses, which would make one repository look like many. */
function withoutUser(address: string): string {
  return address.replace(/^(https?:\/\/)[^/@]+@/, '$1');
}
