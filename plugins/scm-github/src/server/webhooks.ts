import {
  ConnectorError,
  type Ctx,
  type Delivery,
  readAnswer,
  type ScmEvent,
  type ScmWrite,
  type Static,
  type Webhook,
} from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { Hook, Hooks, IssueDelivery, PullRequestDelivery, PushDelivery } from './answers.ts';
import { HEADERS, openRepository, PAGE } from './requests.ts';
import { stateOf } from './states.ts';

type Write = Required<ScmWrite<GithubForm>>;

const EVENTS: Readonly<Record<ScmEvent['kind'], string>> = {
  push: 'push',
  'pull-request': 'pull_request',
  issue: 'issues',
};

/** Source: GitHub REST API, "Create a repository webhook", "Update a repository webhook". */
export const createWebhook: Write['createWebhook'] = async ({ http }, { repository, url, secret, events }) => {
  const open = await openRepository(http, repository, 'Webhooks');
  const path = `${open.path}/hooks`;
  const body = {
    active: true,
    events: events.map((event) => EVENTS[event]),
    config: { url, secret, content_type: 'json', insecure_ssl: '0' },
  };
  const known = await open.granted('Webhooks', () => findHook(http, path, url));
  const request =
    known === null
      ? ({ method: 'POST', path, body: { name: 'web', ...body } } as const)
      : ({ method: 'PATCH', path: `${path}/${known.id}`, body } as const);
  return { id: String(readAnswer(Hook, await open.json('Webhooks', request)).id) };
};

async function findHook(http: Ctx<GithubForm>['http'], path: string, url: string): Promise<Static<typeof Hook> | null> {
  for await (const page of http.pages({ path, headers: HEADERS, query: PAGE }, { type: 'link' })) {
    const found = readAnswer(Hooks, page).find(({ config }) => config.url === url);
    if (found !== undefined) return found;
  }
  return null;
}

/** Source: GitHub REST API, "Delete a repository webhook". */
export const deleteWebhook: Write['deleteWebhook'] = async ({ http }, { repository, id }) => {
  if (!/^[0-9]{1,20}$/.test(id)) throw new ConnectorError('config', 'GitHub knows webhooks by a number.');
  const open = await openRepository(http, repository, 'Webhooks');
  const request = { method: 'DELETE', path: `${open.path}/hooks/${id}`, accept: [404] } as const;
  const { status } = await open.ask('Webhooks', request);
  if (status !== 204 && status !== 404) {
    throw new ConnectorError('upstream', `GitHub did not say that the webhook is gone (status ${status}).`);
  }
};

/** Deliveries of the hooks that `createWebhook` made. Source: GitHub, "Webhook events and payloads". */
export const webhook: Webhook<GithubForm> = {
  proof: { type: 'hmac-sha256', header: 'X-Hub-Signature-256', secret: 'webhook_secret' },
  on: async (_, delivery) => eventsIn(delivery),
};

function eventsIn({ event, body }: Delivery): ScmEvent[] {
  if (event === 'push') return pushIn(body);
  if (event === 'pull_request') return pullRequestIn(body);
  return event === 'issues' ? issueIn(body) : [];
}

function issueIn(body: Delivery['body']): ScmEvent[] {
  const { action, issue, repository } = readAnswer(IssueDelivery, body);
  const state = stateOf(issue);
  if (action !== 'closed' || state === 'open') return [];
  return [{ kind: 'issue', repository: String(repository.id), number: issue.number, action: state }];
}

function pushIn(body: Delivery['body']): ScmEvent[] {
  const { ref, after, deleted, repository } = readAnswer(PushDelivery, body);
  const [, branch] = /^refs\/heads\/(.+)$/s.exec(ref) ?? [];
  if (branch === undefined || deleted === true) return [];
  return [{ kind: 'push', repository: String(repository.id), branch, commit: after }];
}

const ACTIONS: Readonly<Record<string, 'opened' | 'updated'>> = {
  opened: 'opened',
  reopened: 'updated',
  synchronize: 'updated',
};

function pullRequestIn(body: Delivery['body']): ScmEvent[] {
  const { action, number, pull_request: pullRequest, repository } = readAnswer(PullRequestDelivery, body);
  const { head, base, merged } = pullRequest;
  const means = action === 'closed' ? (merged === true ? 'merged' : 'closed') : ACTIONS[action];
  if (means === undefined) return [];
  return [
    {
      kind: 'pull-request',
      repository: String(repository.id),
      number,
      branch: head.ref,
      commit: head.sha,
      into: base.ref,
      // The fork of a pull request may be gone.
      isFromFork: head.repo?.id !== repository.id,
      action: means,
    },
  ];
}
