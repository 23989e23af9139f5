import { type Json, readAnswer, Type } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import { branchRow } from './read-routes.ts';
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

const of = (path: string): RegExp => new RegExp(`^/repos/([^/]+)/([^/]+)${path}$`);

const NewBranch = Type.Object({ new_branch_name: Type.String(), old_ref_name: Type.String() });
const NewFiles = Type.Object({
  branch: Type.String(),
  message: Type.String(),
  files: Type.Array(
    Type.Object({
      operation: Type.String(),
      path: Type.String(),
      content: Type.Optional(Type.String()),
      sha: Type.Optional(Type.String()),
    }),
    { minItems: 1 },
  ),
});
const NewPull = Type.Object({ title: Type.String(), head: Type.String(), base: Type.String(), body: Type.String() });
const NewIssue = Type.Object({
  title: Type.String(),
  body: Type.String(),
  labels: Type.Optional(Type.Array(Type.Integer())),
});
const NewLabel = Type.Object({ name: Type.String(), color: Type.String({ pattern: '^#[0-9a-f]{6}$' }) });
const NewComment = Type.Object({ body: Type.String() });
const NewStatus = Type.Object({
  state: Type.String(),
  context: Type.String(),
  description: Type.String({ maxLength: 255 }),
  target_url: Type.String(),
});
const NewHook = Type.Object({
  active: Type.Boolean(),
  events: Type.Array(Type.String()),
  config: Type.Record(Type.String(), Type.String()),
});

/** What writes, and the lists that belong to it. Source: Gitea API 1.22. */
export const WRITE_ROUTES: readonly Route[] = [
  { method: 'POST', path: of('/branches'), of: 'repository', role: 'push', shape: 'Branch', answer: createBranch },
  {
    method: 'POST',
    path: of('/contents'),
    of: 'repository',
    role: 'push',
    shape: 'FilesResponse',
    answer: changeFiles,
  },
  { method: 'POST', path: of('/pulls'), of: 'repository', shape: 'PullRequest', answer: createPull },
  {
    method: 'GET',
    path: of('/pulls/(\\d+)'),
    of: 'repository',
    shape: 'PullRequest',
    answer: async ({ repository, parts: [number] }) => {
      const found = repository.issues.find((one) => String(one.number) === number && one.head !== undefined);
      return found === undefined
        ? refusal(404, "The target couldn't be found.")
        : { json: await pullRow(repository, found) };
    },
  },
  {
    method: 'GET',
    path: of('/issues/(\\d+)'),
    of: 'repository',
    scope: 'issue',
    shape: 'Issue',
    answer: ({ repository, parts: [number] }) => {
      const found = repository.issues.find((one) => String(one.number) === number);
      return found === undefined
        ? refusal(404, "The target couldn't be found.")
        : { json: issueRow(repository, found) };
    },
  },
  {
    method: 'GET',
    path: of('/issues'),
    of: 'repository',
    scope: 'issue',
    shape: 'Issue',
    isList: '',
    answer: listIssues,
  },
  { method: 'POST', path: of('/issues'), of: 'repository', scope: 'issue', shape: 'Issue', answer: createIssue },
  {
    method: 'GET',
    path: of('/labels'),
    of: 'repository',
    scope: 'issue',
    shape: 'Label',
    isList: '',
    answer: (call) =>
      page(
        call,
        call.repository.labels.map((label) => ({ ...label })),
      ),
  },
  {
    method: 'POST',
    path: of('/labels'),
    of: 'repository',
    scope: 'issue',
    shape: 'Label',
    answer: ({ repository, body }) => {
      const label = { id: repository.labels.length + 1, name: readAnswer(NewLabel, body).name };
      repository.labels.push(label);
      return { status: 201, json: label };
    },
  },
  {
    method: 'GET',
    path: of('/issues/(\\d+)/comments'),
    of: 'repository',
    scope: 'issue',
    shape: 'Comment',
    isList: '',
    answer: ({ repository, parts: [number] }) => {
      const all = repository.comments.filter(({ issue }) => String(issue) === number);
      return { json: all.map((comment) => commentRow(repository, comment)) };
    },
  },
  {
    method: 'POST',
    path: of('/issues/(\\d+)/comments'),
    of: 'repository',
    scope: 'issue',
    shape: 'Comment',
    answer: createComment,
  },
  {
    method: 'PATCH',
    path: of('/issues/comments/(\\d+)'),
    of: 'repository',
    scope: 'issue',
    shape: 'Comment',
    answer: changeComment,
  },
  {
    method: 'GET',
    path: of('/statuses/([0-9a-f]{40})'),
    of: 'repository',
    shape: 'CommitStatus',
    isList: '',
    answer: (call) => {
      const all = call.repository.statuses.filter(({ commit }) => commit === call.parts[0]);
      return page(
        call,
        all.map(({ status }) => status),
      );
    },
  },
  {
    method: 'POST',
    path: of('/statuses/([0-9a-f]{40})'),
    of: 'repository',
    role: 'push',
    shape: 'CommitStatus',
    answer: createStatus,
  },
  {
    method: 'GET',
    path: of('/hooks'),
    of: 'repository',
    role: 'admin',
    shape: 'Hook',
    isList: '',
    answer: (call) => page(call, call.repository.hooks.map(hookRow)),
  },
  { method: 'POST', path: of('/hooks'), of: 'repository', role: 'admin', shape: 'Hook', answer: createHook },
  { method: 'PATCH', path: of('/hooks/(\\d+)'), of: 'repository', role: 'admin', shape: 'Hook', answer: changeHook },
  {
    method: 'DELETE',
    path: of('/hooks/(\\d+)'),
    of: 'repository',
    role: 'admin',
    answer: ({ repository, parts: [id] }) => {
      const index = repository.hooks.findIndex((hook) => String(hook.id) === id);
      if (index < 0) return refusal(404, "The target couldn't be found.");
      repository.hooks.splice(index, 1);
      return { status: 204 };
    },
  },
];

