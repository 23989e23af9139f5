import { readAnswer, type Scm, Type } from '@breakwater/sdk';
import type { GiteaForm } from '../plugin.ts';
import { Branch, Repository, SearchResults, User } from './answers.ts';
import { rowsOf } from './pages.ts';

const Branches = Type.Array(Branch);

/** The reading half of Gitea. */
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
    // Branches are listed by name only, so the present name of the repository is asked for first.
    const { full_name: name } = readAnswer(
      Repository,
      await http.json({ path: `/repositories/${encodeURIComponent(repository)}` }),
    );
    const path = `/repos/${name.split('/').map(encodeURIComponent).join('/')}/branches`;
    for await (const branch of rowsOf(http, { path }, (page) => readAnswer(Branches, page))) {
      yield {
        name: branch.name,
        commit: branch.commit.id,
        ...(branch.protected === undefined ? {} : { isProtected: branch.protected }),
      };
    }
  },
};
