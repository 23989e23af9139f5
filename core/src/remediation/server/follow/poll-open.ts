import type { Scm } from '@breakwater/sdk';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { AppError } from '../../../platform/model/app-error.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import type { RemediationDeps } from '../source-files.ts';
import { endSubmission, OPEN_STATUS, type SubmissionRef } from './end-submission.ts';

const EVERY_SECONDS = 60;
/** Questions to one connection at one look; the others follow at the next one. */
const MAX_PER_CONNECTION = 50;
/** Refusals in a row after which a connection is left alone until the next look. */
const MAX_REFUSALS = 3;
/** Without a webhook that works. */
const POLL_MINUTES = 10;
/** With one: only what its deliveries have missed. */
const MISSED_HOURS = 6;

/** Index: remediations_open. */
const readDue = async (db: Db, clientId: string): Promise<SubmissionRef[]> => {
  const { rows } = await sql<SubmissionRef>`
    with due as (
      select r.source_control, r.external_id, m.processing_status, m.number, min(coalesce(m.polled_at, m.updated_at)) as since
      from remediations m
      join repositories r on r.client_id = m.client_id and r.id = m.repository_id
      left join repository_webhooks w on w.client_id = m.client_id and w.repository_id = m.repository_id
      where m.client_id = ${clientId} and m.processing_status in ('pr_submitted', 'issued')
        and m.number is not null and r.external_id is not null
        and coalesce(m.polled_at, m.updated_at) < now() - make_interval(mins => ${POLL_MINUTES})
        and (w.state is distinct from 'active'
          or coalesce(m.polled_at, m.updated_at) < now() - make_interval(hours => ${MISSED_HOURS}))
      group by 1, 2, 3, 4
    ), counted as (
      select *, row_number() over (partition by source_control order by since, external_id, number) as place from due
    )
    select ${clientId} as "clientId", source_control as "connectorId", external_id as "externalId", number,
      case processing_status when 'issued' then 'issue' else 'pull-request' end as kind
    from counted where place <= ${MAX_PER_CONNECTION} order by place`.execute(db);
  return rows;
};

/** Its turn comes again after all others. */
const markAsked = (db: Db, of: SubmissionRef) =>
  sql`update remediations m set polled_at = clock_timestamp()
    from repositories r
    where r.client_id = ${of.clientId} and r.source_control = ${of.connectorId} and r.external_id = ${of.externalId}
      and m.client_id = r.client_id and m.repository_id = r.id and m.number = ${of.number}
      and m.processing_status = ${OPEN_STATUS[of.kind]}`.execute(db);

/** Whether it was taken; null while it is open, or where the provider does not know it. */
const ask = (deps: RemediationDeps, scm: Scm, of: SubmissionRef): Promise<boolean | null> =>
  deps.connections.use(of, async (ctx) => {
    const at = { repository: of.externalId, number: of.number };
    if (of.kind === 'issue') {
      const state = (await scm.issue?.(ctx, at))?.state ?? 'open';
      return state === 'open' ? null : state === 'closed';
    }
    const state = (await scm.pullRequest?.(ctx, at))?.state ?? 'open';
    return state === 'open' ? null : state === 'merged';
  });

/** @returns how many were asked about */
const pollConnection = async (deps: RemediationDeps, due: readonly SubmissionRef[]): Promise<number> => {
  let asked = 0;
  let refusals = 0;
  for (const of of due) {
    if (refusals >= MAX_REFUSALS) break;
    const scm = await deps.connections.capability(of, 'scm');
    if (scm === null) break;
    try {
      const isTaken = await ask(deps, scm, of);
      refusals = 0;
      if (isTaken !== null) await deps.database.forClient(of.clientId, (db) => endSubmission(db, of, isTaken));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // nobody was asked: the connection waits for its limit to pass, or for a person
      if (error.code !== 'upstream_failed') break;
      refusals += 1;
    }
    await deps.database.forClient(of.clientId, (db) => markAsked(db, of));
    asked += 1;
  }
  return asked;
};

/**
 * Asks providers about pull requests and issues that are open for longer than a delivery would take, in every organisation. A provider that
 * sets a limit pauses its connection, and is not asked again before that has passed. @returns how many were asked about
 */
export const pollOpenSubmissions = async (deps: RemediationDeps, database: DatabaseHandle): Promise<number> => {
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').orderBy('id').execute());
  let count = 0;
  for (const { id: clientId } of clients) {
    const due = await database.forClient(clientId, (db) => readDue(db, clientId));
    for (const ofConnection of Map.groupBy(due, ({ connectorId }) => connectorId).values())
      count += await pollConnection(deps, ofConnection);
  }
  return count;
};

/** Learns of what no delivery has told. */
export const pollOpen = defineJob({
  name: 'remediation.poll-open',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: EVERY_SECONDS },
  run: ({ remediation, database }: { remediation: RemediationDeps; database: DatabaseHandle }) =>
    pollOpenSubmissions(remediation, database),
});
