import type { Static } from 'typebox';
import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { FindingEvent } from '../../api/routes.ts';
import { isDecisionKind } from '../../model/decided-finding.ts';
import { readUsernames } from '../filter/names.ts';
import type { Viewer } from '../filter/viewer.ts';
import { readFindingText } from './finding-text.ts';

/** What was written down about a finding, newest first, at most 500. Reads finding_events by primary key. */
export const listFindingEvents = (db: Db, request: { clientId: string; id: string }) =>
  db
    .selectFrom('finding_events as e')
    .leftJoin('users as u', (join) => join.onRef('u.client_id', '=', 'e.client_id').onRef('u.id', '=', 'e.actor'))
    .select([
      'e.id',
      'e.kind',
      'e.at',
      'u.username',
      'e.scan_id',
      'e.from_value',
      'e.to_value',
      'e.reason',
      'e.change_id',
    ])
    .where('e.client_id', '=', request.clientId)
    .where('e.finding_id', '=', request.id)
    .orderBy('e.at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(500)
    .execute();

export interface HistoryItem {
  _id: string;
  attributes: Static<typeof FindingEvent>;
}

type StoredEvent = Awaited<ReturnType<typeof listFindingEvents>>[number];

/** Owners and developers are kept by id: a name may change. */
const speaksOfPeople = ({ kind }: StoredEvent): boolean => kind === 'owner' || kind === 'assigned';

const idsIn = (text: string | null): string[] => (text === null ? [] : text.split(','));

const namesIn = (text: string | null, names: ReadonlyMap<string, string>): string | null =>
  text === null
    ? null
    : idsIn(text)
        .map((id) => names.get(id) ?? 'somebody who left')
        .join(', ');

/** Newest of each kind, and somebody's: that can be taken back. */
const undoableOf = (events: readonly StoredEvent[]): Set<StoredEvent> => {
  const newest = new Map<string, StoredEvent>();
  for (const event of events) if (!newest.has(event.kind)) newest.set(event.kind, event);
  return new Set([...newest.values()].filter((event) => event.change_id !== null && isDecisionKind(event.kind)));
};

/** What happened to a finding, newest first. That it was first seen is in its own row. @throws finding_not_found. */
export const readHistory = async (db: Db, request: { viewer: Viewer; id: string }): Promise<HistoryItem[]> => {
  const { viewer, id } = request;
  const { clientId } = viewer;
  const finding = await readFindingText(db, request);
  if (finding === undefined) throw new AppError('finding_not_found');
  const events = await listFindingEvents(db, { clientId, id });
  const people = events
    .filter(speaksOfPeople)
    .flatMap((event) => [...idsIn(event.from_value), ...idsIn(event.to_value)]);
  const names = await readUsernames(db, { clientId, ids: people });
  const undoable = undoableOf(events);
  const textOf = (event: StoredEvent, text: string | null) => (speaksOfPeople(event) ? namesIn(text, names) : text);
  return [
    ...events.map((event) => ({
      _id: event.id,
      attributes: {
        kind: event.kind,
        at: event.at.toISOString(),
        actor: event.username,
        scan_id: event.scan_id,
        from: textOf(event, event.from_value),
        to: textOf(event, event.to_value),
        reason: event.reason,
        change_id: event.change_id,
        can_undo: undoable.has(event),
      },
    })),
    {
      _id: id,
      attributes: {
        kind: 'first_seen',
        at: finding.first_seen.toISOString(),
        actor: null,
        scan_id: finding.first_scan_id,
        from: null,
        to: null,
        reason: null,
        change_id: null,
        can_undo: false,
      },
    },
  ];
};
