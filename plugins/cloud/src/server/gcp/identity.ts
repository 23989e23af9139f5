import { type CloudIdentity, ConnectorError, type Ctx, readAnswer, Type } from '@breakwater/sdk';
import type { gcp } from '../../cards/gcp.ts';
import { jsonOf } from '../lib/answer.ts';
import { projectFailure } from './failure.ts';
import { gcpToken } from './token.ts';

const Project = Type.Object({
  projectId: Type.String(),
  state: Type.String(),
  displayName: Type.Optional(Type.String()),
});

/**
 * The project, read as the service account: proves that the key works and may look at the project.
 * Source: Google Cloud Resource Manager API v3, projects.get.
 */
export async function gcpIdentity(ctx: Ctx<(typeof gcp)['credentials']>): Promise<CloudIdentity> {
  const token = await gcpToken(ctx);
  const { project_id: id, client_email: email } = ctx.config;
  const answer = await ctx.http.request({
    path: `/v3/projects/${encodeURIComponent(id)}`,
    headers: { authorization: `Bearer ${token}` },
    accept: [400, 401, 403, 404],
  });
  if (answer.status !== 200) throw projectFailure(answer.status, jsonOf(answer));
  const project = readAnswer(Project, jsonOf(answer));
  if (project.state !== 'ACTIVE') {
    throw new ConnectorError('config', 'The project is being deleted.', {
      help: 'Restore the project under IAM & Admin, Manage resources, or enter another one.',
    });
  }
  return { account: project.projectId, principal: email };
}
