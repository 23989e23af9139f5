import { createHash } from 'node:crypto';
import {
  answerJson,
  type CommitStatus,
  ConnectorError,
  keyMark,
  type NewComment,
  type NewIssue,
  type NewPullRequest,
  readAnswer,
  type ScmLink,
} from '@breakwater/sdk';
import { Comment, Issue, PullRequest, Status, User } from './answers.ts';
import { rowsOf } from './pages.ts';
import { answered, type BitbucketCtx, repositoryOf, repositoryPath, segment, write } from './requests.ts';

const LONGEST_TITLE = 255;
const LONGEST_KEY = 40;
/** Issues of this account among which one of the same key is looked for, newest first. */
const MOST_ISSUES = 1000;
const MARK = '[//]: # "breakwater:';

/** Bitbucket shows comments of HTML as text. A definition of a link that nobody uses is Markdown's own way to say what is not shown. */
function markOf(key: string): string {
  return `${MARK}${keyMark(key).replace(/^<!-- breakwater:(.*) -->$/, '$1')}"`;
}

function marked(markdown: string, key: string): string {
  return `${markdown.replaceAll(MARK, '[//]: # "breakwater ').trimEnd()}\n\n${markOf(key)}`;
}

const hasMark = (text: string | null | undefined, key: string): boolean =>
  text?.trimEnd().endsWith(markOf(key)) ?? false;

/** Whose token it is. Only what this account wrote may be asked for its mark: anybody can write a text that ends like ours. */
async function ownUuid({ http }: BitbucketCtx): Promise<string> {
  const { uuid } = readAnswer(User, await http.json({ path: '/user' }));
  if (uuid !== undefined) return uuid;
  throw new ConnectorError('upstream', 'Bitbucket did not say who the user of the token is.');
}

/** A text in Bitbucket's language of queries. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** Source: Bitbucket Cloud REST API 2.0, `POST pullrequests`. */
export async function openPullRequest(ctx: BitbucketCtx, pullRequest: NewPullRequest): Promise<ScmLink> {
  const { repository, from, into, title, description, idempotencyKey } = pullRequest;
  const path = repositoryPath(repository, '/pullrequests');
  const own = await ownUuid(ctx);
  const query = {
    state: ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'],
    q: `source.branch.name = ${quoted(from)}`,
    sort: '-created_on',
    pagelen: 50,
  };
  for await (const one of rowsOf(ctx.http, path, PullRequest, query)) {
    if (one.author?.uuid === own && hasMark(one.description, idempotencyKey)) return linkOf(one);
  }
  const body = {
    title: title.slice(0, LONGEST_TITLE),
    description: marked(description, idempotencyKey),
    source: { branch: { name: from } },
    destination: { branch: { name: into } },
  };
  const rights = 'the scope "pullrequest:write"';
  const answer = await write(ctx, { method: 'POST', path, body }, rights);
  if (answer.status === 404) await repositoryOf(ctx, repository);
  return linkOf(readAnswer(PullRequest, answered(answer, `open a pull request from "${from}" into "${into}"`)));
}

/** Bitbucket's issues have no labels. Source: Bitbucket Cloud REST API 2.0, `POST issues`. */
export async function openIssue(ctx: BitbucketCtx, issue: NewIssue): Promise<ScmLink> {
  const { repository, title, description, idempotencyKey } = issue;
  const { full_name: name, has_issues: hasIssues } = await repositoryOf(ctx, repository);
  if (hasIssues === false) {
    throw new ConnectorError('config', `The repository "${name}" has no issue tracker.`, {
      help: 'Switch it on in Bitbucket: Repository settings, Issue tracker; or open issues elsewhere.',
    });
  }
  const path = repositoryPath(repository, '/issues');
  const own = await ownUuid(ctx);
  let seen = 0;
  const query = { q: `reporter.uuid = ${quoted(own)}`, sort: '-created_on' };
  for await (const one of rowsOf(ctx.http, path, Issue, query)) {
    if (one.reporter?.uuid === own && hasMark(one.content.raw, idempotencyKey)) return linkOf(one);
    seen += 1;
    if (seen >= MOST_ISSUES) break;
  }
  const content = { raw: marked(description, idempotencyKey), markup: 'markdown' };
  const body = { title: title.slice(0, LONGEST_TITLE), content, kind: 'bug' };
  const answer = await write(ctx, { method: 'POST', path, body }, 'the scope "issue:write"');
  return linkOf(readAnswer(Issue, answered(answer, 'open an issue')));
}

interface Linked {
  readonly id: number;
  readonly links: { readonly html: { readonly href: string } };
}

const linkOf = ({ id: number, links }: Linked): ScmLink => ({ url: links.html.href, number });

/** A comment on a pull request; issues of Bitbucket are counted apart. Source: Bitbucket Cloud REST API 2.0, `pullrequests/{id}/comments`. */
export async function comment(
  ctx: BitbucketCtx,
  { repository, number, text, idempotencyKey }: NewComment,
): Promise<ScmLink> {
  const pullRequest = repositoryPath(repository, `/pullrequests/${number}`);
  const found = await ctx.http.request({ path: pullRequest, accept: [404] });
  if (found.status === 404) {
    throw new ConnectorError('config', `The repository has no pull request #${number}, or the token does not see it.`);
  }
  readAnswer(PullRequest, answerJson(found));
  const path = `${pullRequest}/comments`;
  const raw = marked(text, idempotencyKey);
  const earlier = await commentOfKey(ctx, path, idempotencyKey);
  if (earlier?.content.raw.trimEnd() === raw) return { url: earlier.links.html.href, number };
  const request =
    earlier === null
      ? ({ method: 'POST', path } as const)
      : ({ method: 'PUT', path: `${path}/${earlier.id}` } as const);
  const answer = await write(ctx, { ...request, body: { content: { raw } } }, 'the scope "pullrequest"');
  const { links } = readAnswer(Comment, answered(answer, `comment on the pull request #${number}`));
  return { url: links.html.href, number };
}

async function commentOfKey(ctx: BitbucketCtx, path: string, idempotencyKey: string) {
  const own = await ownUuid(ctx);
  for await (const one of rowsOf(ctx.http, path, Comment, { sort: '-created_on' })) {
    if (one.deleted !== true && one.user?.uuid === own && hasMark(one.content.raw, idempotencyKey)) return one;
  }
  return null;
}

const STATES = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED' } as const;

/** Bitbucket keeps one status a key and commit. Source: Bitbucket Cloud REST API 2.0, `POST commit/{commit}/statuses/build`. */
export async function setStatus(ctx: BitbucketCtx, status: CommitStatus): Promise<void> {
  const { repository, commit, state, name, description, url } = status;
  const key = name.length <= LONGEST_KEY ? name : createHash('sha256').update(name).digest('hex').slice(0, LONGEST_KEY);
  const body = {
    key,
    state: STATES[state],
    name: name.slice(0, LONGEST_TITLE),
    ...(description === undefined ? {} : { description: description.slice(0, LONGEST_TITLE) }),
    // Bitbucket wants an address; without one of ours it is the commit's own.
    url: url ?? `https://bitbucket.org/${repository.split('/').map(segment).join('/')}/commits/${segment(commit)}`,
  };
  const path = repositoryPath(repository, `/commit/${segment(commit)}/statuses/build`);
  const answer = await write(ctx, { method: 'POST', path, body }, 'the scope "repository"');
  readAnswer(Status, answered(answer, `set the status "${name}"`));
}
