/** A finding's days, as they are told apart everywhere. */
export interface FindingDates {
  /** When its tool reported it. ISO 8601. */
  date: string;
  /** When it was first imported here. ISO 8601. */
  first_seen: string;
  /** The last day in time (UTC); null for no limit, and for what is not open. */
  due_date: string | null;
  /** The day (UTC) that it counts from; null without one. */
  due_from: string | null;
}

const DAY_MS = 86_400_000;
const dayOf = (time: string): string => new Date(time).toISOString().slice(0, 10);

/** Whether the tool had reported it on a day before it was first imported here. */
export const isReportedBefore = ({ date, first_seen }: Pick<FindingDates, 'date' | 'first_seen'>): boolean =>
  dayOf(date) < dayOf(first_seen);

/** Why a finding is due when it is. */
export interface DueReason {
  due: string;
  /** Whole days that its severity has. */
  days: number;
  /** The day that they are counted from (UTC). */
  from: string;
  /** What happened on that day. */
  since: 'reported' | 'found';
  /** It was past before anybody here could know. */
  wasDueBeforeImport: boolean;
}

/** Undefined where nothing is due. Pure. */
export const dueReasonOf = ({
  first_seen,
  due_date: due,
  due_from: from,
}: Omit<FindingDates, 'date'>): DueReason | undefined => {
  if (due === null || from === null) return undefined;
  return {
    due,
    from,
    days: Math.round((Date.parse(due) - Date.parse(from)) / DAY_MS),
    since: from < dayOf(first_seen) ? 'reported' : 'found',
    wasDueBeforeImport: due < dayOf(first_seen),
  };
};

/** Year in which a CVE id was given out; undefined without one. */
export const publishedYear = (cve: string | null): string | undefined => /^CVE-(\d{4})-\d+$/i.exec(cve ?? '')?.[1];
