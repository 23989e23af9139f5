import { type Json, readAnswer, type Static, Type } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import {
  account,
  addressOf,
  type FakeComment,
  type FakeHook,
  type FakeIssue,
  type FakeRepository,
  MADE_AT,
  page,
  type RepositoryCall,
  type Route,
  refusal,
} from './state.ts';

const of = (path: string): RegExp => new RegExp(`^/repositories/(\\d+)${path}$`);

const NewPull = Type.Object({ title: Type.String(), head: Type.String(), base: Type.String(), body: Type.String() });
const NewIssue = Type.Object({
  title: Type.String(),
  body: Type.String(),
  labels: Type.Optional(Type.Array(Type.String())),
});
const NewComment = Type.Object({ body: Type.String() });
const NewStatus = Type.Object({
  state: Type.String(),
  context: Type.String(),
  description: Type.Union([Type.String({ maxLength: 140 }), Type.Null()]),
  target_url: Type.Union([Type.String(), Type.Null()]),
});
const NewHook = Type.Object({
  active: Type.Boolean(),
  events: Type.Array(Type.String()),
  config: Type.Record(Type.String(), Type.String()),
});

/** Pull requests, issues, comments, statuses and hooks. Source: GitHub REST API, version 2022-11-28. */
export const WRITE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: of('/pulls'),
    of: 'repository',
    shape: 'pull-request-row',
    isList: '',
    needs: ['pull_requests', 'read'],
    answer: listPulls,
  },
  {
    method: 'POST',
    path: of('/pulls'),
    of: 'repository',
    shape: 'pull-request',
    needs: ['pull_requests', 'write'],
    answer: createPull,
  },
  {
    method: 'GET',
    path: of('/pulls/(\\d+)'),
    of: 'repository',
    shape: 'pull-request',
    needs: ['pull_requests', 'read'],
    answer: async ({ repository, parts: [number] }) => {
      const found = repository.issues.find((one) => String(one.number) === number && one.head !== undefined);
      return found === undefined
        ? refusal(404, 'Not Found')
        : { json: { ...(await pullRow(repository, found)), merged: found.isMerged === true } };
    },
  },
  {
    method: 'GET',
    path: of('/issues/(\\d+)'),
    of: 'repository',
    shape: 'issue',
    needs: ['issues', 'read'],
    answer: ({ repository, parts: [number] }) => {
      const found = repository.issues.find((one) => String(one.number) === number);
      return found === undefined ? refusal(404, 'Not Found') : { json: issueRow(repository, found) };
    },
  },
  {
    method: 'GET',
    path: of('/issues'),
    of: 'repository',
    shape: 'issue',
    isList: '',
    needs: ['issues', 'read'],
    answer: listIssues,
  },
  {
    method: 'POST',
    path: of('/issues'),
    of: 'repository',
    shape: 'issue',
    needs: ['issues', 'write'],
    answer: createIssue,
  },
  {
    method: 'GET',
    path: of('/issues/(\\d+)/comments'),
    of: 'repository',
    shape: 'comment',
    isList: '',
    needs: ['issues', 'read'],
    answer: ({ repository, request, parts: [number] }) => {
      const all = repository.comments.filter(({ issue }) => String(issue) === number);
      return page(
        request,
        all.map((comment) => commentRow(repository, comment)),
      );
    },
  },
  {
    method: 'POST',
    path: of('/issues/(\\d+)/comments'),
    of: 'repository',
    shape: 'comment',
    needs: ['issues', 'write'],
    answer: createComment,
  },
  {
    method: 'PATCH',
    path: of('/issues/comments/(\\d+)'),
    of: 'repository',
    shape: 'comment',
    needs: ['issues', 'write'],
    answer: changeComment,
  },
  {
    method: 'GET',
    path: of('/commits/([0-9a-f]{40})/statuses'),
    of: 'repository',
    shape: 'status',
    isList: '',
    needs: ['statuses', 'read'],
    answer: ({ repository, request, parts: [sha] }) =>
      page(
        request,
        repository.statuses.filter(({ commit }) => commit === sha).map(({ status }) => status),
      ),
  },
  {
    method: 'POST',
    path: of('/statuses/([0-9a-f]{40})'),
    of: 'repository',
    shape: 'status',
    needs: ['statuses', 'write'],
    answer: createStatus,
  },
  {
    method: 'GET',
    path: of('/hooks'),
    of: 'repository',
    shape: 'hook',
    isList: '',
    needs: ['repository_hooks', 'read'],
    answer: ({ repository, request }) => page(request, repository.hooks.map(hookRow)),
  },
  {
    method: 'POST',
    path: of('/hooks'),
    of: 'repository',
    shape: 'hook',
    needs: ['repository_hooks', 'write'],
    answer: createHook,
  },
  {
    method: 'PATCH',
    path: of('/hooks/(\\d+)'),
    of: 'repository',
    shape: 'hook',
    needs: ['repository_hooks', 'write'],
    answer: changeHook,
  },
  {
    method: 'DELETE',
    path: of('/hooks/(\\d+)'),
    of: 'repository',
    needs: ['repository_hooks', 'write'],
    answer: ({ repository, parts: [id] }) => {
      const index = repository.hooks.findIndex((hook) => String(hook.id) === id);
      if (index < 0) return refusal(404, 'Not Found');
      repository.hooks.splice(index, 1);
      return { status: 204 };
    },
  },
];

