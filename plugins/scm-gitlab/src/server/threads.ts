import {
  answerJson,
  ConnectorError,
  hasKeyMark,
  type NewComment,
  type NewIssue,
  type NewPullRequest,
  readAnswer,
  type ScmLink,
  type Static,
  withKeyMark,
} from '@breakwater/sdk';
import { Note, Notes, Project, Thread, Threads, User } from './answers.ts';
import { answered, type GitlabCtx, PAGE, projectPath, wordsOf, write } from './requests.ts';

/** Longest title that GitLab takes. */
const LONGEST_TITLE = 255;
/** Issues of this account among which one of the same key is looked for, newest first. */
const MOST_ISSUES = 1000;

/** Source: GitLab REST API v4, "Merge requests". */
export async function openPullRequest(ctx: GitlabCtx, pullRequest: NewPullRequest): Promise<ScmLink> {
  const { repository, from, into, title, description, idempotencyKey } = pullRequest;
  const path = projectPath(repository, '/merge_requests');
  const query = { source_branch: from, target_branch: into };
  const earlier = await threadOfKey(ctx, { path, query, idempotencyKey });
  if (earlier !== null) return linkOf(earlier);
  const answer = await write(ctx, {
    method: 'POST',
    path,
    body: {
      source_branch: from,
      target_branch: into,
      title: title.slice(0, LONGEST_TITLE),
      description: written(description, idempotencyKey),
    },
  });
  const doing = `open a merge request from "${from}" into "${into}"`;
  if (answer.status === 409) {
    throw new ConnectorError('config', `Another merge request is open already: ${wordsOf(answer)}`, {
      help: `Close or merge it, so that GitLab can ${doing}.`,
    });
  }
  return linkOf(readAnswer(Thread, answered(answer, doing)));
}

/** Source: GitLab REST API v4, "Issues". */
export async function openIssue(ctx: GitlabCtx, issue: NewIssue): Promise<ScmLink> {
  const { repository, title, description, labels = [], idempotencyKey } = issue;
  await refuseWithoutIssues(ctx, repository);
  const path = projectPath(repository, '/issues');
  const earlier = await threadOfKey(ctx, { path, query: {}, idempotencyKey });
  if (earlier !== null) return linkOf(earlier);
  const answer = await write(ctx, {
    method: 'POST',
    path,
    body: {
      title: title.slice(0, LONGEST_TITLE),
      description: written(description, idempotencyKey),
      // GitLab separates labels by commas.
      ...(labels.length === 0 ? {} : { labels: labels.map((label) => label.replaceAll(',', ' ')).join(',') }),
    },
  });
  return linkOf(readAnswer(Thread, answered(answer, 'open an issue')));
}

/** @throws ConnectorError config, where the project has its issues switched off */
async function refuseWithoutIssues({ http }: GitlabCtx, repository: string): Promise<void> {
  const project = readAnswer(Project, await http.json({ path: projectPath(repository) }));
  if (project.issues_enabled !== false) return;
  throw new ConnectorError('config', `The project "${project.path_with_namespace}" has its issues switched off.`, {
    help: 'Switch them on in GitLab: Settings, General, Visibility, project features, permissions.',
  });
}

/** A line that begins with a quick action, such as `/close`, would be done by GitLab in the name of this account. */
function written(markdown: string, idempotencyKey: string): string {
  return withKeyMark(markdown.replaceAll(/^([^\S\r\n]*)\/(?=[a-z_]+(\s|$))/gim, '$1\\/'), idempotencyKey);
}

interface ThreadOfKey {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly idempotencyKey: string;
}

/**
 * The merge request or issue that the key has made. The list is read, because GitLab's search leaves out comments of HTML. Only what
 * this account wrote counts: anybody can write a text that ends like ours.
 */
async function threadOfKey({ http }: GitlabCtx, { path, query, idempotencyKey }: ThreadOfKey) {
  const all = { ...PAGE, ...query, state: 'all', scope: 'created_by_me', order_by: 'created_at', sort: 'desc' };
  let seen = 0;
  for await (const page of http.pages({ path, query: all }, { type: 'link' })) {
    const threads = readAnswer(Threads, page);
    const found = threads.find(({ description }) => hasKeyMark(description, idempotencyKey));
    if (found !== undefined) return found;
    seen += threads.length;
    if (seen >= MOST_ISSUES) return null;
  }
  return null;
}

function linkOf({ web_url: url, iid: number }: Static<typeof Thread>): ScmLink {
  return { url, number };
}

/** A comment on a merge request; issues of GitLab are counted apart. Source: GitLab REST API v4, "Notes". */
export async function comment(
  ctx: GitlabCtx,
  { repository, number, text, idempotencyKey }: NewComment,
): Promise<ScmLink> {
  const thread = projectPath(repository, `/merge_requests/${number}`);
  const found = await ctx.http.request({ path: thread, accept: [404] });
  if (found.status === 404) {
    throw new ConnectorError('config', `The project has no merge request !${number}, or the token does not see it.`);
  }
  const { web_url: url } = readAnswer(Thread, answerJson(found));
  const path = `${thread}/notes`;
  const body = written(text, idempotencyKey);
  const link = (id: number): ScmLink => ({ url: `${url}#note_${id}`, number });
  const earlier = await noteOfKey(ctx, path, idempotencyKey);
  if (earlier?.body.trimEnd() === body) return link(earlier.id);
  const answer = await write(
    ctx,
    earlier === null
      ? { method: 'POST', path, body: { body } }
      : { method: 'PUT', path: `${path}/${earlier.id}`, body: { body } },
  );
  const doing = `comment on the merge request !${number}`;
  return link(readAnswer(Note, answered(answer, doing)).id);
}

async function noteOfKey({ http }: GitlabCtx, path: string, idempotencyKey: string) {
  const { id } = readAnswer(User, await http.json({ path: '/user' }));
  const query = { ...PAGE, order_by: 'created_at', sort: 'desc' };
  for await (const page of http.pages({ path, query }, { type: 'link' })) {
    const found = readAnswer(Notes, page).find(
      ({ body, author }) => author.id === id && hasKeyMark(body, idempotencyKey),
    );
    if (found !== undefined) return found;
  }
  return null;
}
