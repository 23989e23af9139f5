import { readAnswer, type Scm } from '@breakwater/sdk';
import type { GitlabForm } from '../plugin.ts';
import { Branches, Projects, User } from './answers.ts';

/** 100 is GitLab's largest page (specification §9). */
const PAGE = { per_page: 100 } as const;

/** The reading half of GitLab. */
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
    const path = `/projects/${encodeURIComponent(repository)}/repository/branches`;
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
};
