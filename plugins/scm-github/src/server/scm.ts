import { type Ctx, readAnswer, type Scm } from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { Branches, InstallationRepositories, User } from './answers.ts';
import { HEADERS, PAGE } from './requests.ts';

/** The reading half of GitHub. */
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
    const path = `/repositories/${encodeURIComponent(repository)}/branches`;
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
};
