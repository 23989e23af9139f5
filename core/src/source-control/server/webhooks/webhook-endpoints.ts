import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import {
  type Caller,
  callerEndpoint,
  type Endpoint,
  ownedOnly,
  tenantEndpoint,
} from '../../../platform/server/endpoint.ts';
import { readRepository } from '../../../repositories/server/index.ts';
import {
  createRepositoryWebhook,
  getRepositoryWebhook,
  type RepositoryWebhook,
  removeRepositoryWebhook,
} from '../../api/webhook-routes.ts';
import { deleteWebhook, makeWebhook, type WebhookDeps, webhookIssue } from './make-webhook.ts';
import { readWebhook } from './webhook-store.ts';

/** @throws repository_not_found, also of one that the caller may not see */
const viewOf = async (deps: WebhookDeps, db: Db, caller: Caller, repositoryId: string): Promise<RepositoryWebhook> => {
  const { clientId } = caller;
  await readRepository(db, { clientId, onlyOwnedBy: ownedOnly(caller) }, repositoryId);
  const row = await readWebhook(db, { clientId, repositoryId });
  if (row === undefined) throw new AppError('repository_not_found');
  const issue = await webhookIssue(deps, db, { clientId, ...row });
  return {
    is_available: issue === null,
    state: row.state ?? 'none',
    problem: row.problem ?? issue,
    changed_at: row.changed_at?.toISOString() ?? null,
    next_at: row.next_at?.toISOString() ?? null,
  };
};

/** The webhook of a repository at its provider. */
export const webhookEndpoints = (deps: WebhookDeps): Endpoint[] => {
  /** The provider is asked outside any transaction. */
  const after = async (caller: Caller, repositoryId: string, work: () => Promise<void>) => {
    const view = () => deps.database.forClient(caller.clientId, (db) => viewOf(deps, db, caller, repositoryId));
    await view();
    await work();
    return { data: await view() };
  };
  return [
    tenantEndpoint(getRepositoryWebhook)(async ({ db, caller, params }) => ({
      data: await viewOf(deps, db, caller, params.id),
    })),
    callerEndpoint(createRepositoryWebhook)(({ caller, params: { id }, signal }) =>
      after(caller, id, () => makeWebhook(deps, { clientId: caller.clientId, repositoryId: id }, signal)),
    ),
    callerEndpoint(removeRepositoryWebhook)(({ caller, params: { id }, signal }) =>
      after(caller, id, () => deleteWebhook(deps, { clientId: caller.clientId, repositoryId: id }, signal)),
    ),
  ];
};
