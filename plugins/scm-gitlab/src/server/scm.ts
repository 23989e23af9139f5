import { createHash } from 'node:crypto';
import { answerJson, ConnectorError, type FileAt, readAnswer, type Scm, type ScmWrite } from '@breakwater/sdk';
import type { GitlabForm } from '../plugin.ts';
import { Branches, File, Projects, User } from './answers.ts';
import { commitFiles, createBranch } from './commits.ts';
import { posture } from './posture.ts';
import { type GitlabCtx, PAGE, projectPath, segment, wordsOf } from './requests.ts';
import { settings } from './settings.ts';
import { issue, pullRequest, resolveRef } from './states.ts';
import { setStatus } from './statuses.ts';
import { comment, openIssue, openPullRequest } from './threads.ts';
import { createWebhook, deleteWebhook } from './webhooks.ts';

const write: ScmWrite<GitlabForm> = {
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

/** Source control of GitLab. A repository is named by its id, or by its whole path `group/subgroup/project`. */
export const scm: Scm<GitlabForm> = {
  cloneUser: 'oauth2',
  async user({ http }) {
    const { username, email } = readAnswer(User, await http.json({ path: '/user' }));
    return { name: username, ...(email ? { email } : {}) };
  },

  async *listRepositories({ http }) {
    // By id and by key, so that a project made meanwhile moves none to another page.
    const query = { ...PAGE, owned: true, pagination: 'keyset', order_by: 'id', sort: 'asc' };
    for await (const page of http.pages({ path: '/projects', query }, { type: 'link' })) {
      for (const project of readAnswer(Projects, page)) {
        yield {
          id: String(project.id),
          name: project.path_with_namespace,
          url: project.web_url,
          ...(project.http_url_to_repo === undefined ? {} : { cloneUrl: project.http_url_to_repo }),
          ...(project.default_branch ? { defaultBranch: project.default_branch } : {}),
          ...(project.visibility === undefined ? {} : { isPrivate: project.visibility !== 'public' }),
          ...(project.archived === undefined ? {} : { isArchived: project.archived }),
        };
      }
    }
  },

  async *listBranches({ http }, repository) {
    const path = projectPath(repository, '/repository/branches');
    for await (const page of http.pages({ path, query: PAGE }, { type: 'link' })) {
      for (const branch of readAnswer(Branches, page)) {
        yield {
          name: branch.name,
          commit: branch.commit.id,
          ...(branch.protected === undefined ? {} : { isProtected: branch.protected }),
        };
      }
    }
  },

  readFile,
  posture,
  pullRequest,
  issue,
  resolveRef,
  write,
};

/** By its JSON, whose hash shows that the content is whole. Source: GitLab REST API v4, "Repository files". */
async function readFile({ http }: GitlabCtx, { repository, path, at }: FileAt): Promise<Uint8Array | null> {
  const answer = await http.request({
    path: projectPath(repository, `/repository/files/${segment(path)}`),
    query: { ref: at },
    accept: [404],
  });
  if (answer.status === 404) {
    if (/\b(File|Commit) Not Found/i.test(wordsOf(answer))) return null;
    throw new ConnectorError('config', `GitLab knows no project "${repository}", or the token does not see it.`);
  }
  const file = readAnswer(File, answerJson(answer));
  const content = new Uint8Array(Buffer.from(file.content, 'base64'));
  if (createHash('sha256').update(content).digest('hex') === file.content_sha256) return content;
  throw new ConnectorError('upstream', 'GitLab sent a file whose content is not the one that its hash names.');
}