async function createBranch({ repository, body }: RepositoryCall): Promise<TestAnswer> {
  const { new_branch_name: name, old_ref_name: from } = readAnswer(NewBranch, body);
  const git = await repository.git();
  const start = await git.resolve(from);
  if (start === null) return refusal(404, 'The old branch does not exist');
  if ((await git.branches()).has(name)) return refusal(409, 'The branch already exists.');
  const isMade = await git.setBranch(name, start);
  return isMade
    ? { status: 201, json: branchRow(repository, name, start) }
    : refusal(409, 'The branch name conflicts.');
}

/** Each file must be as the request says it was: that is how Gitea keeps changes of others. */
async function changeFiles({ repository, body }: RepositoryCall): Promise<TestAnswer> {
  const { branch, message, files } = readAnswer(NewFiles, body);
  const git = await repository.git();
  const head = (await git.branches()).get(branch);
  if (head === undefined) return refusal(404, `branch does not exist [name: ${branch}]`);
  if (branch === 'main' && repository.protection !== null) return refusal(403, 'user is not allowed to push to branch');
  const present = new Map((await git.listFiles(head)).map(({ path, blob }) => [path, blob]));
  for (const { operation, path, sha } of files) {
    const blob = present.get(path);
    if ([...present.keys()].some((one) => path.startsWith(`${one}/`))) {
      return refusal(422, `a file exists where you’re trying to create a subdirectory [path: ${path}]`);
    }
    if (operation === 'create' && blob !== undefined)
      return refusal(422, `repository file already exists [path: ${path}]`);
    if (operation !== 'create' && blob === undefined)
      return refusal(404, `repository file does not exist [path: ${path}]`);
    if (operation !== 'create' && sha !== blob)
      return refusal(422, `sha does not match [given: ${sha}, expected: ${blob}]`);
  }
  const changes = files.map(({ path, content }): [string, Buffer | null] => [
    path,
    content === undefined ? null : Buffer.from(content, 'base64'),
  ]);
  const sha = await git.commitFiles({ branch, message, files: Object.fromEntries(changes) });
  return { status: 201, json: { commit: { sha, message }, files: [] } };
}

async function createPull({ known, repository, body }: RepositoryCall): Promise<TestAnswer> {
  const { title, head, base, body: text } = readAnswer(NewPull, body);
  const git = await repository.git();
  const branches = await git.branches();
  if (!branches.has(head) || !branches.has(base)) return refusal(404, "The target couldn't be found.");
  if (head === base) return refusal(422, 'Invalid: The base and the head are the same.');
  if (repository.issues.some((one) => one.head === head && one.base === base && one.state === 'open')) {
    return refusal(409, 'pull request already exists for these targets');
  }
  const issue = addIssue(repository, { title, body: text, user: known.login, labels: [], head, base });
  return { status: 201, json: await pullRow(repository, issue) };
}

