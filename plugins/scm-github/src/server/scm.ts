import { branchPath, ConnectorError, type Ctx, filePath, readAnswer, type Scm, type ScmWrite } from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { Branches, InstallationRepositories, User } from './answers.ts';
import { commitFiles, createBranch } from './commits.ts';
import { comment, openIssue, openPullRequest, setStatus } from './discussions.ts';
import { posture } from './posture.ts';
import { HEADERS, PAGE, readRepository, repositoryPath } from './requests.ts';
import { settings } from './settings.ts';
import { issue, pullRequest, resolveRef } from './states.ts';
import { createWebhook, deleteWebhook } from './webhooks.ts';

const write: ScmWrite<GithubForm> = {
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

/** GitHub's repositories, read and written. */
export const scm: Scm<GithubForm> = {
  cloneUser: 'x-access-token',
  async user({ http }) {
    const { login, email } = readAnswer(User, await http.json({ path: '/user', headers: HEADERS }));
    return { name: login, ...(email ? { email } : {}) };
  },

  async *listRepositories({ http, config }: Ctx<GithubForm>) {
    const path = `/user/installations/${encodeURIComponent(config.installation_id)}/repositories`;
    for await (const page of http.pages({ path, headers: HEADERS, query: PAGE }, { type: 'link' })) {
      for (const repository of readAnswer(InstallationRepositories, page).repositories) {
        yield {
          id: String(repository.id),
          name: repository.full_name,
          url: repository.html_url,
          ...(repository.clone_url === undefined ? {} : { cloneUrl: repository.clone_url }),
          ...(repository.default_branch === undefined ? {} : { defaultBranch: repository.default_branch }),
          ...(repository.private === undefined ? {} : { isPrivate: repository.private }),
          ...(repository.archived === undefined ? {} : { isArchived: repository.archived }),
        };
      }
    }
  },

  async *listBranches({ http }, repository) {
    // By id, as GitHub itself writes it in its links to next pages: a renamed repository stays the same one.
    const path = `${repositoryPath(repository)}/branches`;
    for await (const page of http.pages({ path, headers: HEADERS, query: PAGE }, { type: 'link' })) {
      for (const branch of readAnswer(Branches, page)) {
        yield {
          name: branch.name,
          commit: branch.commit.sha,
          ...(branch.protected === undefined ? {} : { isProtected: branch.protected }),
        };
      }
    }
  },

  async readFile({ http }, { repository, path, at }) {
    const isCommit = /^[0-9a-f]{40}$/.test(at);
    if (!isCommit) branchPath(at);
    const answer = await http.request({
      path: `${repositoryPath(repository)}/contents/${filePath(path)}`,
      query: { ref: isCommit ? at : `refs/heads/${at}` },
      headers: { ...HEADERS, accept: 'application/vnd.github.raw+json' },
      accept: [404],
    });
    if (answer.status === 404) {
      await readRepository(http, repository);
      return null;
    }
    // A folder is listed as JSON, whatever is asked for.
    const type = answer.headers['content-type'] ?? '';
    if (type.startsWith('application/vnd.github.')) return answer.body;
    if (type.startsWith('application/json')) return null;
    throw new ConnectorError('upstream', 'GitHub answered with something that is neither a file nor a folder.');
  },

  posture,
  pullRequest,
  issue,
  resolveRef,
  write,
};
