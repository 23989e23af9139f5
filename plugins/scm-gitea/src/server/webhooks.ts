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
import type { GiteaForm } from '../plugin.ts';
import { Hook, Hooks, IssueDelivery, PullRequestDelivery, PushDelivery } from './answers.ts';
import { rowsOf } from './pages.ts';
import { openRepository } from './requests.ts';

type Write = Required<ScmWrite<GiteaForm>>;

const EVENTS: Readonly<Record<ScmEvent['kind'], string>> = {
  push: 'push',
  'pull-request': 'pull_request',
  issue: 'issues',
};

/** Source: Gitea API 1.22, `POST /repos/{owner}/{repo}/hooks`. */
export const createWebhook: Write['createWebhook'] = async ({ http }, { repository, url, secret, events }) => {
  const open = await openRepository(http, repository, 'admin');
  const path = `${open.path}/hooks`;
  const body = {
    active: true,
    events: events.map((event) => EVENTS[event]),
    config: { url, secret, content_type: 'json' },
  };
  const known = await open.granted('repository', () => findHook(http, path, url));
  const request =
    known === null
      ? ({ method: 'POST', path, body: { type: 'gitea', ...body } } as const)
      : ({ method: 'PATCH', path: `${path}/${known.id}`, body } as const);
  return { id: String(readAnswer(Hook, await open.json('repository', request)).id) };
};

async function findHook(http: Ctx<GiteaForm>['http'], path: string, url: string): Promise<Static<typeof Hook> | null> {
  for await (const hook of rowsOf(http, { path }, (page) => readAnswer(Hooks, page))) {
    if (hook.config['url'] === url) return hook;
  }
  return null;
}

/** Source: Gitea API 1.22, `DELETE /repos/{owner}/{repo}/hooks/{id}`. */
export const deleteWebhook: Write['deleteWebhook'] = async ({ http }, { repository, id }) => {
  if (!/^[0-9]{1,20}$/.test(id)) throw new ConnectorError('config', 'Gitea knows webhooks by a number.');
  const open = await openRepository(http, repository, 'admin');
  const request = { method: 'DELETE', path: `${open.path}/hooks/${id}`, accept: [404] } as const;
  const { status } = await open.ask('repository', request);
  if (status === 204 || status === 404) return;
  throw new ConnectorError('upstream', `Gitea did not say that the webhook is gone (status ${status}).`);
};

/** Deliveries of the hooks that `createWebhook` made. Source: Gitea 1.22, modules/structs/hook.go. */
export const webhook: Webhook<GiteaForm> = {
  proof: { type: 'hmac-sha256', header: 'X-Gitea-Signature', secret: 'webhook_secret' },
  on: async (_, delivery) => eventsIn(delivery),
};

function eventsIn({ event, body }: Delivery): ScmEvent[] {
  if (event === 'push') return pushIn(body);
  if (event === 'pull_request') return pullRequestIn(body);
  return event === 'issues' ? issueIn(body) : [];
}

/** Gitea does not say why an issue was closed. */
function issueIn(body: Delivery['body']): ScmEvent[] {
  const { action, number, repository } = readAnswer(IssueDelivery, body);
  return action === 'closed' ? [{ kind: 'issue', repository: String(repository.id), number, action }] : [];
}

function pushIn(body: Delivery['body']): ScmEvent[] {
  const { ref, after, repository } = readAnswer(PushDelivery, body);
  const [, branch] = /^refs\/heads\/(.+)$/s.exec(ref) ?? [];
  // A branch that was deleted stands at zeros.
  if (branch === undefined || /^0+$/.test(after)) return [];
  return [{ kind: 'push', repository: String(repository.id), branch, commit: after }];
}

const ACTIONS: Readonly<Record<string, 'opened' | 'updated'>> = {
  opened: 'opened',
  reopened: 'updated',
  synchronized: 'updated',
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
      isFromFork: head.repo_id !== repository.id,
      action: means,
    },
  ];
}
