import { type Ctx, type Identity, readAnswer } from '@breakwater/sdk';
import type { FortifyForm } from '../../cards/services.ts';
import { Release } from './answers.ts';
import { openSession } from './session.ts';

/** The release, read as the API key. Source: Fortify on Demand API v3, `GET /api/v3/releases/{releaseId}`. */
export async function checkFortify(ctx: Ctx<FortifyForm>): Promise<Identity> {
  const ask = await openSession(ctx);
  const release = readAnswer(Release, await ask({ path: `/api/v3/releases/${ctx.config.release_id}` }));
  return { identity: `${release.applicationName} · ${release.releaseName}` };
}
