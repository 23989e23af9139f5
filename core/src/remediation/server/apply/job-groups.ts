import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { idsOfJob, type JobOfClient } from '../../../platform/server/jobs/client-jobs.ts';
import { groupBranchOf } from './group-branch.ts';

/** What a job's ids are of. */
export type IdKind = 'finding' | 'remediation';

export interface JobGroup {
  key: string;
  /** Branch that holds the fixes. */
  branch: string;
  /** Of its remediations that can be opened. */
  ids: string[];
  /** Findings whose fix is open with it. */
  opened: number;
}

interface GroupRow {
  repositoryId: string;
  target: string;
  submission: number;
  /** All of its remediations, whatever their state: so that a group has the same place while others are opened. */
  ids: string[];
}

const wantedBy = (kind: IdKind) => (kind === 'finding' ? sql`m.finding_id = w.id` : sql`m.id = w.id`);

/** The pull request at a place of a job; undefined behind the last one. Reads remediations by their keys. */
export const readJobGroup = async (
  db: Db,
  job: JobOfClient,
  { kind, order, place }: { kind: IdKind; order: string; place: number },
): Promise<JobGroup | undefined> => {
  const { rows } = await sql<GroupRow>`
    with known as (
      select m.id, m.repository_id, m.branch, m.submission from (${idsOfJob(job)}) w
      cross join lateral (select * from remediations m where m.client_id = ${job.clientId} and ${wantedBy(kind)} offset 0) m
    )
    select repository_id as "repositoryId", branch as target, max(submission) as submission, array_agg(id order by id) as ids
    from known group by 1, 2 order by 1, 2 offset ${place} limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const named = groupBranchOf({ order, ...row });
  const states = await sql<{ id: string; isReady: boolean; isOpened: boolean }>`
    select m.id, m.processing_status = 'ready' and m.remediation_type = 'pull_request' and m.code_diff is not null as "isReady",
      m.processing_status = 'pr_submitted' and m.fix_branch = ${named.branch} as "isOpened"
    from unnest(${row.ids}::uuid[]) w (id)
    cross join lateral (select * from remediations where client_id = ${job.clientId} and id = w.id offset 0) m`.execute(
    db,
  );
  return {
    ...named,
    ids: states.rows.flatMap(({ id, isReady }) => (isReady ? [id] : [])),
    opened: states.rows.filter(({ isOpened }) => isOpened).length,
  };
};
