import { isConnectorError, type Ticket, type TicketDraft, type TicketReceipt } from '@breakwater/sdk';
import { sql } from 'kysely';
import { notify } from '../../../notifications/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say, sayLabel } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { addEvent, type Remediation, readRemediation } from '../remediation-store.ts';
import type { RemediationDeps } from '../source-files.ts';
import { draftTicket, findingUrl, type TicketRequest } from './ticket-draft.ts';
import { deliveryResult } from './ticket-result.ts';
import { type Delivery, type DeliveryKey, ticketMade } from './ticket-state.ts';
import { targetTitle } from './ticket-targets.ts';

/** Seconds from one attempt to the next; after the last one the delivery is dead, until somebody sends it again. Source: safety.md 32. */
export const RETRY_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;

/** A delivery is one process's for so long; longer than any attempt. */
const CLAIM_SECONDS = 60;
const ATTEMPT_MS = 45_000;

/** What came of one attempt: what the receiver says, or why it says nothing. `problem`: the ticket is there, its link is not. */
type Attempt = (TicketReceipt & { problem: string | null }) | { refusal: string };

/** What stands in the way of a link stays so: the ticket counts without it. */
const LASTING = new Set(['scope', 'config', 'unsupported']);

/** What the ticket says: the same at every attempt. */
const draftIn = (body: string): TicketDraft => {
  const draft: unknown = JSON.parse(body);
  if (typeof draft !== 'object' || draft === null) return {};
  return Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, String(value)]));
};

/** Makes the ticket, unless its key has made it already, and links it to its finding. */
const attempt = async (deps: RemediationDeps, delivery: Delivery, remediation: Remediation): Promise<Attempt> => {
  const { client_id: clientId, connector_id: connectorId, id: idempotencyKey } = delivery;
  const tickets = await deps.connections.capability({ clientId, connectorId }, 'tickets');
  if (tickets === null)
    return { refusal: sayEnglish('{title} takes no tickets.', { title: targetTitle(deps, connectorId) }) };
  const url = findingUrl(deps, remediation.finding_id);
  try {
    return await deps.connections.use(
      { clientId, connectorId },
      async (ctx): Promise<Attempt> => {
        const receipt = await tickets.createTicket(ctx, { draft: draftIn(delivery.body), idempotencyKey });
        const { tracking } = tickets;
        if (receipt.ticket === null || tracking?.link === undefined || url === '') return { ...receipt, problem: null };
        try {
          const link = { ticket: receipt.ticket.id, url, title: `Breakwater: ${remediation.title}`, idempotencyKey };
          await tracking.link(ctx, link);
        } catch (error) {
          if (!isConnectorError(error) || !LASTING.has(error.code)) throw error;
          return { ...receipt, problem: `It was not linked: ${error.message}` };
        }
        return { ...receipt, problem: null };
      },
      { timeoutMs: ATTEMPT_MS, evenIfUnreached: true },
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refusal: error.userMessage };
  }
};

/** Takes a delivery for one attempt. @returns nothing where another process has it, it is not due, or it has ended */
const claim = async (db: Db, { client_id, id }: DeliveryKey, isDueOnly: boolean): Promise<Delivery | undefined> => {
  const waiting = db
    .updateTable('ticket_deliveries')
    .set({
      attempts: sql`attempts + 1`,
      claimed_until: sql`clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})`,
      next_at: sql`clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})`,
    })
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where((when) =>
      when.or([when('claimed_until', 'is', null), when('claimed_until', '<', sql<Date>`clock_timestamp()`)]),
    );
  return (isDueOnly ? waiting.where('next_at', '<=', sql<Date>`clock_timestamp()`) : waiting)
    .returningAll()
    .executeTakeFirst();
};

/** What one attempt is about. */
interface Claimed {
  delivery: Delivery;
  remediation: Remediation;
}

const columnsOf = (came: Attempt) => {
  if ('refusal' in came) return { status_code: null, answer: came.refusal };
  return { status_code: came.answer?.status ?? null, answer: came.answer?.body ?? null, problem: came.problem };
};

/** Writes down what came of an attempt, and when the next one is. */
const settle = async (
  deps: RemediationDeps,
  db: Db,
  { delivery, remediation }: Claimed,
  came: Attempt,
): Promise<Delivery> => {
  const delaySeconds = RETRY_SECONDS[delivery.attempts - 1];
  const isTaken = !('refusal' in came) && came.isTaken;
  const status = isTaken ? 'delivered' : delaySeconds === undefined ? 'dead' : 'pending';
  const written = await db
    .updateTable('ticket_deliveries')
    .set({
      status,
      claimed_until: null,
      ...columnsOf(came),
      ...(status === 'pending'
        ? { next_at: sql`clock_timestamp() + make_interval(secs => ${delaySeconds ?? 0})` }
        : { finished_at: sql`clock_timestamp()` }),
    })
    .where('client_id', '=', delivery.client_id)
    .where('id', '=', delivery.id)
    // a late answer of a process that lost its claim says nothing new
    .where('attempts', '=', delivery.attempts)
    .returningAll()
    .executeTakeFirst();
  if (written === undefined) throw new AppError('conflict', msg('The ticket is being sent at the moment.'));
  if (status === 'pending') return written;
  const ticket: Ticket | null = 'refusal' in came ? null : came.ticket;
  if (status === 'delivered' && ticket !== null) return ticketMade(db, written, ticket);
  await noteEnd(deps, db, { delivery: written, remediation });
  return written;
};

