import { sql } from 'kysely';
import { Type } from 'typebox';
import { AppError } from '../../../platform/model/app-error.ts';
import { defineJob, type JobQueue } from '../../../platform/server/jobs/define-job.ts';
import {
  type Concerns,
  EVERY_SECONDS,
  enqueueDueRepositories,
  isDue,
  MAX_AT_ONCE,
  type ReadDue,
} from '../due-repositories.ts';
import { RepositoryInput } from '../subject.ts';
import { canHaveWebhooks, makeWebhook, type WebhookDeps } from './make-webhook.ts';

export interface WebhookJobDeps {
  webhooks: WebhookDeps;
  jobs: Pick<JobQueue, 'enqueue'>;
}

/** Repositories of connected source controls that never had a webhook, or whose webhook is to be looked at. Index: by client of both tables. */
const readDue: ReadDue = async (db, { clientId, sourceControls, id = null }) => {
  const { rows } = await sql<{ id: string }>`
    select r.id from repositories r
    left join repository_webhooks w on w.client_id = r.client_id and w.repository_id = r.id
    where r.client_id = ${clientId} and r.external_id is not null and not r.is_sample
      and r.source_control = any(${[...sourceControls]}::text[]) and (w.client_id is null or w.next_at <= now())
      and (${id}::uuid is null or r.id = ${id})
    order by w.next_at nulls first, r.id limit ${MAX_AT_ONCE}`.execute(db);
  return rows.map((row) => row.id);
};

const concernsOf =
  (webhooks: WebhookDeps): Concerns =>
  (db, connectionKey) =>
    canHaveWebhooks(webhooks, db, connectionKey);

/** Makes the webhook of one repository, or looks whether it is still there, if that is still due. */
export const makeWebhookJob = defineJob({
  name: 'source-control.webhook',
  input: RepositoryInput,
  key: ({ repositoryId }) => repositoryId,
  // what failed is due again within hours
  retry: { limit: 0 },
  concurrency: 2,
  group: ({ clientId }) => clientId,
  groupConcurrency: 1,
  run: async ({ webhooks }: WebhookJobDeps, { data, signal }) => {
    if (!(await isDue(webhooks, { concerns: concernsOf(webhooks), readDue }, data))) return;
    try {
      await makeWebhook(webhooks, data, signal);
    } catch (error) {
      // it went, or a person is at it
      if (!(error instanceof AppError)) throw error;
    }
  },
});

/** Enqueues webhooks that are due, in every organisation; none where no provider could reach this server. @returns how many */
export const enqueueDueWebhooks = async ({ webhooks, jobs }: WebhookJobDeps): Promise<number> => {
  if (webhooks.publicOrigin === undefined) return 0;
  return enqueueDueRepositories(webhooks, jobs, { job: makeWebhookJob, concerns: concernsOf(webhooks), readDue });
};

/** New repositories get their webhook within a minute; the others are looked at once a day. */
export const findDueWebhooks = defineJob({
  name: 'source-control.due-webhooks',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: EVERY_SECONDS },
  run: enqueueDueWebhooks,
});