async function listPulls({ repository, request }: RepositoryCall): Promise<TestAnswer> {
  const [head, base] = [request.query.get('head'), request.query.get('base')];
  const found = repository.issues.filter(
    (issue) =>
      issue.head !== undefined &&
      (head === null || head === `${repository.owner}:${issue.head}`) &&
      (base === null || base === issue.base),
  );
  return page(request, await Promise.all(found.map((issue) => pullRow(repository, issue))));
}

async function createPull({ known, repository, body }: RepositoryCall): Promise<TestAnswer> {
  const { title, head, base, body: text } = readAnswer(NewPull, body);
  const git = await repository.git();
  const branches = await git.branches();
  const invalid = (message: string): TestAnswer =>
    refusal(422, 'Validation Failed', [{ resource: 'PullRequest', code: 'custom', message }]);
  const [from, into] = [branches.get(head), branches.get(base)];
  if (from === undefined || into === undefined) {
    const field = from === undefined ? 'head' : 'base';
    return refusal(422, 'Validation Failed', [{ resource: 'PullRequest', field, code: 'invalid' }]);
  }
  if (repository.issues.some((one) => one.head === head && one.base === base && one.state === 'open')) {
    return invalid(`A pull request already exists for ${repository.owner}:${head}.`);
  }
  if (await git.isAncestor(from, into)) return invalid(`No commits between ${base} and ${head}`);
  const issue = addIssue(repository, { title, body: text, user: known.login, labels: [], head, base });
  return { status: 201, json: { ...(await pullRow(repository, issue)), merged: false } };
}

function addIssue(repository: FakeRepository, issue: Omit<FakeIssue, 'number' | 'state'>): FakeIssue {
  const added = { ...issue, number: repository.issues.length + 1, state: 'open' };
  repository.issues.push(added);
  return added;
}

async function pullRow(repository: FakeRepository, issue: FakeIssue): Promise<{ readonly [key: string]: Json }> {
  const { labels: _, pull_request: __, state_reason: ___, ...row } = issueRow(repository, issue);
  const git = await repository.git();
  const side = async (ref = '') => ({ ref, sha: (await git.resolve(ref)) ?? '' });
  return { ...row, head: await side(issue.head), base: await side(issue.base) };
}

function issueRow(repository: FakeRepository, issue: FakeIssue): { readonly [key: string]: Json } {
  const { number, state, state_reason = null, title, body, labels, user, head } = issue;
  const html_url = `${addressOf(repository)}/${head === undefined ? 'issues' : 'pull'}/${number}`;
  const pull = head === undefined ? {} : { pull_request: { url: html_url, html_url } };
  const names = labels.map((name) => ({ name }));
  const row = { id: 1000 + number, number, state, state_reason, title, body, html_url };
  return { ...row, user: account(user), labels: names, ...pull };
}

