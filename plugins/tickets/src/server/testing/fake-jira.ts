import { createHmac, randomUUID } from 'node:crypto';
import type { Json } from '@breakwater/sdk';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';
import { ROUTES } from './routes.ts';
import { type Edition, type FakeIssue, type FakeJira, newProject, refusal, TRANSITIONS } from './state.ts';

export interface FakeJiraOptions {
  readonly edition: Edition;
  readonly token: string;
  /** Cloud: of the account that the token belongs to. */
  readonly email?: string;
  /** Path below which the server answers: `/jira`. */
  readonly contextPath?: string;
}

/**
 * Jira with state, in both editions: Cloud (REST v3, basic authentication, documents, pages of projects, `/search/jql`) and Data Center
 * (REST v2, bearer, wiki text, `/search`). What differs between them is refused by the other one. Source: the REST documentation of both.
 */
export function createFakeJira({
  edition,
  token,
  email = 'ada@example.com',
  contextPath = '',
}: FakeJiraOptions): FakeJira {
  const isCloud = edition === 'cloud';
  const expected = isCloud ? `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}` : `Bearer ${token}`;
  const jira: FakeJira = {
    edition,
    account: 'Ada Lovelace',
    baseUrl: isCloud ? 'https://acme.atlassian.net' : `https://jira.example.com${contextPath}`,
    projects: [newProject('OPS', 'Operations'), newProject('SEC', 'Security')],
    issues: [],
    madeIssues: 0,
    transitions: TRANSITIONS,
    mayLink: true,
    indexesAtOnce: true,
    answer: (request) => {
      if (request.headers['authorization'] !== expected) {
        return {
          ...refusal(401, 'You are not authenticated.'),
          headers: { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' },
        };
      }
      const root = `${contextPath}/rest/api/${isCloud ? 3 : 2}`;
      if (!request.path.startsWith(`${root}/`)) return refusal(404, 'null for uri');
      return answerRoute(jira, request, request.path.slice(root.length));
    },
  };
  return jira;
}

function answerRoute(jira: FakeJira, request: TestRequest, path: string): TestAnswer | Promise<TestAnswer> {
  const body: Json = request.body === '' ? null : JSON.parse(request.body);
  for (const route of ROUTES) {
    if (route.method !== request.method || (route.of ?? jira.edition) !== jira.edition) continue;
    const found = route.path.exec(path);
    if (found === null) continue;
    const [, ...parts] = found.map((part) => decodeURIComponent(part ?? ''));
    return route.answer({ jira, request, parts, body });
  }
  return refusal(404, 'null for uri');
}

/** What Jira sends to a webhook with a secret when something happens to an issue: headers, and the body as it is signed. */
export function deliveryOf(
  { id, key, status }: FakeIssue,
  secret: string,
  event: 'jira:issue_updated' | 'jira:issue_deleted' = 'jira:issue_updated',
) {
  const fields = { summary: 'x', status: { name: status.name, statusCategory: { key: status.category } } };
  const body = JSON.stringify({ timestamp: 1_700_000_000_000, webhookEvent: event, issue: { id, key, fields } });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {
    headers: {
      'content-type': 'application/json',
      'x-atlassian-webhook-identifier': randomUUID(),
      'x-hub-signature': `sha256=${signature}`,
    },
    body,
  };
}
