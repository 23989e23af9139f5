import { ConnectorError, type Ctx, ReportError, type SyncRecord } from '@breakwater/sdk';
import type { CheckmarxForm } from '../../cards/services.ts';
import { headText } from '../lib/decode.ts';
import { peek } from '../lib/peek.ts';
import { parseCheckmarx } from '../tools/checkmarx/parser.ts';
import { lastScanOf, type Project, projectsOf } from './projects.ts';
import { reportOf } from './report.ts';
import { openSession, type Session } from './session.ts';

/**
 * The results of the newest finished scan of each project of the team, read by the importer of Checkmarx's reports: a synced and an
 * uploaded finding are the same. A project without a finished scan is left as it is. The cursor is the last project that was read.
 */
export async function* syncCheckmarx(ctx: Ctx<CheckmarxForm>, since?: string): AsyncIterable<SyncRecord> {
  const session = await openSession(ctx);
  const done = since === undefined ? 0 : Number(since);
  for (const project of await projectsOf(session, ctx)) {
    if (project.id <= done) continue;
    const scan = await lastScanOf(session, project);
    if (scan !== undefined) yield* findingsOf(session, ctx, { project, scan });
    yield { kind: 'cursor', cursor: String(project.id) };
  }
}

async function* findingsOf(
  session: Session,
  ctx: Ctx<CheckmarxForm>,
  { project, scan }: { project: Project; scan: number },
): AsyncIterable<SyncRecord> {
  const url = new URL(`/CxWebClient/projectscans.aspx?id=${project.id}`, ctx.config.base_url);
  let skipped = 0;
  yield {
    kind: 'target',
    id: String(project.id),
    name: project.name,
    ...(url.protocol === 'https:' ? { url: url.href } : {}),
  };
  try {
    const report = await peek(reportOf(session, ctx, scan), 4_096);
    // The importer reads other reports of Checkmarx too, and some say "nothing found" in two bytes. Ordered was the XML.
    if (!/<CxXMLResults[\s>]/.test(headText(report.head).toString('utf8'))) {
      throw new ReportError('report_wrong_tool', 'it is not the XML report.');
    }
    for await (const record of parseCheckmarx(report.report, { signal: ctx.signal, family: 'SAST' })) {
      if (record.kind === 'finding') yield record;
      if (record.kind === 'unreadable') skipped += 1;
    }
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    throw new ConnectorError('upstream', `The report of "${project.name}" cannot be read: ${error.message}`, {
      cause: error,
    });
  }
  if (skipped > 0) ctx.log.warn('Some results of a report could not be read.', { project: project.id, skipped });
}
