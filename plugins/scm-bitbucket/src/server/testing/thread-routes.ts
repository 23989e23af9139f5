import { type Json, readAnswer, Type } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import {
  accountJson,
  type Call,
  DATE,
  type FakeComment,
  type FakeThread,
  OWN_UUID,
  paged,
  refuse,
  webOf,
} from './state.ts';

const linkTo = ({ repository }: Call, rest: string): Json => ({ html: { href: `${webOf(repository)}/${rest}` } });

function pullRequestJson(call: Call, thread: FakeThread): Json {
  return {
    type: 'pullrequest',
    id: thread.id,
    title: thread.title,
    description: thread.text,
    summary: { raw: thread.text },
    state: thread.state,
    created_on: DATE,
    author: accountJson(thread.author),
    source: { branch: { name: thread.source } },
    destination: { branch: { name: thread.target } },
    links: linkTo(call, `pull-requests/${thread.id}`),
  };
}

/** What `field = "value"` in the query asks for; undefined where it does not ask. */
function asked({ request }: Call, field: string): string | undefined {
  const [, value] =
    new RegExp(`^${field.replaceAll('.', '\\.')} = "((?:[^"\\\\]|\\\\.)*)"$`).exec(request.query.get('q') ?? '') ?? [];
  return value?.replaceAll(/\\(.)/g, '$1');
}

/** Newest first; without `state` only open ones. */
export function listPullRequests(call: Call): TestAnswer {
  if (Number(call.request.query.get('pagelen')) > 50) return refuse(400, 'Invalid pagelen');
  const states = call.request.query.getAll('state');
  const source = asked(call, 'source.branch.name');
  const found = call.repository.pullRequests.filter(
    (one) =>
      (states.length === 0 ? one.state === 'OPEN' : states.includes(one.state)) &&
      (source ?? one.source) === one.source,
  );
  return paged(
    call.request,
    found.toReversed().map((thread) => pullRequestJson(call, thread)),
  );
}

export function getPullRequest(call: Call): TestAnswer {
  const found = call.repository.pullRequests.find(({ id }) => String(id) === call.parts[0]);
  return found === undefined ? refuse(404, 'Pull request not found') : { json: pullRequestJson(call, found) };
}

const Place = Type.Object({ branch: Type.Object({ name: Type.String() }) });
const NewPullRequest = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 255 }),
  description: Type.String(),
  source: Place,
  destination: Place,
});

export async function createPullRequest(call: Call): Promise<TestAnswer> {
  const { title, description, source, destination } = readAnswer(NewPullRequest, call.body);
  const branches = await (await call.repository.git()).branches();
  for (const [place, { branch }] of Object.entries({ source, destination })) {
    if (!branches.has(branch.name)) return refuse(400, `${place}: branch not found: ${branch.name}`);
  }
  const { pullRequests } = call.repository;
  const thread = {
    id: pullRequests.length + 1,
    author: OWN_UUID,
    title,
    text: description,
    state: 'OPEN',
    source: source.branch.name,
    target: destination.branch.name,
  };
  pullRequests.push(thread);
  return { status: 201, json: pullRequestJson(call, thread) };
}

function issueJson(call: Call, { id, title, text, author, state }: FakeThread): Json {
  return {
    type: 'issue',
    id,
    title,
    state,
    kind: 'bug',
    content: { raw: text, markup: 'markdown' },
    reporter: accountJson(author),
    created_on: DATE,
    links: linkTo(call, `issues/${id}`),
  };
}

const NO_TRACKER = 'Repository has no issue tracker.';

export function listIssues(call: Call): TestAnswer {
  if (!call.repository.hasIssues) return refuse(404, NO_TRACKER);
  const reporter = asked(call, 'reporter.uuid');
  const found = call.repository.issues.filter(({ author }) => (reporter ?? author) === author);
  return paged(
    call.request,
    found.toReversed().map((thread) => issueJson(call, thread)),
  );
}

export function getIssue(call: Call): TestAnswer {
  const found = call.repository.issues.find(({ id }) => String(id) === call.parts[0]);
  return found === undefined ? refuse(404, 'Issue not found') : { json: issueJson(call, found) };
}

const NewIssue = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 255 }),
  content: Type.Object({ raw: Type.String() }),
});

export function createIssue(call: Call): TestAnswer {
  if (!call.repository.hasIssues) return refuse(404, NO_TRACKER);
  const { title, content } = readAnswer(NewIssue, call.body);
  const id = call.repository.issues.length + 1;
  const thread = { id, author: OWN_UUID, title, text: content.raw, state: 'new', source: '', target: '' };
  call.repository.issues.push(thread);
  return { status: 201, json: issueJson(call, thread) };
}

function commentJson(call: Call, { id, on, text, author }: FakeComment): Json {
  return {
    type: 'pullrequest_comment',
    id,
    deleted: false,
    content: { raw: text },
    user: accountJson(author),
    created_on: DATE,
    links: linkTo(call, `pull-requests/${on}/_/diff#comment-${id}`),
  };
}

export function listComments(call: Call): TestAnswer {
  const found = call.repository.comments.filter(({ on }) => String(on) === call.parts[0]);
  return paged(
    call.request,
    found.toReversed().map((comment) => commentJson(call, comment)),
  );
}

const NewComment = Type.Object({ content: Type.Object({ raw: Type.String({ minLength: 1 }) }) });

export function createComment(call: Call): TestAnswer {
  const { content } = readAnswer(NewComment, call.body);
  const comment = {
    id: 100 + call.repository.comments.length,
    author: OWN_UUID,
    on: Number(call.parts[0]),
    text: content.raw,
  };
  call.repository.comments.push(comment);
  return { status: 201, json: commentJson(call, comment) };
}

export function updateComment(call: Call): TestAnswer {
  const comment = call.repository.comments.find(({ id }) => String(id) === call.parts[1]);
  if (comment === undefined) return refuse(404, 'Comment not found');
  if (comment.author !== OWN_UUID) return refuse(403, 'You may not edit this comment.');
  comment.text = readAnswer(NewComment, call.body).content.raw;
  return { json: commentJson(call, comment) };
}

const NewStatus = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 40 }),
  state: Type.String(),
  name: Type.String({ maxLength: 255 }),
  description: Type.Optional(Type.String()),
  url: Type.String({ pattern: '^https://' }),
});

export async function createStatus(call: Call): Promise<TestAnswer> {
  const [commit = ''] = call.parts;
  if ((await (await call.repository.git()).resolve(commit)) !== commit) return refuse(404, 'Commit not found');
  const fields = readAnswer(NewStatus, call.body);
  const status = { type: 'build', ...fields };
  call.repository.statuses.set(`${commit} ${fields.key}`, status);
  return { status: 201, json: status };
}
