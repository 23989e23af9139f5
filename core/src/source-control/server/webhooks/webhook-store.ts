import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { publish } from '../../../platform/server/events.ts';
import type { RepositoryRef } from '../subject.ts';
import './tables.ts';

/** Longer than the longest run. */
const LEASE_SECONDS = 120;
const MAX_PROBLEM = 1000;
/** Looked at once a day: one that was deleted there is made again. */
const NEXT_HOURS = 24;

/**
 * Takes the webhook of a repository for one run: nobody else asks the provider meanwhile. @returns its id at the provider; undefined where
 * another run has it or the repository is gone
 */
export const claimWebhook = async (
  db: Db,
  { clientId, repositoryId }: RepositoryRef,
  runId: string,
): Promise<{ webhookId: string | null } | undefined> => {
  const { rows } = await sql<{ webhookId: string | null }>`
    insert into repository_webhooks as w (client_id, repository_id, run_id, run_until)
    select client_id, id, ${runId}::uuid, now() + make_interval(secs => ${LEASE_SECONDS})
    from repositories where client_id = ${clientId} and id = ${repositoryId}
    on conflict (client_id, repository_id) do update set run_id = excluded.run_id, run_until = excluded.run_until
    where w.run_until is null or w.run_until < now()
    returning webhook_id as "webhookId"`.execute(db);
  return rows[0];
};

/** What became of a run. */
export type WebhookOutcome =
  | { kind: 'made'; webhookId: string }
  | { kind: 'deleted' }
  | { kind: 'not-made'; problem: string }
  | { kind: 'not-deleted'; problem: string };

const cut = (problem: string): string => problem.slice(0, MAX_PROBLEM).toWellFormed();

const columnsOf = (outcome: WebhookOutcome) => {
  switch (outcome.kind) {
    case 'made': {
      const next_at = sql<Date>`now() + make_interval(hours => ${NEXT_HOURS})`;
      return { state: 'active', webhook_id: outcome.webhookId, problem: null, attempts: 0, next_at } as const;
    }
    case 'deleted':
      return { state: 'none', webhook_id: null, problem: null, attempts: 0, next_at: null } as const;
    case 'not-made':
      return {
        ...({ state: 'failed', problem: cut(outcome.problem), attempts: sql<number>`attempts + 1` } as const),
        next_at: sql<Date>`now() + make_interval(hours => least(power(2, attempts), ${NEXT_HOURS})::integer)`,
      };
    case 'not-deleted':
      return { state: 'failed', problem: cut(outcome.problem), next_at: null } as const;
  }
};

/** Ends a run with what became of it. @returns whether the run still had the webhook; where not, nothing was written */
export const keepWebhook = async (
  db: Db,
  { clientId, repositoryId }: RepositoryRef,
  { runId, outcome }: { runId: string; outcome: WebhookOutcome },
): Promise<boolean> => {
  const kept = await db
    .updateTable('repository_webhooks')
    .set({ ...columnsOf(outcome), run_id: null, run_until: null, changed_at: sql`now()` })
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repositoryId)
    .where('run_id', '=', runId)
    .executeTakeFirst();
  if (kept.numUpdatedRows === 0n) return false;
  const audience = { repositoryIds: [repositoryId] };
  await publish(db, { clientId, type: 'repository.changed', data: { repository_id: repositoryId }, audience });
  return true;
};

/** The webhooks that are known at a provider, of the repositories that it has for a client. Indexes: by client of both tables. */
export const readWebhooksOf = async (db: Db, connection: { clientId: string; connectorId: string }) => {
  const { rows } = await sql<{ repositoryId: string; externalId: string; webhookId: string }>`
    select w.repository_id as "repositoryId", r.external_id as "externalId", w.webhook_id as "webhookId"
    from repository_webhooks w
    join repositories r on r.client_id = w.client_id and r.id = w.repository_id
    where w.client_id = ${connection.clientId} and r.source_control = ${connection.connectorId}
      and w.webhook_id is not null and r.external_id is not null
    order by w.repository_id`.execute(db);
  return rows;
};

/**
 * What proves the deliveries of a connection is gone, so that its webhooks prove nothing any more: they are made anew as soon as the
 * connection works again. A run that is under way has lost them.
 */
export const loseWebhooks = async (db: Db, connection: { clientId: string; connectorId: string }): Promise<void> => {
  await sql`
    update repository_webhooks w
    set state = 'failed', attempts = 0, next_at = now(), run_id = null, run_until = null, changed_at = now(),
      problem = coalesce(w.problem, 'The connection was removed or has another host now. Delete the earlier webhook at the provider.')
    from repositories r
    where w.client_id = ${connection.clientId} and r.client_id = w.client_id and r.id = w.repository_id
      and r.source_control = ${connection.connectorId} and (w.state = 'active' or w.run_id is not null)`.execute(db);
};

/** What became of the webhooks of a connection that is being removed: undefined where one is gone, else the reason why it is not. */
export const keepRemoved = async (
  db: Db,
  clientId: string,
  results: ReadonlyMap<string, string | undefined>,
): Promise<void> => {
  for (const [repositoryId, problem] of results) {
    if (problem === undefined) {
      await db
        .deleteFrom('repository_webhooks')
        .where('client_id', '=', clientId)
        .where('repository_id', '=', repositoryId)
        .execute();
      continue;
    }
    await db
      .updateTable('repository_webhooks')
      .set({ state: 'failed', problem: cut(problem), next_at: sql<Date>`now()`, changed_at: sql<Date>`now()` })
      .where('client_id', '=', clientId)
      .where('repository_id', '=', repositoryId)
      .execute();
  }
};

/** What is known of the webhook of a repository, with what decides whether it can have one. Reads the primary keys. */
export const readWebhook = (db: Db, { clientId, repositoryId }: RepositoryRef) =>
  db
    .selectFrom('repositories as r')
    .leftJoin('repository_webhooks as w', (join) =>
      join.onRef('w.client_id', '=', 'r.client_id').onRef('w.repository_id', '=', 'r.id'),
    )
    .select(['r.source_control', 'r.external_id', 'r.is_sample'])
    .select(['w.state', 'w.problem', 'w.changed_at', 'w.next_at'])
    .where('r.client_id', '=', clientId)
    .where('r.id', '=', repositoryId)
    .executeTakeFirst();
