import { notify } from '../../../notifications/server/index.ts';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import type { ImportOutcome } from './run-import.ts';
import '../scans/tables.ts';

type Ended = Extract<ImportOutcome, { outcome: 'done' | 'failed' }>;

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Tells who uploaded how it ended, and those who triage of new critical or exploited findings, and of a failure that nobody else would hear of. */
export const sendImportNotices = (
  database: DatabaseHandle,
  scan: { clientId: string; scanId: string },
  ended: Ended,
): Promise<void> =>
  database.forClient(scan.clientId, async (db) => {
    const row = await db
      .selectFrom('scans')
      .innerJoin('repositories', (join) =>
        join
          .onRef('repositories.client_id', '=', 'scans.client_id')
          .onRef('repositories.id', '=', 'scans.repository_id'),
      )
      .select([
        'scans.created_by',
        'scans.tool',
        'scans.requested_tool',
        'repositories.nickname',
        'scans.repository_id',
      ])
      .where('scans.client_id', '=', scan.clientId)
      .where('scans.id', '=', scan.scanId)
      .executeTakeFirst();
    if (row === undefined) return;
    const { clientId } = scan;
    const link = `/findings/all?repository=${row.repository_id}`;
    const what = `${row.tool ?? row.requested_tool} on ${row.nickname}`;
    const uploader = { userIds: row.created_by === null ? [] : [row.created_by] };
    const triage = { permission: 'findings.triage' } as const;
    if (ended.outcome === 'failed') {
      const title = `Import failed: ${what}`;
      const notice = { clientId, type: 'scan_failed', title, message: ended.failure.detail, link } as const;
      const notified = await notify(db, { ...notice, to: uploader });
      // a machine uploaded it, or somebody who is gone
      if (notified === 0) await notify(db, { ...notice, to: triage });
      return;
    }
    const { counts, alerts } = ended;
    const message = `${plural(counts.total, 'finding')}: ${counts.new} new, ${counts.reopened} reopened, ${counts.closed} closed`;
    await notify(db, { clientId, type: 'scan_finished', title: `Imported: ${what}`, message, link, to: uploader });
    if (alerts.critical > 0) {
      await notify(db, {
        clientId,
        type: 'critical_found',
        title: `${plural(alerts.critical, 'new critical finding')}: ${what}`,
        link,
        to: triage,
      });
    }
    if (alerts.kev > 0) {
      await notify(db, {
        clientId,
        type: 'kev_match',
        title: `${plural(alerts.kev, 'new finding')} known to be exploited: ${what}`,
        link,
        to: triage,
      });
    }
  });
