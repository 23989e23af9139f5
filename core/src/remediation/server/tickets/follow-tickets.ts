import type { Ticket, TicketTracking } from '@breakwater/sdk';
import { sql } from 'kysely';
import { readFixFacts } from '../../../findings/server/index.ts';
import { notify } from '../../../notifications/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { addEvent, readRemediation } from '../remediation-store.ts';
import type { RemediationDeps } from '../source-files.ts';
import {
  type Delivery,
  type DeliveryKey,
  inSeconds,
  nextFollow,
  ticketStands,
  updateDelivery,
} from './ticket-state.ts';
import { targetTitle } from './ticket-targets.ts';

const MAX_AT_ONCE = 50;
/** A ticket is one process's for so long; longer than any step. */
const CLAIM_SECONDS = 60;
const STEP_MS = 45_000;
/** Seconds from one refused attempt to close a ticket to the next; the last one again and again. */
const CLOSE_SECONDS = [300, 1800, 7200, 43_200, 86_400] as const;

const FIXED =
  // no text: a comment in the ticket system
  'Breakwater: a scan no longer finds what this is about. The finding is mitigated, so this is closed. Reopen it if there is more to do.';

interface Followed {
  delivery: Delivery;
  /** Null where the remediation went meanwhile. */
  findingId: string | null;
  isMitigated: boolean;
}

/** Takes a ticket that is due, with the state of its finding. @returns nothing where another process has it */
const claim = async (db: Db, { client_id: clientId, id }: DeliveryKey): Promise<Followed | undefined> => {
  const delivery = await db
    .updateTable('ticket_deliveries')
    .set({ follow_at: inSeconds(CLAIM_SECONDS) })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .where('follow_at', '<=', sql<Date>`clock_timestamp()`)
    .returningAll()
    .executeTakeFirst();
  if (delivery === undefined) return undefined;
  const remediation = await readRemediation(db, clientId, delivery.remediation_id);
  const viewer = { clientId, userId: clientId, seesAll: true };
  const facts = remediation && (await readFixFacts(db, { viewer, id: remediation.finding_id }));
  return { delivery, findingId: remediation?.finding_id ?? null, isMitigated: facts?.status === 'mitigated' };
};

/** How the ticket stands; that of a mitigated finding is closed first. */
const ask = (
  deps: RemediationDeps,
  tracking: TicketTracking,
  { delivery, isMitigated }: Followed,
): Promise<Ticket | null> => {
  const { client_id: clientId, connector_id: connectorId, ticket_id: ticket, id } = delivery;
  return deps.connections.use(
    { clientId, connectorId },
    async (ctx) => {
      const now = await tracking.ticket(ctx, ticket ?? '');
      if (now === null || !isMitigated || tracking.transition === undefined) return now;
      return tracking.transition(ctx, { ticket: now.id, comment: FIXED, idempotencyKey: `${id}:fixed` });
    },
    { timeoutMs: STEP_MS },
  );
};

/** A ticket that could not be closed or read: when next, and who is told once. */
const noteRefusal = async (
  deps: RemediationDeps,
  db: Db,
  { delivery, findingId, isMitigated }: Followed,
  problem: string,
): Promise<void> => {
  const seconds = CLOSE_SECONDS[Math.min(delivery.close_attempts, CLOSE_SECONDS.length - 1)] ?? 0;
  const columns = isMitigated ? { problem, close_attempts: delivery.close_attempts + 1 } : {};
  await updateDelivery(db, delivery, { ...columns, follow_at: isMitigated ? inSeconds(seconds) : nextFollow() });
  if (!isMitigated || delivery.problem === problem) return;
  const { client_id: clientId, created_by: actor, ticket_key: key } = delivery;
  const entry = { actor: null, kind: 'ticket_failed', detail: `${key} was not closed: ${problem}` } as const;
  await addEvent(db, { client_id: clientId, id: delivery.remediation_id }, entry);
  if (actor === null || delivery.close_attempts > 0) return;
  const system = targetTitle(deps, delivery.connector_id);
  const title = say('{ticket} could not be closed in {system}', { ticket: key ?? '', system });
  const link = findingId === null ? '/findings' : `/findings/all/finding-details/${findingId}`;
  await notify(db, { clientId, type: 'ticket_failed', title, message: problem, link, to: { userIds: [actor] } });
};

const followOne = async (deps: RemediationDeps, key: DeliveryKey): Promise<boolean> => {
  const { client_id: clientId } = key;
  const followed = await deps.database.forClient(clientId, (db) => claim(db, key));
  if (followed === undefined) return false;
  const { delivery, isMitigated } = followed;
  const connectionKey = { clientId, connectorId: delivery.connector_id };
  const tracking = (await deps.connections.capability(connectionKey, 'tickets'))?.tracking;
  try {
    if (tracking === undefined) throw new AppError('conflict', msg('Its connector is not there any more.'));
    const now = await ask(deps, tracking, followed);
    await deps.database.forClient(clientId, async (db) => {
      const isClosed = isMitigated && now?.isDone === true;
      const written = await updateDelivery(db, delivery, {
        // of a mitigated finding nothing more is to come
        follow_at: isClosed ? null : nextFollow(),
        ...(isMitigated ? { problem: null } : {}),
      });
      await ticketStands(db, written, now);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await deps.database.forClient(clientId, (db) => noteRefusal(deps, db, followed, error.userMessage));
  }
  return true;
};

/** Asks how tickets stand, and closes those of mitigated findings, in all organisations. @returns how many */
export const followDueTickets = async (deps: RemediationDeps, database: DatabaseHandle): Promise<number> => {
  const due = await database.forIdentity((db) =>
    db
      .selectFrom('ticket_deliveries')
      .select(['client_id', 'id'])
      .where('follow_at', '<=', sql<Date>`clock_timestamp()`)
      .orderBy('follow_at')
      .limit(MAX_AT_ONCE)
      .execute(),
  );
  let count = 0;
  for (const key of due) if (await followOne(deps, key)) count += 1;
  return count;
};