/** Pull requests are issues too, and listed with them. */
function listIssues({ repository, request }: RepositoryCall): TestAnswer {
  const creator = request.query.get('creator');
  const found = repository.issues.filter(({ user }) => creator === null || user === creator).toReversed();
  return page(
    request,
    found.map((issue) => issueRow(repository, issue)),
  );
}

function createIssue({ known, repository, body }: RepositoryCall): TestAnswer {
  if (!repository.hasIssues) return refusal(410, 'Issues are disabled for this repo');
  const { title, body: text, labels = [] } = readAnswer(NewIssue, body);
  return {
    status: 201,
    json: issueRow(repository, addIssue(repository, { title, body: text, user: known.login, labels })),
  };
}

function commentRow(repository: FakeRepository, { id, issue, user, body }: FakeComment): Json {
  const address = `${addressOf(repository)}/issues/${issue}`;
  const times = { created_at: MADE_AT, updated_at: MADE_AT };
  return { id, body, user: account(user), html_url: `${address}#issuecomment-${id}`, issue_url: address, ...times };
}

function createComment({ known, repository, parts: [number], body }: RepositoryCall): TestAnswer {
  const issue = Number(number);
  if (!repository.issues.some((one) => one.number === issue)) return refusal(404, 'Not Found');
  const { body: text } = readAnswer(NewComment, body);
  const comment = { id: repository.comments.length + 1, issue, user: known.login, body: text };
  repository.comments.push(comment);
  return { status: 201, json: commentRow(repository, comment) };
}

function changeComment({ known, repository, parts: [id], body }: RepositoryCall): TestAnswer {
  const comment = repository.comments.find((one) => String(one.id) === id);
  if (comment === undefined) return refusal(404, 'Not Found');
  if (comment.user !== known.login) return refusal(403, 'Resource not accessible by integration');
  comment.body = readAnswer(NewComment, body).body;
  return { json: commentRow(repository, comment) };
}

async function createStatus({ repository, parts: [commit = ''], body }: RepositoryCall): Promise<TestAnswer> {
  const wanted: Static<typeof NewStatus> = readAnswer(NewStatus, body);
  const git = await repository.git();
  if ((await git.resolve(commit)) === null) return refusal(422, `No commit found for SHA: ${commit}`);
  const id = repository.statuses.length + 1;
  const url = `https://api.github.com/statuses/${id}`;
  const status = { id, url, ...wanted, created_at: MADE_AT, updated_at: MADE_AT };
  repository.statuses.unshift({ commit, status });
  return { status: 201, json: status };
}

function hookRow({ id, events, active, config }: FakeHook): Json {
  const url = `https://api.github.com/hooks/${id}`;
  const shown = { ...config, secret: '********' };
  const times = { created_at: MADE_AT, updated_at: MADE_AT };
  return { id, type: 'Repository', name: 'web', active, events, config: shown, url, ...times };
}

function createHook({ repository, body }: RepositoryCall): TestAnswer {
  const wanted = readAnswer(NewHook, body);
  if (repository.hooks.some(({ config }) => config['url'] === wanted.config['url'])) {
    return refusal(422, 'Validation Failed', [
      { resource: 'Hook', code: 'custom', message: 'Hook already exists on this repository' },
    ]);
  }
  const hook = { id: 1 + Math.max(0, ...repository.hooks.map(({ id }) => id)), ...wanted };
  repository.hooks.push(hook);
  return { status: 201, json: hookRow(hook) };
}

function changeHook({ repository, parts: [id], body }: RepositoryCall): TestAnswer {
  const hook = repository.hooks.find((one) => String(one.id) === id);
  if (hook === undefined) return refusal(404, 'Not Found');
  Object.assign(hook, readAnswer(NewHook, body));
  return { json: hookRow(hook) };
}
