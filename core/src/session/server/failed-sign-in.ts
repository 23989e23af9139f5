import { type RequestOrigin, recordAudit } from '../../platform/server/audit.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';

interface FailedSignIn {
  user: { clientId: string; userId: string; username: string };
  origin: RequestOrigin;
  reason: 'wrong password' | 'not active' | 'wrong code';
}

/** Writes down that somebody failed to sign in to an account that exists. */
export const recordFailedSignIn = (database: DatabaseHandle, { user, origin, reason }: FailedSignIn): Promise<void> =>
  database.forIdentity((db) =>
    recordAudit(db, {
      clientId: user.clientId,
      kind: 'sign-in.failed',
      actor: { type: 'person', id: user.userId, name: user.username },
      origin,
      details: { reason },
    }),
  );
