import { branchPath, ConnectorError, filePath, readAnswer, type Scm, type ScmWrite, Type } from '@breakwater/sdk';
import type { GiteaForm } from '../plugin.ts';
import { Branch, SearchResults, User } from './answers.ts';
import { commitFiles, createBranch } from './commits.ts';
import { comment, openIssue, openPullRequest, setStatus } from './discussions.ts';
import { rowsOf } from './pages.ts';
import { posture } from './posture.ts';
import { nameOnce, nameRepository } from './requests.ts';
import { settings } from './settings.ts';
import { issue, pullRequest, resolveRef } from './states.ts';
import { createWebhook, deleteWebhook } from './webhooks.ts';

const Branches = Type.Array(Branch);

const write: ScmWrite<GiteaForm> = {
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

/** Gitea's repositories, read and written. */
export const scm: Scm<GiteaForm> = {
  cloneUser: 'oauth2',
  async user({ http }) {
    const { login, email } = readAnswer(User, await http.json({ path: '/user' }));
    return { name: login, ...(email ? { email } : {}) };
  },

  async *listRepositories({ http }) {
    const { id } = readAnswer(User, await http.json({ path: '/user' }));
    // Without `uid` a public server answers with every repository of everybody.
    const query = { uid: id, sort: 'id', order: 'asc' };
    const rows = rowsOf(http, { path: '/repos/search', query }, (page) => readAnswer(SearchResults, page).data);
    for await (const repository of rows) {
      yield {
        id: String(repository.id),
        name: repository.full_name,
        url: repository.html_url,
        ...(repository.clone_url === undefined ? {} : { cloneUrl: repository.clone_url }),
        ...(repository.default_branch ? { defaultBranch: repository.default_branch } : {}),
        ...(repository.private === undefined ? {} : { isPrivate: repository.private }),
        ...(repository.archived === undefined ? {} : { isArchived: repository.archived }),
      };
    }
  },

  async *listBranches({ http }, repository) {
    const { path } = await nameRepository(http, repository);
    for await (const branch of rowsOf(http, { path: `${path}/branches` }, (page) => readAnswer(Branches, page))) {
      yield {
        name: branch.name,
        commit: branch.commit.id,
        ...(branch.protected === undefined ? {} : { isProtected: branch.protected }),
      };
    }
  },

  async readFile({ http }, { repository, path, at }) {
    if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(at)) branchPath(at);
    const file = filePath(path);
    const named = await nameOnce(http, repository);
    const answer = await http.request({ path: `${named.path}/raw/${file}`, query: { ref: at }, accept: [404] });
    if (answer.status === 404) return null;
    // Gitea sends text of any kind as plain text: a page is somebody else's.
    if (!/^text\/html/i.test(answer.headers['content-type'] ?? '')) return answer.body;
    throw new ConnectorError('upstream', 'A web page came instead of the file.', {
      help: 'Is there a proxy in front of Gitea that asks to sign in?',
    });
  },

  posture,
  pullRequest,
  issue,
  resolveRef,
  write,
};
