import type { Db } from '../../../platform/server/database.ts';

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
