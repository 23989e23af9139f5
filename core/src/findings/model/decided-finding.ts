import type { Severity } from '@breakwater/sdk';
import type { FindingEventKind, FindingStatus, Verdict } from './states.ts';

/** All about a finding that people decide. */
export interface DecidedFinding {
  status: FindingStatus;
  verdict: Verdict;
  verdict_reason: string | null;
  /** It was carried to another line by position alone. */
  needs_confirmation: boolean;
  /** ISO 8601. */
  verdict_expires_at: string | null;
  severity: Severity;
  /** 0-100. */
  severity_numerical: number;
  /** What the report says while a person's severity stands; else null. So the next. */
  reported_severity: Severity | null;
  reported_severity_numerical: number | null;
  issue_owner: string | null;
  tags: string[];
  notes: string | null;
  /** Sorted user ids; null for nobody. */
  developers: string[] | null;
  review_requested_by_id: string | null;
  proposed_verdict: Verdict | null;
  proposed_reason: string | null;
}

/** Decisions that the history keeps apart and that can be taken back. */
export const DECISION_KINDS = [
  'verdict',
  'status',
  'severity',
  'owner',
  'tags',
  'notes',
  'assigned',
  'review_requested',
] as const satisfies readonly FindingEventKind[];
export type DecisionKind = (typeof DECISION_KINDS)[number];

export const isDecisionKind = (kind: FindingEventKind): kind is DecisionKind =>
  DECISION_KINDS.some((known) => known === kind);

interface Part {
  /** All that the decision consists of, to restore it. */
  of(finding: DecidedFinding): Partial<DecidedFinding>;
  /** What the history says of it: a word, ids of users, or text. */
  text(finding: DecidedFinding): string | null;
}

const listed = (values: readonly string[] | null, separator: string): string | null =>
  values === null || values.length === 0 ? null : values.join(separator);

const reviewOf = (finding: DecidedFinding): Partial<DecidedFinding> => ({
  review_requested_by_id: finding.review_requested_by_id,
  proposed_verdict: finding.proposed_verdict,
  proposed_reason: finding.proposed_reason,
});

/** The parts of a finding that people decide, by the kind under which the history tells of them. */
export const PARTS: Readonly<Record<DecisionKind, Part>> = {
  verdict: {
    of: (finding) => ({
      verdict: finding.verdict,
      verdict_reason: finding.verdict_reason,
      verdict_expires_at: finding.verdict_expires_at,
      needs_confirmation: finding.needs_confirmation,
      ...reviewOf(finding),
    }),
    text: (finding) => finding.verdict,
  },
  status: { of: ({ status }) => ({ status }), text: ({ status }) => status },
  severity: {
    of: (finding) => ({
      severity: finding.severity,
      severity_numerical: finding.severity_numerical,
      reported_severity: finding.reported_severity,
      reported_severity_numerical: finding.reported_severity_numerical,
    }),
    text: ({ severity }) => severity,
  },
  owner: { of: ({ issue_owner }) => ({ issue_owner }), text: ({ issue_owner }) => issue_owner },
  tags: { of: ({ tags }) => ({ tags }), text: ({ tags }) => listed(tags, ', ') },
  notes: { of: ({ notes }) => ({ notes }), text: ({ notes }) => notes },
  assigned: { of: ({ developers }) => ({ developers }), text: ({ developers }) => listed(developers, ',') },
  review_requested: {
    of: reviewOf,
    text: (finding) => (finding.review_requested_by_id === null ? null : (finding.proposed_verdict ?? 'none')),
  },
};
