import type { Mutations } from './mutate.ts';

/** Source control of ours: reads, writes, deliveries, settings. */
export const gitea: Mutations = {
  connector: 'gitea',
  folder: 'plugins/scm-gitea',
  faults: [
    {
      name: 'the repositories of everybody are listed',
      file: 'src/server/scm.ts',
      find: "{ uid: id, sort: 'id', order: 'asc' }",
      replace: "{ sort: 'id', order: 'asc', q: String(id).slice(0, 0) }",
    },
    {
      name: 'a short page ends a list, although servers cap the size of pages',
      file: 'src/server/pages.ts',
      find: 'rows.length === 0 || count >= total',
      replace: 'rows.length < LIMIT || count >= total',
    },
    {
      name: 'one page too many is asked for',
      file: 'src/server/pages.ts',
      find: 'count >= total',
      replace: 'count > total',
    },
    {
      name: 'pages count from 0',
      file: 'src/server/pages.ts',
      find: 'let page = 1; page <= MOST_PAGES',
      replace: 'let page = 0; page < MOST_PAGES',
    },
    {
      name: 'only the first page of a list is read',
      file: 'src/server/pages.ts',
      find: 'page <= MOST_PAGES; page += 1',
      replace: 'page <= 1; page += 1',
    },
    {
      name: 'a repository is known by its name',
      file: 'src/server/scm.ts',
      find: 'id: String(repository.id)',
      replace: 'id: repository.full_name',
    },
    {
      name: 'archived repositories are not marked',
      file: 'src/server/scm.ts',
      find: '...(repository.archived === undefined ? {} : { isArchived: repository.archived }),',
      replace: '',
    },
    {
      name: 'the default branch is taken to be "main"',
      file: 'src/server/scm.ts',
      find: '{ defaultBranch: repository.default_branch }',
      replace: "{ defaultBranch: 'main' }",
    },
    {
      name: 'a branch names its own hash instead of its commit',
      file: 'src/server/scm.ts',
      find: 'commit: branch.commit.id',
      replace: 'commit: branch.name',
    },
    {
      name: 'a file is read from the default branch, whatever is asked',
      file: 'src/server/scm.ts',
      find: 'query: { ref: at }, accept: [404]',
      replace: 'accept: [404]',
    },
    {
      name: 'a file that is not there is an empty one',
      file: 'src/server/scm.ts',
      find: 'if (answer.status === 404) return null;',
      replace: 'if (answer.status === 404) return new Uint8Array();',
    },
    {
      name: 'a merged pull request is closed',
      file: 'src/server/states.ts',
      find: "merged === true ? 'merged' : state === 'closed'",
      replace: "state === 'closed'",
    },
    {
      name: 'a ref that is no tag is unknown, also where it is a branch',
      file: 'src/server/states.ts',
      find: 'if (tag.status !== 404) return readAnswer(Tag, answerJson(tag)).commit.sha;',
      replace: 'return tag.status === 404 ? null : readAnswer(Tag, answerJson(tag)).commit.sha;',
    },
    {
      name: 'a missing scope is a refused token',
      file: 'src/server/check.ts',
      find: "throw new ConnectorError('scope', `The token lacks",
      replace: "throw new ConnectorError('auth', `The token lacks",
    },
    {
      name: 'an issue is opened twice, because the mark of its key is not written',
      file: 'src/server/discussions.ts',
      find: 'const body = { title, body: withKeyMark(description, key), ...ids };',
      replace: 'const body = { title, body: description, ...ids };',
    },
    {
      name: 'a pull request is opened twice, because nobody looks for it',
      file: 'src/server/discussions.ts',
      find: "const known = await findMarked(http, open, { type: 'pulls', key });",
      replace: 'const known: ScmLink | null = null as ScmLink | null;',
    },
    {
      name: 'a comment is written twice, because the list of another thread is asked',
      file: 'src/server/discussions.ts',
      find: "await open.json('issue', { path }));\n  const known",
      replace: "await open.json('issue', { path: open.path.concat('/issues/comments') }));\n  const known",
    },
    {
      name: 'a commit is made for files that are so already',
      file: 'src/server/commits.ts',
      find: 'return isSame ? [] : [',
      replace: 'return isSame && content === null ? [] : [',
    },
    {
      name: 'a push to a tag counts as one to a branch',
      file: 'src/server/webhooks.ts',
      find: '/^refs\\/heads\\/(.+)$/s',
      replace: '/^refs\\/(?:heads|tags)\\/(.+)$/s',
    },
    {
      name: 'the setting that may not be seen is fine',
      file: 'src/server/posture.ts',
      find: "if (list === null) return { state: 'unknown', detail: 'The connection may not see deploy keys.', url };",
      replace: "if (list === null) return { state: 'ok', detail: 'There are no deploy keys.', url };",
    },
  ],
};
