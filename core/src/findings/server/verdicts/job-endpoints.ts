import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import type { ClientJobsTable } from '../../../platform/server/jobs/client-jobs.ts';
import * as routes from '../../api/job-routes.ts';

const SHOWN = [
  'id',
  'kind',
  'status',
  'total',
  'done',
  'position',
  'refused_count',
  'refused',
  'detail',
  'created_at',
  'finished_at',
] as const;
const MAX_JOBS = 20;
const UNKNOWN = msg('There is no such job, or it is somebody else’s.');

/** The caller's own jobs. */
const own = (db: Db, caller: { clientId: string; userId: string }) =>
  db
    .selectFrom('client_jobs')
    .select(SHOWN)
    .where('client_id', '=', caller.clientId)
    .where('actor', '=', caller.userId);

const toItem = (job: Pick<Selectable<ClientJobsTable>, (typeof SHOWN)[number]>) => {
  const { id, position, created_at, finished_at, ...rest } = job;
  // some jobs have more to do once all of their ids are through
  const share = Math.min(99, Math.floor((position / rest.total) * 100));
  const percentage = rest.status === 'done' || rest.total === 0 ? 100 : share;
  const times = { created_at: created_at.toISOString(), finished_at: finished_at?.toISOString() ?? null };
  return { _id: id, attributes: { ...rest, percentage: rest.status === 'queued' ? 0 : percentage, ...times } };
};

/** How long work goes, and that its end was read. */
export const jobEndpoints = (): Endpoint[] => [
  tenantEndpoint(routes.listJobs)(async ({ db, caller }) => {
    // index: client_jobs_unseen
    const jobs = await own(db, caller)
      .where('seen_at', 'is', null)
      .where((when) =>
        when.or([when('finished_at', 'is', null), when('finished_at', '>', sql<Date>`now() - interval '1 day'`)]),
      )
      .orderBy('id', 'desc')
      .limit(MAX_JOBS)
      .execute();
    return { data: jobs.map(toItem) };
  }),
  tenantEndpoint(routes.getJob)(async ({ db, caller, params }) => {
    const job = await own(db, caller).where('id', '=', params.id).executeTakeFirst();
    if (job === undefined) throw new AppError('not_found', UNKNOWN);
    return { data: toItem(job) };
  }),
  tenantEndpoint(routes.seeJob)(async ({ db, caller, params }) => {
    const job = await own(db, caller).where('id', '=', params.id).forUpdate().executeTakeFirst();
    if (job === undefined) throw new AppError('not_found', UNKNOWN);
    if (job.finished_at === null) throw new AppError('conflict', msg('This is still under way.'));
    await db
      .updateTable('client_jobs')
      .set({ seen_at: sql`now()` })
      .where('client_id', '=', caller.clientId)
      .where('id', '=', params.id)
      .execute();
    return { success: true as const };
  }),
];
