import { formatDate } from '../../../platform/ui/time-format.ts';

/** The last day in time (UTC), and whether it is past. */
export function DueDate({ date }: { date: string }) {
  const isOverdue = date < new Date().toISOString().slice(0, 10);
  return (
    <>
      <span className={isOverdue ? 'strong' : undefined}>{formatDate(date)}</span>
      {isOverdue && <span className="muted small"> overdue</span>}
    </>
  );
}
