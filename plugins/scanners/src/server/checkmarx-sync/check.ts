import type { Ctx, Identity } from '@breakwater/sdk';
import type { CheckmarxForm } from '../../cards/services.ts';
import { projectsOf } from './projects.ts';
import { openSession } from './session.ts';

/** Whether the user signs in and sees the team. */
export async function checkCheckmarx(ctx: Ctx<CheckmarxForm>): Promise<Identity> {
  const projects = await projectsOf(await openSession(ctx), ctx);
  const count = projects.length === 1 ? '1 project' : `${projects.length} projects`;
  return { identity: `${ctx.config.username} · team ${ctx.config.team_id} · ${count}` };
}
