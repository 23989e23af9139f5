import { sql } from 'kysely';
import { notify } from '../../../notifications/server/index.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';
import { moveRemediation, type Remediation } from '../remediation-store.ts';

/** A pull request or an issue at its provider. */
export interface SubmissionRef {
  clientId: string;
  connectorId: string;
  /** Of the repository, at the provider. */
  externalId: string;
  kind: 'pull-request' | 'issue';
  number: number;
}

/** State of a remediation while its pull request or its issue is open. */
export const OPEN_STATUS = { 'pull-request': 'pr_submitted', issue: 'issued' } as const;

/** Remediations whose pull request or issue this is: several where one change fixes several findings. Index: remediations_repository. */
const readOpened = async (db: Db, of: SubmissionRef) => {
  const { rows } = await sql<
    Pick<Remediation, 'client_id' | 'id' | 'finding_id' | 'title' | 'submission' | 'reference_url' | 'created_by'>
  >`
    select m.client_id, m.id, m.finding_id, m.title, m.submission, m.reference_url, m.created_by
    from repositories r
    join remediations m on m.client_id = r.client_id and m.repository_id = r.id
    where r.client_id = ${of.clientId} and r.source_control = ${of.connectorId} and r.external_id = ${of.externalId}
      and m.number = ${of.number} and m.processing_status = ${OPEN_STATUS[of.kind]}
    order by m.finding_id limit 1000`.execute(db);
  return rows;
};

/** Whether nobody else has ended it meanwhile: a delivery and the poller may learn of it at the same time. */
const isOpen = async (db: Db, { client_id, id }: Pick<Remediation, 'client_id' | 'id'>, of: SubmissionRef) => {
  const row = await db
    .selectFrom('remediations')
    .select('id')
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .where('number', '=', of.number)
    .where('processing_status', '=', OPEN_STATUS[of.kind])
    .executeTakeFirst();
  return row !== undefined;
};

/** The next pull request or issue is another one, a pull request on a branch of its own. */
const nextSubmission = ({ submission }: Pick<Remediation, 'submission'>) =>
  ({ submission: submission + 1, reference_url: null, number: null, fix_branch: null }) as const;

/**
 * What follows from the end of a pull request or an issue. Merged, or closed as done: its findings wait for the next scan. Closed without
 * being taken: the fix is ready again.
 */
export const endSubmission = async (db: Db, of: SubmissionRef, isTaken: boolean): Promise<void> => {
  const opened = await readOpened(db, of);
  for (const one of opened) {
    await moveRemediation(db, one, {
      event: isTaken ? 'merge' : 'close',
      actor: null,
      detail: one.reference_url,
      columns: isTaken ? {} : nextSubmission(one),
      guard: (inside) => isOpen(inside, one, of),
    });
  }
  const [first] = opened;
  if (first === undefined || !isTaken || of.kind === 'issue') return;
  const people = [...new Set(opened.flatMap(({ created_by }) => created_by ?? []))];
  await notify(db, {
    clientId: of.clientId,
    type: 'pr_merged',
    title: say('Pull request {number} was merged: {title}', { number: String(of.number), title: first.title }),
    message: say('The next scan closes what it fixed.'),
    link: `/findings/all/finding-details/${first.finding_id}`,
    to: { userIds: people },
  });
};
