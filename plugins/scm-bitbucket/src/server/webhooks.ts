import {
  answerJson,
  ConnectorError,
  type Json,
  type NewWebhook,
  readAnswer,
  type ScmEvent,
  type ScmWrite,
  Type,
  type Webhook,
} from '@breakwater/sdk';
import type { BitbucketForm } from '../plugin.ts';
import { Commit, Hook } from './answers.ts';
import { rowsOf } from './pages.ts';
import { answered, type BitbucketCtx, granted, repositoryPath, segment, write } from './requests.ts';
import { issueStateOf } from './states.ts';

const RIGHTS = 'the scope "webhook", and its user the right to administer';
const EVENTS: Readonly<Record<ScmEvent['kind'], readonly string[]>> = {
  push: ['repo:push'],
  'pull-request': ['pullrequest:created', 'pullrequest:updated', 'pullrequest:fulfilled', 'pullrequest:rejected'],
  issue: ['issue:updated'],
};

/** Source: Bitbucket Cloud REST API 2.0, `hooks`. */
export async function createWebhook(ctx: BitbucketCtx, webhook: NewWebhook): Promise<{ readonly id: string }> {
  const { repository, url, secret, events } = webhook;
  const path = repositoryPath(repository, '/hooks');
  const earlier = await granted(RIGHTS, () => hookAt(ctx, path, url));
  const names = events.flatMap((kind) => EVENTS[kind]);
  const body = { description: 'Breakwater', url, active: true, events: names, secret };
  const request =
    earlier === null
      ? ({ method: 'POST', path } as const)
      : ({ method: 'PUT', path: `${path}/${segment(earlier.uuid)}` } as const);
  const answer = await write(ctx, { ...request, body }, RIGHTS);
  return { id: readAnswer(Hook, answered(answer, 'make the webhook')).uuid };
}

async function hookAt({ http }: BitbucketCtx, path: string, url: string) {
  for await (const hook of rowsOf(http, path, Hook)) if (hook.url === url) return hook;
  return null;
}

export const deleteWebhook: NonNullable<ScmWrite<BitbucketForm>['deleteWebhook']> = async (ctx, { repository, id }) => {
  const path = repositoryPath(repository, `/hooks/${segment(id)}`);
  const answer = await write(ctx, { method: 'DELETE', path }, RIGHTS);
  if (answer.status === 404) return;
  answered(answer, 'delete the webhook');
  // a proxy answers everything
  if (answer.status === 204) return;
  throw new ConnectorError('upstream', `Bitbucket did not say that the webhook is gone (status ${answer.status}).`);
};

const RepositoryName = Type.Object({ uuid: Type.String(), full_name: Type.String() });

const Push = Type.Object({
  repository: RepositoryName,
  push: Type.Object({
    changes: Type.Array(
      Type.Object({
        new: Type.Union([
          Type.Object({ type: Type.String(), name: Type.String(), target: Type.Object({ hash: Type.String() }) }),
          Type.Null(),
        ]),
      }),
    ),
  }),
});

const BranchName = Type.Object({ name: Type.String() });

const PullRequestChange = Type.Object({
  repository: RepositoryName,
  pullrequest: Type.Object({
    id: Type.Integer(),
    source: Type.Object({
      branch: BranchName,
      commit: Type.Object({ hash: Type.String() }),
      repository: Type.Optional(Type.Union([RepositoryName, Type.Null()])),
    }),
    destination: Type.Object({ branch: BranchName }),
  }),
});

const IssueChange = Type.Object({
  repository: RepositoryName,
  issue: Type.Object({ id: Type.Integer() }),
  changes: Type.Optional(
    Type.Object({ status: Type.Optional(Type.Object({ old: Type.String(), new: Type.String() })) }),
  ),
});

type PullRequestAction = Extract<ScmEvent, { kind: 'pull-request' }>['action'];

const ACTIONS: ReadonlyMap<string, PullRequestAction> = new Map([
  ['pullrequest:created', 'opened'],
  // Bitbucket does not say whether commits or only the title changed.
  ['pullrequest:updated', 'updated'],
  ['pullrequest:fulfilled', 'merged'],
  ['pullrequest:rejected', 'closed'],
]);

/** Source: Bitbucket Cloud, "Event payloads"; `X-Hub-Signature: sha256=<hex>`. */
export const webhook: Webhook<BitbucketForm> = {
  proof: { type: 'hmac-sha256', header: 'x-hub-signature', secret: 'webhook_secret' },
  async on(ctx, { event, body }) {
    if (event === 'repo:push') return pushed(body);
    if (event === 'issue:updated') return issueChanged(body);
    const action = ACTIONS.get(event);
    return action === undefined ? [] : [await pullRequestChanged(ctx, body, action)];
  },
};

/** As `listRepositories` names it. */
function idOf({ uuid, full_name: name }: { readonly uuid: string; readonly full_name: string }): string {
  return `${name.slice(0, Math.max(name.indexOf('/'), 0)).toLowerCase()}/${uuid}`;
}

function pushed(body: Json): ScmEvent[] {
  const { repository, push } = readAnswer(Push, body);
  return push.changes.flatMap(({ new: after }): ScmEvent[] =>
    after?.type === 'branch'
      ? [{ kind: 'push', repository: idOf(repository), branch: after.name, commit: after.target.hash }]
      : [],
  );
}

/** Said once: when its state changes from an open one. */
function issueChanged(body: Json): ScmEvent[] {
  const { repository, issue, changes } = readAnswer(IssueChange, body);
  const status = changes?.status;
  if (status === undefined || issueStateOf(status.old) !== 'open') return [];
  const action = issueStateOf(status.new);
  return action === 'open' ? [] : [{ kind: 'issue', repository: idOf(repository), number: issue.id, action }];
}

async function pullRequestChanged(ctx: BitbucketCtx, body: Json, action: PullRequestAction): Promise<ScmEvent> {
  const { repository, pullrequest } = readAnswer(PullRequestChange, body);
  const { source, destination, id: number } = pullrequest;
  const isFromFork = source.repository?.uuid !== repository.uuid;
  const { hash } = source.commit;
  return {
    kind: 'pull-request',
    repository: idOf(repository),
    number,
    branch: source.branch.name,
    // A fork may be gone or may not be seen, and nobody needs more of its commit than what is said.
    commit: isFromFork ? hash : await wholeHash(ctx, idOf(repository), hash),
    into: destination.branch.name,
    isFromFork,
    action,
  };
}

/** Deliveries about pull requests name only the first twelve digits. A commit that is gone keeps them. */
async function wholeHash({ http }: BitbucketCtx, repository: string, hash: string): Promise<string> {
  if (hash.length >= 40) return hash;
  const answer = await http.request({
    path: repositoryPath(repository, `/commit/${segment(hash)}`),
    accept: [404],
  });
  if (answer.status !== 200) return hash;
  return readAnswer(Commit, answerJson(answer)).hash;
}
