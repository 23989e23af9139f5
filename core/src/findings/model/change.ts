import { SEVERITIES } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { FINDING_STATUSES, type FindingStatus, VERDICTS } from './states.ts';

/** Jobs over many findings, as `client_jobs.kind` says it. */
export const BULK_KINDS = ['findings.change', 'findings.undo'] as const;
export type BulkKind = (typeof BULK_KINDS)[number];

const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
const Uuid = Type.String({ format: 'uuid' });
const Reason = Type.String({ maxLength: 2000 });

/** Users that one request may name. */
export const DeveloperIds = Type.Array(Uuid, { minItems: 1, maxItems: 100 });

/** A verdict with its reason. An accepted risk needs a reason and may end on a day. */
const NewVerdict = Type.Object(
  {
    value: oneOf(VERDICTS),
    reason: Type.Optional(Reason),
    expires_at: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
  },
  { additionalProperties: false },
);

/** What a person changes about one finding or many. What is absent stays. Source: decisions.md "Wire shapes". */
export const FindingChange = Type.Object(
  {
    status: Type.Optional(oneOf(FINDING_STATUSES)),
    severity: Type.Optional(oneOf(SEVERITIES)),
    issue_owner: Type.Optional(Type.Union([Uuid, Type.Null()])),
    /** Replace those that were there. */
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
    notes: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
    verdict: Type.Optional(NewVerdict),
    /** Of a verdict that was carried over by position alone: true keeps it, false takes it back. Of all others it changes nothing. */
    verdict_confirmed: Type.Optional(Type.Boolean()),
    /** Come to those that it was sent to before. */
    developer_ids: Type.Optional(DeveloperIds),
  },
  { additionalProperties: false },
);
export type FindingChange = Static<typeof FindingChange>;

/**
 * Statuses that a person may set from each. A fix goes enriched → pending_input → ready → pr_submitted or issued → pr_accepted;
 * anything can be said to be mitigated, and what is mitigated comes back as reopened only. Source: decisions.md "States".
 */
export const NEXT_STATUSES: Readonly<Record<FindingStatus, readonly FindingStatus[]>> = {
  enriched: ['pending_input', 'ready', 'mitigated'],
  pending_input: ['enriched', 'ready', 'mitigated'],
  ready: ['enriched', 'pending_input', 'pr_submitted', 'issued', 'mitigated'],
  pr_submitted: ['ready', 'pr_accepted', 'mitigated'],
  issued: ['ready', 'pr_accepted', 'mitigated'],
  pr_accepted: ['ready', 'mitigated'],
  mitigated: ['reopened'],
  reopened: ['enriched', 'pending_input', 'ready', 'mitigated'],
};
