import {
  ConnectorError,
  type Json,
  type NewWebhook,
  readAnswer,
  type ScmEvent,
  type ScmWrite,
  type Static,
  Type,
  type Webhook,
} from '@breakwater/sdk';
import type { GitlabForm } from '../plugin.ts';
import { Hook, Hooks } from './answers.ts';
import { answered, type GitlabCtx, granted, PAGE, projectPath, segment, write } from './requests.ts';

const RIGHTS = 'the role Maintainer';

/** Source: GitLab REST API v4, "Project webhooks". GitLab never tells the secret of a hook, so that it is always written anew. */
export async function createWebhook(ctx: GitlabCtx, webhook: NewWebhook): Promise<{ readonly id: string }> {
  const { repository, url, secret, events } = webhook;
  const path = projectPath(repository, '/hooks');
  const earlier = await granted(RIGHTS, () => hookAt(ctx, path, url));
  const request = {
    method: earlier === null ? 'POST' : 'PUT',
    path: earlier === null ? path : `${path}/${earlier.id}`,
    body: {
      url,
      token: secret,
      push_events: events.includes('push'),
      merge_requests_events: events.includes('pull-request'),
      issues_events: events.includes('issue'),
      enable_ssl_verification: true,
    },
  } as const;
  const answer = await write(ctx, request, RIGHTS);
  const { id } = readAnswer(Hook, answered(answer, 'make the webhook'));
  return { id: String(id) };
}

async function hookAt({ http }: GitlabCtx, path: string, url: string) {
  for await (const page of http.pages({ path, query: PAGE }, { type: 'link' })) {
    const found = readAnswer(Hooks, page).find((hook) => hook.url === url);
    if (found !== undefined) return found;
  }
  return null;
}

export const deleteWebhook: NonNullable<ScmWrite<GitlabForm>['deleteWebhook']> = async (ctx, { repository, id }) => {
  const answer = await write(ctx, { method: 'DELETE', path: projectPath(repository, `/hooks/${segment(id)}`) }, RIGHTS);
  if (answer.status === 404) return;
  answered(answer, 'delete the webhook');
  // a proxy answers everything
  if (answer.status === 204) return;
  throw new ConnectorError('upstream', `GitLab did not say that the webhook is gone (status ${answer.status}).`);
};

const Push = Type.Object({
  object_kind: Type.Literal('push'),
  project_id: Type.Integer(),
  ref: Type.String(),
  after: Type.String(),
});

const MergeRequest = Type.Object({
  object_kind: Type.Literal('merge_request'),
  project: Type.Object({ id: Type.Integer() }),
  object_attributes: Type.Object({
    iid: Type.Integer(),
    action: Type.Optional(Type.String()),
    oldrev: Type.Optional(Type.String()),
    source_branch: Type.String(),
    target_branch: Type.String(),
    source_project_id: Type.Union([Type.Integer(), Type.Null()]),
    target_project_id: Type.Integer(),
    last_commit: Type.Object({ id: Type.String() }),
  }),
});

/** Tasks, incidents and other work items come as issues do and are counted with them. */
const Issue = Type.Object({
  object_kind: Type.Union([Type.Literal('issue'), Type.Literal('work_item')]),
  project: Type.Object({ id: Type.Integer() }),
  object_attributes: Type.Object({ iid: Type.Integer(), action: Type.Optional(Type.String()) }),
});

/** Source: GitLab, "Webhook events", push events, merge request events and work item events. */
export const webhook: Webhook<GitlabForm> = {
  proof: { type: 'token', header: 'x-gitlab-token', secret: 'webhook_secret' },
  async on(_, { event, body }) {
    if (event === 'Push Hook') return pushed(body);
    if (event === 'Merge Request Hook') return mergeRequestChanged(body);
    return event === 'Issue Hook' ? issueChanged(body) : [];
  },
};

function pushed(body: Json): ScmEvent[] {
  const { ref, after, project_id: project } = readAnswer(Push, body);
  const isBranch = ref.startsWith('refs/heads/');
  if (!isBranch || /^0+$/.test(after)) return [];
  return [{ kind: 'push', repository: String(project), branch: ref.slice('refs/heads/'.length), commit: after }];
}

/** GitLab does not say why an issue was closed. */
function issueChanged(body: Json): ScmEvent[] {
  const { project, object_attributes: issue } = readAnswer(Issue, body);
  if (issue.action !== 'close') return [];
  return [{ kind: 'issue', repository: String(project.id), number: issue.iid, action: 'closed' }];
}

function mergeRequestChanged(body: Json): ScmEvent[] {
  const { project, object_attributes: request } = readAnswer(MergeRequest, body);
  const action = actionOf(request);
  if (action === null) return [];
  return [
    {
      kind: 'pull-request',
      repository: String(project.id),
      number: request.iid,
      branch: request.source_branch,
      commit: request.last_commit.id,
      into: request.target_branch,
      isFromFork: request.source_project_id !== request.target_project_id,
      action,
    },
  ];
}

type Attributes = Static<typeof MergeRequest>['object_attributes'];

/** `update` is about commits only where it names the commit before. */
function actionOf({ action, oldrev }: Attributes): Extract<ScmEvent, { kind: 'pull-request' }>['action'] | null {
  switch (action) {
    case 'open':
      return 'opened';
    case 'reopen':
      return 'updated';
    case 'update':
      return oldrev === undefined ? null : 'updated';
    case 'merge':
      return 'merged';
    case 'close':
      return 'closed';
    default:
      return null;
  }
}
