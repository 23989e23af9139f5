import type { ScmEvent } from '@breakwater/sdk';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { endSubmission } from './end-submission.ts';

/** Whether what was opened was taken; null where it goes on, or is none of ours. */
const isTakenBy = (event: ScmEvent): boolean | null => {
  if (event.kind === 'issue') return event.action === 'closed';
  if (event.kind === 'push' || event.isFromFork) return null;
  if (event.action === 'merged') return true;
  return event.action === 'closed' ? false : null;
};

/** What follows from a provider's deliveries about pull requests and issues; others are not ours and change nothing. */
export const createFollowDeliveries =
  (database: DatabaseHandle) =>
  async (
    { clientId, connectorId }: { clientId: string; connectorId: string },
    events: readonly ScmEvent[],
  ): Promise<void> => {
    for (const event of events) {
      const isTaken = isTakenBy(event);
      if (event.kind === 'push' || isTaken === null) continue;
      const { kind, number, repository: externalId } = event;
      const of = { clientId, connectorId, externalId, kind, number };
      await database.forClient(clientId, (db) => endSubmission(db, of, isTaken));
    }
  };
