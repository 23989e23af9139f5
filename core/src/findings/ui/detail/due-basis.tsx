import { formatDate } from '../../../platform/ui/display/formats.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { type DueReason, dueReasonOf } from '../../model/dates.ts';
import { SEVERITY_LABELS } from '../../model/labels.ts';
import type { FindingDetails } from '../data/finding-detail.store.ts';
import { DueDate } from '../list/finding-summary.tsx';

const basisText = (severity: FindingDetails['severity'], { days, from, since }: DueReason): string => {
  const values = { severity: t(SEVERITY_LABELS[severity]), date: formatDate(from) };
  return since === 'reported'
    ? plural(
        days,
        '{severity}: {count} day from {date}, when the tool reported it',
        '{severity}: {count} days from {date}, when the tool reported it',
        values,
      )
    : plural(
        days,
        '{severity}: {count} day from {date}, when it was first found here',
        '{severity}: {count} days from {date}, when it was first found here',
        values,
      );
};

/** Until when a finding is to be fixed, and why then. */
export function DueBasis({ finding }: { finding: FindingDetails }) {
  const reason = dueReasonOf(finding);
  if (reason === undefined) return <span className="muted">{t('No due date')}</span>;
  return (
    <>
      <DueDate date={reason.due} />
      <div className="muted small">{basisText(finding.severity, reason)}</div>
      {reason.wasDueBeforeImport && (
        <div className="t2 small">
          {t('The date was past before the first import here, on {date}.', { date: formatDate(finding.first_seen) })}
        </div>
      )}
    </>
  );
}
