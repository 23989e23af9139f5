import { sql } from 'kysely';
import { AppError, type FieldIssue } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { AuditDetails } from '../../../platform/server/audit.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import { addClientJob, addJobParts } from '../../../platform/server/jobs/client-jobs.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import * as routes from '../../api/verdict-routes.ts';
import { applyChange } from '../../model/apply-change.ts';
import type { BulkKind, FindingChange } from '../../model/change.ts';
import { readFinding } from '../detail/read-finding.ts';
import { findMembers } from '../filter/names.ts';
import { type Viewer, viewerOf } from '../filter/viewer.ts';
import { findPage } from '../list/find-page.ts';
import { notifyDevelopers } from './assignments.ts';
import { bulkChange } from './bulk-job.ts';
import { type Decisions, decide, newChangeId } from './decide.ts';
import { readSets } from './find-sets.ts';
import { jobEndpoints } from './job-endpoints.ts';
import { readChangedIds, undoChanges } from './undo-changes.ts';

const issueAt = (loc: (string | number)[], msg: string): FieldIssue => ({
  loc: ['body', ...loc],
  msg,
  type: 'value_error',
});

const verdictIssues = (verdict: NonNullable<FindingChange['verdict']>): FieldIssue[] => {
  const issues: FieldIssue[] = [];
  if (verdict.value === 'accepted_risk' && (verdict.reason ?? '').trim() === '') {
    issues.push(issueAt(['verdict', 'reason'], msg('Say why the risk is accepted.')));
  }
  if (typeof verdict.expires_at === 'string') {
    if (verdict.value !== 'accepted_risk') {
      issues.push(issueAt(['verdict', 'expires_at'], msg('Only an accepted risk ends on a day.')));
    } else if (Date.parse(verdict.expires_at) <= Date.now()) {
      issues.push(issueAt(['verdict', 'expires_at'], msg('This day is past. Choose a later one.')));
    }
  }
  return issues;
};

/** @throws validation_failed for what cannot be meant: nothing to change, a risk without a reason, a day that is past, people of nobody. */
export const checkChange = async (
  db: Db,
  clientId: string,
  change: FindingChange,
  at: string[] = [],
): Promise<void> => {
  const issues: FieldIssue[] = change.verdict === undefined ? [] : verdictIssues(change.verdict);
  if (Object.values(change).every((value) => value === undefined))
    issues.push(issueAt([], msg('Name at least one thing to change.')));
  const owner = change.issue_owner ?? undefined;
  const developers = change.developer_ids ?? [];
  const members = await findMembers(db, { clientId, ids: [...developers, ...(owner === undefined ? [] : [owner])] });
  const unknown = msg('Nobody of this id belongs to the organisation.');
  if (owner !== undefined && !members.has(owner)) issues.push(issueAt(['issue_owner'], unknown));
  if (developers.some((id) => !members.has(id))) issues.push(issueAt(['developer_ids'], unknown));
  if (issues.length === 0) return;
  const placed = issues.map((issue) => ({ ...issue, loc: ['body', ...at, ...issue.loc.slice(1)] }));
  throw new AppError('validation_failed', placed[0]?.msg, { issues: placed });
};

/** More findings than this are a job. */
const MAX_AT_ONCE = 1000;
const OLDEST_FIRST = { sortField: '_id', direction: 'asc', offset: 0 } as const;

type Jobs = Pick<JobQueue, 'enqueue'>;

const resultOf = ({ done, refused, written }: Decisions, changeId: string) => ({
  data: { done, refused, change_id: written.length === 0 ? null : changeId },
});

/** One finding, changed. @throws finding_not_found; conflict with the reason. */
const changeOne = async (db: Db, viewer: Viewer, id: string, change: FindingChange) => {
  await checkChange(db, viewer.clientId, change);
  // tells an unknown id from a refusal
  await readFinding(db, { viewer, id });
  const changeId = await newChangeId(db);
  const result = await decide(db, { viewer, ids: [id], changeId, apply: (now) => applyChange(now, change) });
  const [refusal] = result.refused;
  if (refusal !== undefined) throw new AppError('conflict', refusal.why);
  await notifyDevelopers(db, viewer, result.written);
  return { ...(await readFinding(db, { viewer, id })), change_id: resultOf(result, changeId).data.change_id };
};

