import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { Time } from '../../../platform/ui/display/badges.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { STATUS_LABELS, VERDICT_LABELS } from '../../model/labels.ts';
import { FINDING_STATUSES, VERDICTS } from '../../model/states.ts';
import type { HistoryEvent } from '../data/finding-detail.store.ts';
import { useFindingsList } from '../triage/findings-context.ts';

const wordOf = (value: string | null): string => {
  const verdict = VERDICTS.find((one) => one === value);
  if (verdict !== undefined) return VERDICT_LABELS[verdict];
  const status = FINDING_STATUSES.find((one) => one === value);
  return status === undefined ? (value ?? '') : STATUS_LABELS[status];
};

const fromTo = (event: HistoryEvent): string =>
  event.from === null || event.from === event.to ? wordOf(event.to) : `${wordOf(event.from)} → ${wordOf(event.to)}`;

const reviewText = (proposed: string): string =>
  proposed === 'none' ? 'Review requested' : `Review requested, proposed: ${wordOf(proposed)}`;

const TEXTS: Record<HistoryEvent['kind'], (event: HistoryEvent) => string> = {
  first_seen: () => 'First seen',
  verdict: (event) => `Verdict: ${fromTo(event)}`,
  status: (event) => `Status: ${fromTo(event)}`,
  severity: (event) => `Severity: ${fromTo(event)}`,
  owner: (event) => `Owner: ${event.to ?? 'nobody'}`,
  tags: (event) => `Tags: ${event.to ?? 'none'}`,
  notes: () => 'Notes changed',
  assigned: (event) => (event.to === null ? 'No longer assigned' : `Assigned to ${event.to}`),
  review_requested: (event) => (event.to === null ? 'Review no longer requested' : reviewText(event.to)),
  closed: () => 'No longer reported, closed',
  reopened: () => 'Reported again, reopened',
  moved: (event) => `Moved: ${event.from ?? ''} → ${event.to ?? ''}`,
  split: (event) => (event.to === null ? 'Split taken back' : 'Split: is no duplicate'),
  joined: (event) => (event.to === null ? `No longer joined with ${event.from ?? ''}` : `Joined with ${event.to}`),
  priority: (event) => `Priority: ${event.from ?? ''} → ${event.to ?? ''}`,
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
      <span className="muted">{event.actor ?? (event.scan_id === null ? '' : 'import')}</span>
      <Time value={event.at} />
      {event.reason !== null && event.reason !== '' && <span className="t2 why">{event.reason}</span>}
      {mayDecide && event.can_undo && change_id !== null && (
        <Button
          className="why"
          variant="minimal"
          size="small"
          text="Undo"
          aria-label={`Undo: ${text}`}
          disabled={triage.isBusy}
          onClick={() => void triage.undo(change_id, id)}
        />
      )}
    </li>
  );
});

/** Who changed what, when and why; newest first. What nothing was decided about since can be taken back. */
export function FindingHistory({ id, events }: FindingHistoryProps) {
  if (events === undefined) return <SkeletonRows rows={3} rowHeight={26} label="History" />;
  if (events.length === 0) return <p className="muted">Nothing has changed since the finding came in.</p>;
  return (
    <ol className="hist">
      {events.map((event, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no id of their own on this page and never move
        <EventLine key={index} id={id} event={event} />
      ))}
    </ol>
  );
}
