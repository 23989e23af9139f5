import { Button } from '@blueprintjs/core';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { Time } from '../../../platform/ui/display/badges.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { inSentence, t } from '../../../platform/ui/language/translate.ts';
import { SEVERITY_LABELS, STATUS_LABELS, VERDICT_LABELS } from '../../model/labels.ts';
import { FINDING_STATUSES, VERDICTS } from '../../model/states.ts';
import type { HistoryEvent } from '../data/finding-detail.store.ts';
import { useFindingsList } from '../triage/findings-context.ts';

const wordOf = (value: string | null): string => {
  const verdict = VERDICTS.find((one) => one === value);
  if (verdict !== undefined) return t(VERDICT_LABELS[verdict]);
  const severity = SEVERITIES.find((one) => one === value);
  if (severity !== undefined) return inSentence(SEVERITY_LABELS[severity]);
  const status = FINDING_STATUSES.find((one) => one === value);
  return status === undefined ? (value ?? '') : t(STATUS_LABELS[status]);
};

const fromTo = (event: HistoryEvent): string =>
  event.from === null || event.from === event.to ? wordOf(event.to) : `${wordOf(event.from)} → ${wordOf(event.to)}`;

const reviewText = (proposed: string): string =>
  proposed === 'none'
    ? t('Review requested')
    : t('Review requested, proposed: {verdict}', { verdict: wordOf(proposed) });

const TEXTS: Record<HistoryEvent['kind'], (event: HistoryEvent) => string> = {
  first_seen: () => t('First found here'),
  verdict: (event) => t('Verdict: {change}', { change: fromTo(event) }),
  status: (event) => t('Status: {change}', { change: fromTo(event) }),
  severity: (event) => t('Severity: {change}', { change: fromTo(event) }),
  owner: (event) => t('Owner: {owner}', { owner: event.to ?? t('nobody') }),
  tags: (event) => t('Tags: {tags}', { tags: event.to ?? t('none') }),
  notes: () => t('Notes changed'),
  assigned: (event) => (event.to === null ? t('No longer assigned') : t('Assigned to {people}', { people: event.to })),
  review_requested: (event) => (event.to === null ? t('Review no longer requested') : reviewText(event.to)),
  closed: () => t('No longer reported, closed'),
  reopened: () => t('Reported again, reopened'),
  moved: (event) => t('Moved: {from} → {to}', { from: event.from ?? '', to: event.to ?? '' }),
  split: (event) => (event.to === null ? t('Split taken back') : t('Split: is no duplicate')),
  joined: (event) =>
    event.to === null
      ? t('No longer joined with {other}', { other: event.from ?? '' })
      : t('Joined with {other}', { other: event.to }),
  priority: (event) => t('Priority: {from} → {to}', { from: event.from ?? '', to: event.to ?? '' }),
};

export interface FindingHistoryProps {
  id: string;
  events: readonly HistoryEvent[] | undefined;
}

interface EventLineProps {
  id: string;
  event: HistoryEvent;
}

const EventLine = observer(function EventLine({ id, event }: EventLineProps) {
  const { triage, mayDecide } = useFindingsList();
  const { change_id } = event;
  const text = TEXTS[event.kind](event);
  return (
    <li>
      <span>{text}</span>
      <span className="muted">{event.actor ?? (event.scan_id === null ? '' : t('import'))}</span>
      <Time value={event.at} />
      {event.reason !== null && event.reason !== '' && <span className="t2 why">{t(event.reason)}</span>}
      {mayDecide && event.can_undo && change_id !== null && (
        <Button
          className="why"
          variant="minimal"
          size="small"
          text={t('Undo')}
          aria-label={t('Undo: {change}', { change: text })}
          disabled={triage.isBusy}
          onClick={() => void triage.undo(change_id, id)}
        />
      )}
    </li>
  );
});

/** Who changed what, when and why; newest first. What nothing was decided about since can be taken back. */
export function FindingHistory({ id, events }: FindingHistoryProps) {
  if (events === undefined) return <SkeletonRows rows={3} rowHeight={26} label={t('History')} />;
  if (events.length === 0) return <p className="muted">{t('Nothing has changed since the finding came in.')}</p>;
  return (
    <ol className="hist">
      {events.map((event, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no id of their own on this page and never move
        <EventLine key={index} id={id} event={event} />
      ))}
    </ol>
  );
}
