import { onePage, type PersonalData } from '../../platform/server/personal-data.ts';
import './scans/tables.ts';

/** What a person said of which findings are the same, and what they imported. Both stay, by the id of the person. */
export const ingestPersonalData: PersonalData = {
  records: [
    onePage('correlations', (db, { clientId, userId }) =>
      db
        .selectFrom('correlation_overrides')
        .select(['at', 'finding_id', 'other_id', 'reason as comment'])
        .where('client_id', '=', clientId)
        .where('actor', '=', userId)
        .orderBy('finding_id')
        .orderBy('other_id')
        .limit(10_000)
        .execute(),
    ),
    onePage('imports', (db, { clientId, userId }) =>
      db
        .selectFrom('scans')
        .select(['id', 'repository_id', 'file_name', 'requested_tool', 'status', 'created_at'])
        .where('client_id', '=', clientId)
        .where('created_by', '=', userId)
        .orderBy('id', 'desc')
        .limit(10_000)
        .execute(),
    ),
  ],
};
