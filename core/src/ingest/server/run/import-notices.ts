import { toolLabel } from '../../../findings/server/index.ts';
import { type Notice, notify } from '../../../notifications/server/index.ts';
import { type Sentence, say, sayCount, sayLabel } from '../../../platform/model/sentence.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import type { ImportOutcome } from './run-import.ts';
import '../scans/tables.ts';

type Ended = Extract<ImportOutcome, { outcome: 'done' | 'failed' }>;
type Done = Extract<ImportOutcome, { outcome: 'done' }>;

interface NoticeRow {
  created_by: string | null;
  tool: string | null;
  requested_tool: string;
  status: string;
  incomplete: readonly string[];
  undoes: string | null;
  nickname: string;
  repository_id: string;
}

const readScan = (db: Db, { clientId, scanId }: { clientId: string; scanId: string }): Promise<NoticeRow | undefined> =>
  db
    .selectFrom('scans')
    .innerJoin('repositories', (join) =>
      join.onRef('repositories.client_id', '=', 'scans.client_id').onRef('repositories.id', '=', 'scans.repository_id'),
    )
    .select([
      ...(['scans.created_by', 'scans.tool', 'scans.requested_tool', 'scans.status', 'scans.incomplete'] as const),
      ...(['scans.undoes', 'repositories.nickname', 'scans.repository_id'] as const),
    ])
    .where('scans.client_id', '=', clientId)
    .where('scans.id', '=', scanId)
    .executeTakeFirst();

interface ImportText {
  title: (what: Sentence) => Sentence;
  message: Sentence;
  /** It leads to the scan, where something has to be read or decided; else to the findings. */
  isAboutScan: boolean;
}

const changedOf = ({ counts }: Done): Sentence =>
  sayCount(
    counts.total,
    '{count} finding: {added} new, {reopened} reopened, {closed} closed.',
    '{count} findings: {added} new, {reopened} reopened, {closed} closed.',
    { added: counts.new, reopened: counts.reopened, closed: counts.closed },
  );

const incompleteOf = (changed: Sentence, [reason]: readonly string[]): Sentence =>
  reason === undefined
    ? say('{changed} The scan behind the report did not end well, so nothing was closed.', { changed })
    : say('{changed} The scan behind the report did not end well ({reason}), so nothing was closed.', {
        changed,
        reason: sayLabel(reason),
      });

/** What a finished import says of itself: whether it closed and changed what a whole, new report would have. */
const importText = ({ status, incomplete, undoes }: NoticeRow, done: Done): ImportText => {
  const { counts } = done;
  const changed = changedOf(done);
  if (undoes !== null)
    return { title: (what) => say('Import undone: {what}', { what }), message: changed, isAboutScan: false };
  if (status === 'outdated') {
    const message = say('A newer report of the same scope was imported before. This one is kept; nothing was changed.');
    return { title: (what) => say('Older report, not merged: {what}', { what }), message, isAboutScan: true };
  }
  if (status === 'incomplete') {
    const message = incompleteOf(changed, incomplete);
    return { title: (what) => say('Imported, scan incomplete: {what}', { what }), message, isAboutScan: true };
  }
  const held = [
    ...(counts.held > 0 ? [sayCount(counts.held, '{count} finding', '{count} findings')] : []),
    ...(counts.held_components > 0
      ? [sayCount(counts.held_components, '{count} component', '{count} components')]
      : []),
  ];
  if (held.length === 0)
    return { title: (what) => say('Imported: {what}', { what }), message: changed, isAboutScan: false };
  const message = say(
    '{changed} Not in this report, and held back from closing: {held}. Confirm it or split the report off.',
    { changed, held },
  );
  return { title: (what) => say('Imported, closing held back: {what}', { what }), message, isAboutScan: true };
};

/**
 * Tells who uploaded how it ended, and those who triage of new critical or exploited findings, and of a failure or an import that waits for a
 * word that nobody else would hear of.
 */
export const sendImportNotices = (
  database: DatabaseHandle,
  scan: { clientId: string; scanId: string },
  ended: Ended,
): Promise<void> =>
  database.forClient(scan.clientId, async (db) => {
    const row = await readScan(db, scan);
    if (row === undefined) return;
    const { clientId } = scan;
    const link = `/findings/all?repository=${row.repository_id}`;
    const scanLink = `/Repositories/${row.repository_id}/scans`;
    const tool = toolLabel(row.tool ?? row.requested_tool);
    const what = say('{tool} on {repository}', { tool, repository: row.nickname });
    const triage = { permission: 'findings.triage' } as const;
    const tellUploader = async (notice: Omit<Notice, 'clientId' | 'to'>, isImportant: boolean): Promise<void> => {
      const userIds = row.created_by === null ? [] : [row.created_by];
      const notified = await notify(db, { ...notice, clientId, to: { userIds } });
      // a machine uploaded it, or somebody who is gone
      if (notified === 0 && isImportant) await notify(db, { ...notice, clientId, to: triage });
    };
    if (ended.outcome === 'failed') {
      const title = say('Import failed: {what}', { what });
      return tellUploader({ type: 'scan_failed', title, message: ended.failure.detail, link }, true);
    }
    const { title, message, isAboutScan } = importText(row, ended);
    const notice = { title: title(what), message, link: isAboutScan ? scanLink : link };
    await tellUploader({ type: 'scan_finished', ...notice }, isAboutScan);
    const { alerts } = ended;
    if (alerts.critical > 0) {
      const alert = sayCount(
        alerts.critical,
        '{count} new critical finding: {what}',
        '{count} new critical findings: {what}',
        { what },
      );
      await notify(db, { clientId, type: 'critical_found', title: alert, link, to: triage, severity: 'critical' });
    }
    if (alerts.kev > 0) {
      const alert = sayCount(
        alerts.kev,
        '{count} new finding known to be exploited: {what}',
        '{count} new findings known to be exploited: {what}',
        { what },
      );
      await notify(db, { clientId, type: 'kev_match', title: alert, link, to: triage });
    }
  });
