import { msg } from '../../platform/model/message.ts';
import { SEVERITY_NUMERICAL } from '../../platform/model/severity.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import { type FindingChange, NEXT_STATUSES } from './change.ts';
import { type DecidedFinding, type DecisionKind, PARTS } from './decided-finding.ts';
import { STATUS_OPTION_LABELS } from './labels.ts';
import { type FindingStatus, VERDICTS, type Verdict } from './states.ts';

/** One line of the history of a finding. */
export interface AuditEntry {
  kind: DecisionKind;
  from: string | null;
  to: string | null;
  reason: string | null;
  before: Partial<DecidedFinding>;
}

/** What becomes of a finding, or why nothing does. Without entries it stays as it is. */
export type ChangeOutcome = { next: DecidedFinding; entries: AuditEntry[] } | { refused: string };

/** A wish that somebody decides, with what is proposed. */
export interface ReviewWish {
  by: string;
  verdict: Verdict | null;
  reason: string | null;
}

interface Step {
  kind: DecisionKind;
  patch: Partial<DecidedFinding>;
  reason?: string | null;
}

/** A new verdict is a person's own word. */
const NO_VERDICT = {
  verdict: 'none',
  verdict_reason: null,
  verdict_expires_at: null,
  needs_confirmation: false,
} as const;
const NO_REVIEW = { review_requested_by_id: null, proposed_verdict: null, proposed_reason: null } as const;

/** PostgreSQL stores no NUL; what is empty is nothing. */
const cleaned = (text: string | null | undefined): string | null => {
  const clean = text?.replaceAll('\0', '').trim() ?? '';
  return clean === '' ? null : clean;
};

const sortedIds = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

const severitySteps = (now: DecidedFinding, severity: DecidedFinding['severity']): Step[] => {
  const reported = now.reported_severity ?? now.severity;
  const numerical = now.reported_severity_numerical ?? now.severity_numerical;
  const isReported = reported === severity;
  const patch = {
    severity,
    severity_numerical: isReported ? numerical : SEVERITY_NUMERICAL[severity],
    reported_severity: isReported ? null : reported,
    reported_severity_numerical: isReported ? null : numerical,
  };
  return now.severity === severity ? [] : [{ kind: 'severity', patch }];
};

const verdictSteps = (now: DecidedFinding, verdict: NonNullable<FindingChange['verdict']>): Step[] => {
  const reason = cleaned(verdict.reason);
  const expires = verdict.value === 'accepted_risk' ? (verdict.expires_at ?? null) : null;
  const isSame =
    now.verdict === verdict.value &&
    now.review_requested_by_id === null &&
    !now.needs_confirmation &&
    (reason === null || reason === now.verdict_reason) &&
    (expires === null || Date.parse(expires) === Date.parse(now.verdict_expires_at ?? ''));
  const own = { verdict: verdict.value, verdict_reason: reason, verdict_expires_at: expires };
  const patch = { ...NO_VERDICT, ...own, ...NO_REVIEW };
  return isSame ? [] : [{ kind: 'verdict', patch, reason }];
};

/** The word about a verdict that was carried over. Whoever gives another verdict at the same time has decided already. */
const confirmationSteps = (now: DecidedFinding, { verdict, verdict_confirmed: isConfirmed }: FindingChange): Step[] => {
  if (isConfirmed === undefined || verdict !== undefined || !now.needs_confirmation) return [];
  return isConfirmed
    ? [{ kind: 'verdict', patch: { needs_confirmation: false }, reason: msg('Confirmed after it was carried over') }]
    : [
        {
          kind: 'verdict',
          patch: { ...NO_VERDICT, ...NO_REVIEW },
          reason: msg('Taken back after it was carried over'),
        },
      ];
};

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index]);

const plainSteps = (now: DecidedFinding, change: FindingChange): Step[] => {
  const steps: Step[] = [];
  if (change.issue_owner !== undefined && change.issue_owner !== now.issue_owner) {
    steps.push({ kind: 'owner', patch: { issue_owner: change.issue_owner } });
  }
  if (change.tags !== undefined) {
    const tags = [...new Set(change.tags.flatMap((tag) => cleaned(tag) ?? []))];
    if (!isEqual(tags, now.tags)) steps.push({ kind: 'tags', patch: { tags } });
  }
  if (change.notes !== undefined && cleaned(change.notes) !== now.notes) {
    steps.push({ kind: 'notes', patch: { notes: cleaned(change.notes) } });
  }
  if (change.developer_ids !== undefined) {
    const developers = sortedIds([...(now.developers ?? []), ...change.developer_ids]);
    if (!isEqual(developers, now.developers ?? [])) steps.push({ kind: 'assigned', patch: { developers } });
  }
  return steps;
};

const take = (now: DecidedFinding, steps: readonly Step[]): ChangeOutcome => {
  let next = now;
  const entries: AuditEntry[] = [];
  for (const { kind, patch, reason = null } of steps) {
    const before = next;
    next = { ...next, ...patch };
    entries.push({
      kind,
      from: PARTS[kind].text(before),
      to: PARTS[kind].text(next),
      reason,
      before: PARTS[kind].of(before),
    });
  }
  return { next, entries };
};

