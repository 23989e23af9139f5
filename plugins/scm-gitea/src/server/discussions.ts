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
import type { GiteaForm } from '../plugin.ts';
import { Comment, Comments, Label, Labels, Numbered, NumberedList, Status, Statuses } from './answers.ts';
import { rowsOf } from './pages.ts';
import { type OpenRepository, openRepository, ownLogin, refusalWords } from './requests.ts';

type Write = ScmWrite<GiteaForm>;
type Http = Ctx<GiteaForm>['http'];

/** What Gitea's own column holds. */
const DESCRIPTION = 255;
const LABEL_COLOUR = '#b60205';

interface Search {
  readonly type: 'issues' | 'pulls';
  readonly key: string;
}

/** The issue or pull request that a key made, written by ourselves. Gitea lists both in one place. */
async function findMarked(http: Http, open: OpenRepository, { type, key }: Search): Promise<ScmLink | null> {
  const login = await ownLogin(http);
  const query = { state: 'all', type, created_by: login };
  const rows = rowsOf(http, { path: `${open.path}/issues`, query }, (page) => readAnswer(NumberedList, page));
  for await (const row of rows) {
    if (row.user?.login === login && hasKeyMark(row.body, key)) return linkOf(row);
  }
  return null;
}

function linkOf({ html_url, number }: Static<typeof Numbered>): ScmLink {
  return { url: html_url, number };
}

/** Source: Gitea API 1.22, `POST /repos/{owner}/{repo}/pulls`. */
export const openPullRequest: Write['openPullRequest'] = async ({ http }, pullRequest) => {
  const { repository, from, into, title, description, idempotencyKey: key } = pullRequest;
  branchPath(from);
  branchPath(into);
  const open = await openRepository(http, repository, 'push');
  const known = await findMarked(http, open, { type: 'pulls', key });
  if (known !== null) return known;
  const answer = await open.ask('repository', {
    method: 'POST',
    path: `${open.path}/pulls`,
    body: { title, head: from, base: into, body: withKeyMark(description, key) },
    accept: [404, 409, 422],
  });
  if (answer.status < 400) return linkOf(readAnswer(Numbered, answerJson(answer)));
  throw new ConnectorError(
    'config',
    `Gitea opens no pull request from "${from}" into "${into}": ${refusalWords(answer)}`,
    {
      help: 'Both branches must exist and differ, and no other pull request between them may be open.',
    },
  );
};

/** Source: Gitea API 1.22, `POST /repos/{owner}/{repo}/issues`. */
export const openIssue: Write['openIssue'] = async ({ http }, issue) => {
  const { repository, title, description, labels = [], idempotencyKey: key } = issue;
  const open = await openRepository(http, repository, 'read');
  if (open.facts.has_issues === false) {
    throw new ConnectorError('config', `${open.facts.full_name} has its issues switched off.`, {
      help: 'Switch them on under Settings, Advanced settings.',
    });
  }
  const known = await findMarked(http, open, { type: 'issues', key });
  if (known !== null) return known;
  const ids = labels.length === 0 ? {} : { labels: await labelIds(http, open, labels) };
  const body = { title, body: withKeyMark(description, key), ...ids };
  const request = { method: 'POST', path: `${open.path}/issues`, body } as const;
  return linkOf(readAnswer(Numbered, await open.json('issue', request)));
};

/** Gitea takes labels by their number; those that are not there yet are made. */
async function labelIds(http: Http, open: OpenRepository, names: readonly string[]): Promise<number[]> {
  const path = `${open.path}/labels`;
  const known = new Map<string, number>();
  for await (const { name, id } of rowsOf(http, { path }, (page) => readAnswer(Labels, page))) known.set(name, id);
  for (const name of names.filter((one) => !known.has(one))) {
    const request = { method: 'POST', path, body: { name, color: LABEL_COLOUR } } as const;
    known.set(name, readAnswer(Label, await open.json('issue', request)).id);
  }
  return names.flatMap((name) => known.get(name) ?? []);
}

/** Pull requests take comments where issues do. Source: Gitea API 1.22, `POST /repos/{owner}/{repo}/issues/{index}/comments`. */
export const comment: Write['comment'] = async ({ http }, { repository, number, text, idempotencyKey: key }) => {
  const open = await openRepository(http, repository, 'read');
  const path = `${open.path}/issues/${number}/comments`;
  const body = { body: withKeyMark(text, key) };
  const login = await ownLogin(http);
  // All at once: Gitea has no pages here.
  const comments = readAnswer(Comments, await open.json('issue', { path }));
  const known = comments.find((row) => row.user?.login === login && hasKeyMark(row.body, key));
  if (known === undefined) {
    return { url: readAnswer(Comment, await open.json('issue', { method: 'POST', path, body })).html_url };
  }
  if (known.body !== body.body) {
    const request = { method: 'PATCH', path: `${open.path}/issues/comments/${known.id}`, body } as const;
    readAnswer(Comment, await open.json('issue', request));
  }
  return { url: known.html_url };
};

/** The same status again is not sent: Gitea keeps each. Source: Gitea API 1.22, `POST /repos/{owner}/{repo}/statuses/{sha}`. */
export const setStatus: Write['setStatus'] = async (
  { http },
  { repository, commit, state, name, description, url },
) => {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) {
    throw new ConnectorError('config', 'A status belongs to the whole hash of a commit.');
  }
  const open = await openRepository(http, repository, 'push');
  const path = `${open.path}/statuses/${commit}`;
  const wanted = { state, context: name, description: cut(description ?? ''), target_url: url ?? '' };
  const list = await open.json('repository', { path, query: { sort: 'highestindex', limit: 50 } });
  const latest = readAnswer(Statuses, list).find(({ context }) => context === name);
  const isSame =
    latest?.status === state && latest.description === wanted.description && latest.target_url === wanted.target_url;
  if (isSame) return;
  readAnswer(Status, await open.json('repository', { method: 'POST', path, body: wanted }));
};

function cut(text: string): string {
  const letters = [...text.replaceAll(/\s+/g, ' ').trim()];
  return letters.length <= DESCRIPTION ? letters.join('') : `${letters.slice(0, DESCRIPTION - 1).join('')}…`;
}