async function pullRow(repository: FakeRepository, issue: FakeIssue): Promise<Json> {
  const { labels: _, ...row } = issueRow(repository, issue);
  const branches = await (await repository.git()).branches();
  const side = (ref = '') => ({ ref, label: ref, sha: branches.get(ref) ?? '', repo_id: repository.id });
  return { ...row, head: side(issue.head), base: side(issue.base), merged: issue.isMerged === true };
}

function addIssue(repository: FakeRepository, issue: Omit<FakeIssue, 'number' | 'state'>): FakeIssue {
  const added = { ...issue, number: repository.issues.length + 1, state: 'open' };
  repository.issues.push(added);
  return added;
}

function issueRow(repository: FakeRepository, issue: FakeIssue): { readonly [key: string]: Json } {
  const { number, state, title, body, labels, user, head } = issue;
  const html_url = `${addressOf(repository)}/${head === undefined ? 'issues' : 'pulls'}/${number}`;
  const named = repository.labels.filter(({ id }) => labels.includes(id)).map((label) => ({ ...label }));
  return { id: 1000 + number, number, state, title, body, html_url, user: account(user), labels: named };
}

function listIssues(call: RepositoryCall): TestAnswer {
  const { repository, request } = call;
  const [type, creator] = [request.query.get('type'), request.query.get('created_by')];
  const found = repository.issues.filter(
    (issue) =>
      (type === null || (type === 'pulls') === (issue.head !== undefined)) &&
      (creator === null || creator === issue.user),
  );
  return page(
    call,
    found.toReversed().map((issue) => issueRow(repository, issue)),
  );
}

function createIssue({ known, repository, body }: RepositoryCall): TestAnswer {
  const { title, body: text, labels = [] } = readAnswer(NewIssue, body);
  const issue = addIssue(repository, { title, body: text, user: known.login, labels });
  return { status: 201, json: issueRow(repository, issue) };
}

function commentRow(repository: FakeRepository, { id, issue, user, body }: FakeComment): Json {
  const address = `${addressOf(repository)}/issues/${issue}`;
  const times = { created_at: MADE_AT, updated_at: MADE_AT };
  return { id, body, user: account(user), html_url: `${address}#issuecomment-${id}`, issue_url: address, ...times };
}

function createComment({ known, repository, parts: [number], body }: RepositoryCall): TestAnswer {
  const issue = Number(number);
  if (!repository.issues.some((one) => one.number === issue)) return refusal(404, "The target couldn't be found.");
  const { body: text } = readAnswer(NewComment, body);
  const comment = { id: repository.comments.length + 1, issue, user: known.login, body: text };
  repository.comments.push(comment);
  return { status: 201, json: commentRow(repository, comment) };
}

function changeComment({ known, repository, parts: [id], body }: RepositoryCall): TestAnswer {
  const comment = repository.comments.find((one) => String(one.id) === id);
  if (comment === undefined) return refusal(404, "The target couldn't be found.");
  if (comment.user !== known.login) return refusal(403, 'user should be the poster');
  comment.body = readAnswer(NewComment, body).body;
  return { json: commentRow(repository, comment) };
}

async function createStatus({ repository, parts: [commit = ''], body }: RepositoryCall): Promise<TestAnswer> {
  const { state, ...wanted } = readAnswer(NewStatus, body);
  if ((await (await repository.git()).resolve(commit)) === null) return refusal(400, `sha not found: ${commit}`);
  const id = repository.statuses.length + 1;
  const url = `https://gitea.example.com/statuses/${id}`;
  const status = { id, url, status: state, ...wanted, created_at: MADE_AT, updated_at: MADE_AT };
  repository.statuses.unshift({ commit, status });
  return { status: 201, json: status };
}

/** The secret is never shown again. */
function hookRow({ id, events, active, config }: FakeHook): Json {
  const { secret: _, ...shown } = config;
  return { id, type: 'gitea', active, events, config: shown, created_at: MADE_AT, updated_at: MADE_AT };
}

function createHook({ repository, body }: RepositoryCall): TestAnswer {
  const hook = { id: 1 + Math.max(0, ...repository.hooks.map(({ id }) => id)), ...readAnswer(NewHook, body) };
  repository.hooks.push(hook);
  return { status: 201, json: hookRow(hook) };
}

function changeHook({ repository, parts: [id], body }: RepositoryCall): TestAnswer {
  const hook = repository.hooks.find((one) => String(one.id) === id);
  if (hook === undefined) return refusal(404, "The target couldn't be found.");
  Object.assign(hook, readAnswer(NewHook, body));
  return { json: hookRow(hook) };
}
