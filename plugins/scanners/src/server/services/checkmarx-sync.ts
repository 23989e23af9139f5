import {
  ConnectorError,
  type Ctx,
  type Identity,
  type Json,
  ReportError,
  readAnswer,
  type Static,
  type SyncRecord,
} from '@breakwater/sdk';
import type { CheckmarxForm } from '../../catalogue/services.ts';
import { headText, peek } from '../lib/input/decode.ts';
import { parseCheckmarx } from '../tools/checkmarx/parser.ts';
import { openSession, Projects, reportOf, Scans, type Session } from './checkmarx-session.ts';

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

/** Whether the user signs in and sees the team. */
export async function checkCheckmarx(ctx: Ctx<CheckmarxForm>): Promise<Identity> {
  const projects = await projectsOf(await openSession(ctx), ctx);
  const count = projects.length === 1 ? '1 project' : `${projects.length} projects`;
  return { identity: `${ctx.config.username} · team ${ctx.config.team_id} · ${count}` };
}

type Project = Static<typeof Projects>[number];

/** Projects of the team, in the order of their ids. Source: CxSAST REST API, `GET /projects?teamId=`. */
async function projectsOf(session: Session, { config }: Ctx<CheckmarxForm>): Promise<Project[]> {
  const answer: Json = await session.ask({ path: '/cxrestapi/projects', query: { teamId: config.team_id } });
  if (answer === null) {
    throw new ConnectorError(
      'config',
      `The Checkmarx server has no team ${config.team_id}, or the user may not see it.`,
      {
        help: 'Check the number under Access Control, Teams, and that the user belongs to the team.',
      },
    );
  }
  return readAnswer(Projects, answer).toSorted((a, b) => a.id - b.id);
}

/** The newest finished scan. Source: CxSAST REST API, `GET /sast/scans?projectId=&scanStatus=Finished&last=1`. */
async function lastScanOf(session: Session, project: Project): Promise<number | undefined> {
  const query = { projectId: project.id, scanStatus: 'Finished', last: 1 };
  const answer = await session.ask({ path: '/cxrestapi/sast/scans', query });
  return answer === null ? undefined : readAnswer(Scans, answer)[0]?.id;
}