/** What a change does to a finding. Refused where its status does not lead to the wanted one. */
export const applyChange = (now: DecidedFinding, change: FindingChange): ChangeOutcome => {
  const { status, severity, verdict } = change;
  if (status !== undefined && status !== now.status && !NEXT_STATUSES[now.status].includes(status)) {
    return {
      refused: sayEnglish('Its status is “{status}”, which “{label}” does not follow.', {
        status: STATUS_OPTION_LABELS[now.status],
        label: STATUS_OPTION_LABELS[status],
      }),
    };
  }
  return take(now, [
    ...(verdict === undefined ? [] : verdictSteps(now, verdict)),
    ...confirmationSteps(now, change),
    ...(status === undefined || status === now.status ? [] : [{ kind: 'status' as const, patch: { status } }]),
    ...(severity === undefined ? [] : severitySteps(now, severity)),
    ...plainSteps(now, change),
  ]);
};

/** Statuses that a finding has only while something is planned or done to fix it. */
const FIX_STATUSES: readonly FindingStatus[] = ['pending_input', 'ready', 'pr_submitted', 'issued', 'pr_accepted'];

/**
 * Follows the remediation of a finding: whatever its status was, unless it is mitigated. Null: nothing is planned any more.
 */
export const applyFixStatus = (now: DecidedFinding, status: FindingStatus | null, reason: string): ChangeOutcome => {
  const wanted = status ?? (FIX_STATUSES.includes(now.status) ? 'enriched' : now.status);
  if (now.status === 'mitigated' || wanted === now.status) return { next: now, entries: [] };
  return take(now, [{ kind: 'status', patch: { status: wanted }, reason }]);
};

/** Who gives up what they own and work on, and who takes it; null: nobody. */
export interface Handover {
  from: string;
  to: string | null;
}

/** Takes a person off a finding; where there is an heir, they come in their place. Owner and developers are each in the history. */
export const applyHandover = (now: DecidedFinding, { from, to }: Handover): ChangeOutcome => {
  const steps: Step[] = [];
  if (now.issue_owner === from) steps.push({ kind: 'owner', patch: { issue_owner: to } });
  const developers = now.developers ?? [];
  if (developers.includes(from)) {
    const others = developers.filter((id) => id !== from);
    const left = sortedIds(to === null ? others : [...others, to]);
    steps.push({ kind: 'assigned', patch: { developers: left.length === 0 ? null : left } });
  }
  return take(now, steps);
};

export interface Toggle {
  /** Whether it is to be a false positive; undefined: the opposite of what it is. */
  isFalsePositive?: boolean | undefined;
  /** For the history. */
  reason?: string | undefined;
}

/**
 * Turns the false-positive switch: on marks the finding, off restores the verdict `before` it was turned on with its reason and
 * expiry date. A finding that its tool had marked goes to none.
 */
export const applyToggle = (
  now: DecidedFinding,
  before: Partial<DecidedFinding> | undefined,
  { isFalsePositive = now.verdict !== 'false_positive', reason }: Toggle = {},
): ChangeOutcome => {
  if (isFalsePositive)
    return applyChange(now, {
      verdict: reason === undefined ? { value: 'false_positive' } : { value: 'false_positive', reason },
    });
  if (now.verdict !== 'false_positive') return { next: now, entries: [] };
  const isKnown = VERDICTS.some((known) => known === before?.verdict && known !== 'false_positive');
  const none = { ...NO_VERDICT, ...NO_REVIEW } as const;
  return take(now, [{ kind: 'verdict', patch: isKnown ? { ...none, ...before } : none, reason: cleaned(reason) }]);
};

/** Writes a wish for a review down, or takes it off (`undefined`). */
export const applyReview = (now: DecidedFinding, wish: ReviewWish | undefined, reason?: string): ChangeOutcome => {
  if (wish === undefined && now.review_requested_by_id === null)
    return { refused: msg('Nobody has asked for a review of it.') };
  const patch =
    wish === undefined
      ? NO_REVIEW
      : { review_requested_by_id: wish.by, proposed_verdict: wish.verdict, proposed_reason: cleaned(wish.reason) };
  return take(now, [{ kind: 'review_requested', patch, reason: cleaned(wish?.reason ?? reason) }]);
};

/** An audit entry that somebody wants undone. */
export interface UndoneEntry {
  kind: DecisionKind;
  to: string | null;
  before: Partial<DecidedFinding>;
}

/** The report's own severity may have changed meanwhile: it is that which comes back. */
const restored = (now: DecidedFinding, { kind, before }: UndoneEntry): Partial<DecidedFinding> => {
  // entries from before verdicts were confirmed do not say it
  if (kind === 'verdict') return { needs_confirmation: false, ...before };
  return kind === 'severity' && before.reported_severity === null && now.reported_severity !== null
    ? {
        severity: now.reported_severity,
        severity_numerical: now.reported_severity_numerical ?? now.severity_numerical,
        reported_severity: null,
        reported_severity_numerical: null,
      }
    : before;
};

/** Undoes entries, all or none: refused where one of them no longer stands. */
export const applyUndo = (now: DecidedFinding, entries: readonly UndoneEntry[]): ChangeOutcome => {
  if (entries.some(({ kind, to }) => PARTS[kind].text(now) !== to)) return { refused: CHANGED_SINCE };
  return take(
    now,
    entries.map((entry) => ({ kind: entry.kind, patch: restored(now, entry), reason: msg('Undone') })),
  );
};

/** Why an undo is refused. */
export const CHANGED_SINCE = msg('It was changed again since, or this was undone already. Its history tells by whom.');
