import { Type } from 'typebox';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { defineJob, type JobQueue } from '../../../platform/server/jobs/define-job.ts';
import type { RepositoryRemoval } from '../../../repositories/server/index.ts';
import { deleteLeftWebhook, type WebhookDeps } from './make-webhook.ts';
import { keepRemoved, loseWebhooks, readWebhooksOf } from './webhook-store.ts';

/** The person who removes a connection waits for it. */
const REMOVAL_MS = 20_000;
const AT_ONCE = 4;
const RETRIES = 5;

interface RemovalDeps {
  webhooks: WebhookDeps;
}

/** Deletes the webhook of a removed repository at its provider. What the provider refuses stands in the history of the connection. */
export const deleteLeftWebhookJob = defineJob({
  name: 'source-control.delete-webhook',
  input: Type.Object({
    clientId: Type.String(),
    connectorId: Type.String(),
    externalId: Type.String(),
    webhookId: Type.String(),
    repository: Type.String(),
  }),
  retry: { limit: RETRIES },
  group: ({ clientId }) => clientId,
  groupConcurrency: 1,
  run: async ({ webhooks }: RemovalDeps, { data, attempt, signal }) => {
    try {
      await deleteLeftWebhook(webhooks, data, signal);
    } catch (error) {
      if (!(error instanceof AppError) || attempt <= RETRIES) throw error;
      const message = `The webhook of ${data.repository} could not be deleted: ${error.userMessage}`;
      await webhooks.connections.note(data, { event: 'WEBHOOK', message });
    }
  },
});

/** Sees to it that the webhooks of a removed repository go at its provider too. */
export const removeWebhooks =
  (jobs: Pick<JobQueue, 'enqueue'>): RepositoryRemoval =>
  async (db, { clientId, repositoryIds }) => {
    const left = await db
      .selectFrom('repository_webhooks as w')
      .innerJoin('repositories as r', (join) =>
        join.onRef('r.client_id', '=', 'w.client_id').onRef('r.id', '=', 'w.repository_id'),
      )
      .select(['r.source_control', 'r.external_id', 'r.nickname', 'w.webhook_id'])
      .where('w.client_id', '=', clientId)
      .where('w.repository_id', 'in', [...repositoryIds])
      .execute();
    for (const { source_control: connectorId, external_id: externalId, nickname, webhook_id: webhookId } of left) {
      if (externalId === null || webhookId === null) continue;
      await jobs.enqueue(db, deleteLeftWebhookJob, {
        clientId,
        connectorId,
        externalId,
        webhookId,
        repository: nickname,
      });
    }
  };

/**
 * Deletes the webhooks of a connection at its provider before it is removed, as many as within 20 s. What could not be deleted keeps its
 * reason; it proves nothing any more either way. Never fails.
 */
export const removeWebhooksOf = async (
  deps: WebhookDeps,
  connection: { clientId: string; connectorId: string },
): Promise<void> => {
  const { clientId } = connection;
  const waiting = await deps.database.forClient(clientId, (db) => readWebhooksOf(db, connection));
  const results = new Map<string, string | undefined>();
  const end = AbortSignal.timeout(REMOVAL_MS);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        await deleteLeftWebhook(deps, { ...connection, ...next }, end);
        results.set(next.repositoryId, undefined);
      } catch (error) {
        const reason = error instanceof AppError ? error.userMessage : msg('An error of this server.');
        results.set(next.repositoryId, `Its earlier webhook was not deleted with the connection: ${reason}`);
        if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'a webhook was not deleted');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await deps.database.forClient(clientId, (db) => keepRemoved(db, clientId, results));
};

/** What the slice of connections tells this one. */
export const createWebhookFollower = (deps: () => WebhookDeps) => ({
  beforeRemoval: (connection: { clientId: string; connectorId: string }) => removeWebhooksOf(deps(), connection),
  deliveriesLost: loseWebhooks,
});
