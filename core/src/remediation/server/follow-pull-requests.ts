import type { ScmEvent } from '@breakwater/sdk';
import { sql } from 'kysely';
import { notify } from '../../notifications/server/index.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { moveRemediation, type Remediation } from './remediation-store.ts';

interface PullRequestOf {
  clientId: string;
  connectorId: string;
  /** Of the repository, at the provider. */
  externalId: string;
  number: number;
}

/** Remediations whose pull request this is: several where one change fixes several findings. Index: remediations_repository. */
const readOpened = async (db: Db, of: PullRequestOf) => {
  const { rows } = await sql<
    Pick<Remediation, 'client_id' | 'id' | 'finding_id' | 'title' | 'submission' | 'reference_url' | 'created_by'>
  >`
    select m.client_id, m.id, m.finding_id, m.title, m.submission, m.reference_url, m.created_by
    from repositories r
    join remediations m on m.client_id = r.client_id and m.repository_id = r.id
    where r.client_id = ${of.clientId} and r.source_control = ${of.connectorId} and r.external_id = ${of.externalId}
      and m.number = ${of.number} and m.processing_status = 'pr_submitted'
    order by m.finding_id limit 1000`.execute(db);
  return rows;
};

/** What follows from the end of a pull request: merged, its findings wait for the next scan; closed, the fix is ready again. */
const endPullRequest = async (db: Db, of: PullRequestOf, isMerged: boolean): Promise<void> => {
  const opened = await readOpened(db, of);
  for (const one of opened) {
    await moveRemediation(db, one, {
      event: isMerged ? 'merge' : 'close',
      actor: null,
      detail: one.reference_url,
      // the next pull request is another one, on a branch of its own
      columns: isMerged ? {} : { submission: one.submission + 1, reference_url: null, number: null, fix_branch: null },
    });
  }
  const [first] = opened;
  if (first === undefined || !isMerged) return;
  const people = [...new Set(opened.flatMap(({ created_by }) => created_by ?? []))];
  await notify(db, {
    clientId: of.clientId,
    type: 'pr_merged',
    title: `Pull request ${of.number} was merged: ${first.title}`,
    message: 'The next scan closes what it fixed.',
    link: `/findings/all/finding-details/${first.finding_id}`,
    to: { userIds: people },
  });
};

/** What follows from a provider's deliveries about pull requests; others are not ours and change nothing. */
export const createFollowPullRequests =
  (database: DatabaseHandle) =>
  async (
    { clientId, connectorId }: { clientId: string; connectorId: string },
    events: readonly ScmEvent[],
  ): Promise<void> => {
    for (const event of events) {
      if (event.kind !== 'pull-request' || event.isFromFork) continue;
      if (event.action !== 'merged' && event.action !== 'closed') continue;
      const of = { clientId, connectorId, externalId: event.repository, number: event.number };
      const isMerged = event.action === 'merged';
      await database.forClient(clientId, (db) => endPullRequest(db, of, isMerged));
    }
  };