/** A delivery that ended without a ticket of its own: taken by a webhook, or given up. */
const noteEnd = async (deps: RemediationDeps, db: Db, { delivery, remediation }: Claimed): Promise<void> => {
  const isDead = delivery.status === 'dead';
  const detail = delivery.status_code === null ? delivery.answer : `Status ${delivery.status_code}`;
  await addEvent(db, remediation, { actor: delivery.created_by, kind: isDead ? 'ticket_failed' : 'ticket', detail });
  if (!isDead || delivery.created_by === null) return;
  await notify(db, {
    clientId: delivery.client_id,
    type: 'ticket_failed',
    title: say('A ticket could not be sent'),
    message: say('{detail}. After {attempts} attempts nobody tries any more; send it again when {system} works.', {
      detail: sayLabel(detail ?? ''),
      attempts: delivery.attempts,
      system: targetTitle(deps, delivery.connector_id),
    }),
    link: `/findings/all/finding-details/${remediation.finding_id}`,
    to: { userIds: [delivery.created_by] },
  });
};

const attemptOnce = async (
  deps: RemediationDeps,
  key: DeliveryKey,
  isDueOnly: boolean,
): Promise<Delivery | undefined> => {
  const { client_id: clientId } = key;
  const claimed = await deps.database.forClient(clientId, async (db): Promise<Claimed | undefined> => {
    const delivery = await claim(db, key, isDueOnly);
    const remediation = delivery && (await readRemediation(db, clientId, delivery.remediation_id));
    return delivery && remediation ? { delivery, remediation } : undefined;
  });
  if (claimed === undefined) return undefined;
  const came = await attempt(deps, claimed.delivery, claimed.remediation);
  return deps.database.forClient(clientId, (db) => settle(deps, db, claimed, came));
};

const latestOf = (db: Db, { client_id, id }: Remediation, connectorId: string): Promise<Delivery | undefined> =>
  db
    .selectFrom('ticket_deliveries')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('remediation_id', '=', id)
    .where('connector_id', '=', connectorId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** One delivery a remediation and system: of one that failed the next attempt has the same key, so that there is one ticket. */
const prepare = (deps: RemediationDeps, request: TicketRequest): Promise<Delivery> =>
  deps.database.forClient(request.viewer.clientId, async (db) => {
    const { remediation, target, draft } = await draftTicket(db, deps, request);
    const { client_id, id: remediation_id } = remediation;
    const { connectorId: connector_id } = target;
    // two clicks at once make one delivery
    await sql`select pg_advisory_xact_lock(hashtextextended(${`ticket:${remediation_id}`}, 0))`.execute(db);
    const known = await latestOf(db, remediation, connector_id);
    if (known?.status === 'delivered' && !known.is_gone) return known;
    const body = JSON.stringify(draft);
    if (known === undefined || known.is_gone) {
      return db
        .insertInto('ticket_deliveries')
        .values({ client_id, remediation_id, connector_id, body, created_by: request.viewer.userId })
        .returningAll()
        .executeTakeFirstOrThrow();
    }
    const updated = await db
      .updateTable('ticket_deliveries')
      .set({ body, status: 'pending', attempts: 0, finished_at: null, next_at: sql`clock_timestamp()` })
      .where('client_id', '=', client_id)
      .where('id', '=', known.id)
      .where((when) =>
        when.or([when('claimed_until', 'is', null), when('claimed_until', '<', sql<Date>`clock_timestamp()`)]),
      )
      .returningAll()
      .executeTakeFirst();
    if (updated === undefined) throw new AppError('conflict', msg('The ticket is being sent at the moment.'));
    return updated;
  });

/** Sends the ticket of a remediation now; where that fails, it is sent again later by itself. One that was taken is not sent twice. */
export const sendTicket = async (deps: RemediationDeps, request: TicketRequest) => {
  const prepared = await prepare(deps, request);
  if (prepared.status === 'delivered') return deliveryResult(deps, prepared);
  const settled = await attemptOnce(deps, prepared, false);
  if (settled === undefined) throw new AppError('conflict', msg('The ticket is being sent at the moment.'));
  return deliveryResult(deps, settled);
};

const MAX_AT_ONCE = 100;

/** Sends what is due in all organisations. @returns how many attempts */
export const sendDueTickets = async (deps: RemediationDeps, database: DatabaseHandle): Promise<number> => {
  const due = await database.forIdentity((db) =>
    db
      .selectFrom('ticket_deliveries')
      .select(['client_id', 'id'])
      .where('status', '=', 'pending')
      .where('next_at', '<=', sql<Date>`clock_timestamp()`)
      .orderBy('next_at')
      .limit(MAX_AT_ONCE)
      .execute(),
  );
  let count = 0;
  for (const key of due) if ((await attemptOnce(deps, key, true)) !== undefined) count += 1;
  return count;
};
