import { AppError } from '../../platform/model/app-error.ts';
import type { Db } from '../../platform/server/database.ts';
import type { FindingEventKind } from '../model/events.ts';
import { listFindingEvents } from './queries/list-finding-events.ts';
import { readFindingText } from './queries/read-finding-text.ts';
import type { Viewer } from './viewer.ts';

export interface HistoryItem {
  _id: string;
  attributes: {
    kind: FindingEventKind;
    at: string;
    actor: string | null;
    scan_id: string | null;
    from: string | null;
    to: string | null;
    reason: string | null;
  };
}

/** What happened to a finding, newest first. That it was first seen is told by its own row. @throws finding_not_found. */
export const readHistory = async (db: Db, request: { viewer: Viewer; id: string }): Promise<HistoryItem[]> => {
  const { viewer, id } = request;
  const finding = await readFindingText(db, request);
  if (finding === undefined) throw new AppError('finding_not_found', 'Finding data not found');
  const events = await listFindingEvents(db, { clientId: viewer.clientId, id });
  return [
    ...events.map((event) => ({
      _id: event.id,
      attributes: {
        kind: event.kind,
        at: event.at.toISOString(),
        actor: event.username,
        scan_id: event.scan_id,
        from: event.from_value,
        to: event.to_value,
        reason: event.reason,
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
      },
    },
  ];
};
