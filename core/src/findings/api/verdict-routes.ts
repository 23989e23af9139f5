import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Id, Item, Nullable, OneOf } from '../../platform/api/envelope.ts';
import { DeveloperIds, FindingChange } from '../model/change.ts';
import { FindingFilters } from '../model/filter-schema.ts';
import { VERDICTS } from '../model/states.ts';
import { ChangedFinding, FindingDetail } from './routes.ts';

const Reason = Type.Optional(Type.String({ maxLength: 2000 }));
const FindingIds = Type.Array(Id, { minItems: 1, maxItems: 10_000 });

/** Findings or people that a change left out. */
export const Refused = Type.Array(Type.Object({ _id: Id, why: Type.String() }));

const Result = Type.Object({
  done: Type.Integer(),
  refused: Refused,
  change_id: Nullable(Id),
  /** As it is now, where an undo meant one finding only. */
  finding: Type.Optional(Item(FindingDetail)),
});

/** 200 with the result, or 202 with a job where many findings are meant: see `GET /jobs/{id}`. */
export const ResultOrJob = Type.Object({ data: Type.Union([Result, Type.Object({ job_id: Id })]) });

/** 422 for an accepted risk without a reason or with an end that is past; 409 where the status does not lead there. */
export const changeFinding = route({
  method: 'PUT',
  path: '/findings/{id}',
  tag: 'findings',
  summary: 'Decide about a finding: verdict, status, severity, owner, tags, notes',
  access: { permission: 'findings.triage', tenant: true },
  params: Type.Object({ id: Id }),
  body: FindingChange,
  response: ChangedFinding,
  errors: ['finding_not_found', 'conflict'],
});

/** All that a filter finds, but those of `except`. */
export const FindingSet = Type.Object(
  {
    filters: FindingFilters,
    search: Type.Optional(Type.String({ maxLength: 200 })),
    except: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
  },
  { additionalProperties: false },
);

const BulkChange = Type.Object(
  {
    ids: Type.Optional(FindingIds),
    filters: Type.Optional(FindingFilters),
    search: Type.Optional(Type.String({ maxLength: 200 })),
    groups: Type.Optional(Type.Array(FindingSet, { minItems: 1, maxItems: 200 })),
    change: FindingChange,
  },
  { additionalProperties: false },
);
export type BulkChange = Static<typeof BulkChange>;

/**
 * Either `ids`, or all that `filters` and `search` find, or what `groups` find together, with `ids` besides. Up to 1,000 findings at once,
 * more as a job.
 */
export const changeFindings = route({
  method: 'PUT',
  path: '/findings/bulk',
  tag: 'findings',
  summary: 'Decide about many findings at once',
  access: { permission: 'findings.triage', tenant: true },
  audit: 'findings.decided',
  body: BulkChange,
  response: ResultOrJob,
});

/** What was changed again since stays and is named in `refused`. With `finding_id` only this finding of the change. */
export const undoChange = route({
  method: 'POST',
  path: '/findings/undo',
  tag: 'findings',
  summary: 'Take back one change of a finding, or of many',
  access: { permission: 'findings.triage', tenant: true },
  audit: 'findings.undone',
  body: Type.Object({ change_id: Id, finding_id: Type.Optional(Id) }, { additionalProperties: false }),
  response: ResultOrJob,
  errors: ['not_found'],
});

/** A developer may ask this of what is theirs. Admins and security operators hear of it. */
export const requestReview = route({
  method: 'POST',
  path: '/findings/{id}/review',
  tag: 'findings',
  summary: 'Ask for a decision about a finding, and propose one',
  access: { permission: 'findings.request-review', tenant: true },
  params: Type.Object({ id: Id }),
  body: Type.Object({ verdict: Type.Optional(OneOf(VERDICTS)), reason: Reason }, { additionalProperties: false }),
  response: ChangedFinding,
  errors: ['finding_not_found'],
});

/** Who asked may, and who decides. */
export const endReview = route({
  method: 'DELETE',
  path: '/findings/{id}/review',
  tag: 'findings',
  summary: 'Withdraw or decline a review that was asked for',
  access: { permission: 'findings.request-review', tenant: true },
  params: Type.Object({ id: Id }),
  response: ChangedFinding,
  errors: ['finding_not_found', 'forbidden', 'conflict'],
});

/** `sent` findings, to those of `developer_ids` who belong to the organisation; the others are in `refused`. */
const Sent = Action(Type.Object({ sent: Type.Integer(), refused: Refused, change_id: Nullable(Id) }));

export const sendFinding = route({
  method: 'POST',
  path: '/finding-send/{id}',
  tag: 'findings',
  summary: 'Send a finding to developers',
  access: { permission: 'findings.assign', tenant: true },
  params: Type.Object({ id: Id }),
  body: Type.Object({ developer_ids: DeveloperIds }, { additionalProperties: false }),
  response: Sent,
  errors: ['finding_not_found'],
});

export const sendFindings = route({
  method: 'POST',
  path: '/finding-send-bulk',
  tag: 'findings',
  summary: 'Send findings to developers',
  access: { permission: 'findings.assign', tenant: true },
  audit: 'findings.decided',
  body: Type.Object({ finding_ids: FindingIds, developer_ids: DeveloperIds }, { additionalProperties: false }),
  response: Sent,
});
