import { ConnectorError, type Ctx, type Json, readAnswer, type Static } from '@breakwater/sdk';
import type { CheckmarxForm } from '../../cards/services.ts';
import { Projects, Scans } from './answers.ts';
import type { Session } from './session.ts';

export type Project = Static<typeof Projects>[number];

/** Projects of the team, in the order of their ids. Source: CxSAST REST API, `GET /projects?teamId=`. */
export async function projectsOf(session: Session, { config }: Ctx<CheckmarxForm>): Promise<Project[]> {
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
export async function lastScanOf(session: Session, project: Project): Promise<number | undefined> {
  const query = { projectId: project.id, scanStatus: 'Finished', last: 1 };
  const answer = await session.ask({ path: '/cxrestapi/sast/scans', query });
  return answer === null ? undefined : readAnswer(Scans, answer)[0]?.id;
}