const orderJob = async (
  db: Db,
  jobs: Jobs,
  order: { viewer: Viewer; kind: BulkKind; input: object; total: number; ids?: readonly string[] },
) => {
  const { viewer, ids, ...job } = order;
  const { clientId } = viewer;
  const jobId = await addClientJob(db, { clientId, actor: viewer.userId, ...job });
  if (ids !== undefined)
    await addJobParts(db, { clientId, jobId }, sql`select id from unnest(${[...ids]}::uuid[]) u (id)`);
  await jobs.enqueue(db, bulkChange, { clientId, jobId });
  return { data: { job_id: jobId } };
};

/** What the audit log tells of a change of many findings; each finding's history has the rest. */
const changeDetails = ({ verdict, status, severity, ...rest }: FindingChange): AuditDetails => ({
  fields: Object.keys({
    ...(verdict && { verdict }),
    ...(status && { status }),
    ...(severity && { severity }),
    ...rest,
  }),
  ...(verdict === undefined ? {} : { verdict: verdict.value, reason: verdict.reason ?? null }),
  ...(status === undefined ? {} : { status }),
  ...(severity === undefined ? {} : { severity }),
});

/** @throws validation_failed unless findings are meant in one way. */
const checkMeant = ({ ids, groups, filters, search }: routes.BulkChange): void => {
  const isFiltered = filters !== undefined || search !== undefined;
  if (groups === undefined ? (ids === undefined) === !isFiltered : isFiltered) {
    const text = msg('Name either ids, filters or groups.');
    throw new AppError('validation_failed', text, { issues: [{ loc: ['body'], msg: text, type: 'value_error' }] });
  }
};

/** How many findings are meant, and the first of them. */
const findMeant = async (db: Db, viewer: Viewer, { ids, groups, filters = {}, search = '' }: routes.BulkChange) => {
  if (groups !== undefined) return readSets(db, viewer, { groups, ids, limit: MAX_AT_ONCE });
  return ids === undefined
    ? await findPage(db, { viewer, filters, search, ...OLDEST_FIRST, limit: MAX_AT_ONCE })
    : { ids: [...new Set(ids)], total: new Set(ids).size };
};

const bulkEndpoint = (jobs: Jobs): Endpoint =>
  tenantEndpoint(routes.changeFindings)(async ({ db, caller, body, reply, audit }) => {
    const { ids, groups, change } = body;
    const viewer = viewerOf(caller);
    checkMeant(body);
    await checkChange(db, viewer.clientId, change, ['change']);
    const found = await findMeant(db, viewer, body);
    audit({ details: { findings: found.total, ...changeDetails(change) } });
    if (found.total > MAX_AT_ONCE) {
      reply.status(202);
      const isNamed = ids !== undefined && groups === undefined;
      const input = isNamed ? { change } : body;
      const named = isNamed ? { ids: found.ids } : {};
      return orderJob(db, jobs, { viewer, kind: 'findings.change', input, total: found.total, ...named });
    }
    const changeId = await newChangeId(db);
    const result = await decide(db, { viewer, ids: found.ids, changeId, apply: (now) => applyChange(now, change) });
    await notifyDevelopers(db, viewer, result.written);
    return resultOf(result, changeId);
  });

const undoEndpoint = (jobs: Jobs): Endpoint =>
  tenantEndpoint(routes.undoChange)(async ({ db, caller, body, reply, audit }) => {
    const viewer = viewerOf(caller);
    const undone = body.change_id;
    const wanted = { clientId: viewer.clientId, changeId: undone, only: body.finding_id, limit: MAX_AT_ONCE };
    const { ids, total } = await readChangedIds(db, wanted);
    if (ids.length === 0)
      throw new AppError('not_found', msg('There is no such change, or it belongs to another organisation.'));
    audit({ details: { findings: total, change_id: undone } });
    if (total > MAX_AT_ONCE) {
      reply.status(202);
      return orderJob(db, jobs, { viewer, kind: 'findings.undo', input: { undone }, total });
    }
    const changeId = await newChangeId(db);
    const { data } = resultOf(await undoChanges(db, { viewer, undone, ids, changeId }), changeId);
    const [only] = ids;
    // spares whoever looks at this finding another request
    return ids.length > 1 || only === undefined
      ? { data }
      : { data: { ...data, finding: await readFinding(db, { viewer, id: only }) } };
  });

/** Decisions about findings, one or many, and the way back. */
export const createVerdictEndpoints = (jobs: Jobs): Endpoint[] => [
  // before /findings/{id}, which would take "bulk" for an id
  bulkEndpoint(jobs),
  undoEndpoint(jobs),
  tenantEndpoint(routes.changeFinding)(async ({ db, caller, params, body }) => {
    const { change_id, ...data } = await changeOne(db, viewerOf(caller), params.id, body);
    return { data, meta: { change_id } };
  }),
  ...jobEndpoints(),
];
