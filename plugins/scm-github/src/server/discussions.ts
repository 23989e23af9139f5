import {
  answerJson,
  branchPath,
  ConnectorError,
  type Ctx,
  hasKeyMark,
  readAnswer,
  type ScmLink,
  type ScmWrite,
  type Static,
  withKeyMark,
} from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { Comment, Comments, Numbered, NumberedList, Status, Statuses } from './answers.ts';
import { HEADERS, openRepository, ownLogin, PAGE, refusalWords } from './requests.ts';

type Write = ScmWrite<GithubForm>;
type Http = Ctx<GithubForm>['http'];

/** GitHub cuts nothing: a longer description is refused. */
const DESCRIPTION = 140;

interface Search {
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly key: string;
  /** Who has to have written it: ourselves. */
  readonly login: string;
}

/** The issue or pull request that a key made, written by ourselves. */
async function findMarked(http: Http, { path, query, key, login }: Search): Promise<ScmLink | null> {
  for await (const page of http.pages({ path, headers: HEADERS, query: { ...query, ...PAGE } }, { type: 'link' })) {
    const found = readAnswer(NumberedList, page).find((row) => row.user?.login === login && hasKeyMark(row.body, key));
    if (found !== undefined) return linkOf(found);
  }
  return null;
}

function linkOf({ html_url, number }: Static<typeof Numbered>): ScmLink {
  return { url: html_url, number };
}

/** Source: GitHub REST API, "List pull requests", "Create a pull request". */
export const openPullRequest: Write['openPullRequest'] = async ({ http }, pullRequest) => {
  const { repository, from, into, title, description, idempotencyKey: key } = pullRequest;
  branchPath(from);
  branchPath(into);
  const open = await openRepository(http, repository, 'Pull requests');
  const path = `${open.path}/pulls`;
  const query = { state: 'all', head: `${open.facts.owner.login}:${from}`, base: into };
  const known = await findMarked(http, { path, query, key, login: await ownLogin(http) });
  if (known !== null) return known;
  const answer = await open.ask('Pull requests', {
    method: 'POST',
    path,
    body: { title, head: from, base: into, body: withKeyMark(description, key) },
    accept: [422],
  });
  if (answer.status !== 422) return linkOf(readAnswer(Numbered, answerJson(answer)));
  throw new ConnectorError(
    'config',
    `GitHub opens no pull request from "${from}" into "${into}": ${refusalWords(answer)}`,
    {
      help: 'Both branches must exist and differ, and no other pull request between them may be open.',
    },
  );
};

/** Source: GitHub REST API, "List repository issues", "Create an issue". */
export const openIssue: Write['openIssue'] = async ({ http }, issue) => {
  const { repository, title, description, labels, idempotencyKey: key } = issue;
  const open = await openRepository(http, repository, 'Issues');
  if (open.facts.has_issues === false) {
    throw new ConnectorError('config', `${open.facts.full_name} has its issues switched off.`, {
      help: 'Switch them on under Settings, General, Features.',
    });
  }
  const path = `${open.path}/issues`;
  const login = await ownLogin(http);
  const query = { state: 'all', creator: login, sort: 'created' };
  const known = await findMarked(http, { path, query, key, login });
  if (known !== null) return known;
  const body = { title, body: withKeyMark(description, key), ...(labels === undefined ? {} : { labels }) };
  return linkOf(readAnswer(Numbered, await open.json('Issues', { method: 'POST', path, body })));
};

/** Pull requests take comments where issues do. Source: GitHub REST API, "Create an issue comment", "Update an issue comment". */
export const comment: Write['comment'] = async ({ http }, { repository, number, text, idempotencyKey: key }) => {
  const open = await openRepository(http, repository, 'Issues');
  const path = `${open.path}/issues/${number}/comments`;
  const body = { body: withKeyMark(text, key) };
  const known = await findComment(http, path, key);
  if (known === null) {
    const made = readAnswer(Comment, await open.json('Issues', { method: 'POST', path, body }));
    return { url: made.html_url };
  }
  if (known.body !== body.body) {
    const request = { method: 'PATCH', path: `${open.path}/issues/comments/${known.id}`, body } as const;
    readAnswer(Comment, await open.json('Issues', request));
  }
  return { url: known.html_url };
};

async function findComment(http: Http, path: string, key: string): Promise<Static<typeof Comment> | null> {
  const login = await ownLogin(http);
  for await (const page of http.pages({ path, headers: HEADERS, query: PAGE }, { type: 'link' })) {
    const found = readAnswer(Comments, page).find((row) => row.user?.login === login && hasKeyMark(row.body, key));
    if (found !== undefined) return found;
  }
  return null;
}

/** The same status again is not sent: GitHub keeps each, up to 1,000. Source: GitHub REST API, "Commit statuses". */
export const setStatus: Write['setStatus'] = async (
  { http },
  { repository, commit, state, name, description, url },
) => {
  if (!/^[0-9a-f]{40}$/.test(commit))
    throw new ConnectorError('config', 'A status belongs to the whole hash of a commit.');
  const open = await openRepository(http, repository, 'Commit statuses');
  const wanted = {
    state,
    context: name,
    description: description === undefined ? null : cut(description),
    target_url: url ?? null,
  };
  const list = await open.json('Commit statuses', { path: `${open.path}/commits/${commit}/statuses`, query: PAGE });
  const latest = readAnswer(Statuses, list).find(({ context }) => context === name);
  const isSame =
    latest?.state === state &&
    (latest.description ?? null) === wanted.description &&
    (latest.target_url ?? null) === wanted.target_url;
  if (isSame) return;
  const request = { method: 'POST', path: `${open.path}/statuses/${commit}`, body: wanted } as const;
  readAnswer(Status, await open.json('Commit statuses', request));
};

function cut(text: string): string {
  const letters = [...text.replaceAll(/\s+/g, ' ').trim()];
  return letters.length <= DESCRIPTION ? letters.join('') : `${letters.slice(0, DESCRIPTION - 1).join('')}…`;
}
