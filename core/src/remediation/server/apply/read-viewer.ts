import type { Viewer } from '../../../findings/server/index.ts';
import { can } from '../../../platform/model/permissions.ts';
import type { Db } from '../../../platform/server/database.ts';
import '../../../session/server/index.ts';

/** Whoever ordered it, with the rights that they have now. */
export const readViewer = async (
  db: Db,
  clientId: string,
  { actor, kind }: { actor: string; kind: string },
): Promise<Viewer | undefined> => {
  const user = await db
    .selectFrom('users')
    .select(['role', 'status'])
    .where('client_id', '=', clientId)
    .where('id', '=', actor)
    .executeTakeFirst();
  const permission = kind === 'remediation.assess' ? 'findings.triage' : 'findings.fix';
  if (user?.status !== 'active' || !can(user.role, permission)) return undefined;
  return { clientId, userId: actor, seesAll: can(user.role, 'organization.read-all') };
};
