import type { DeliveryEvent, Ticket, TicketEvent } from '@breakwater/sdk';
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { publish } from '../../../platform/server/events.ts';
import type { RemediationEvent } from '../../model/states.ts';
import {
  addEvent,
  type Columns,
  type HistoryEntry,
  moveRemediation,
  type Remediation,
  readRemediation,
} from '../remediation-store.ts';
import type { TicketDeliveriesTable } from '../tables.ts';

export type Delivery = Selectable<TicketDeliveriesTable>;
export type DeliveryKey = Pick<Delivery, 'client_id' | 'id'>;

/** How often a service is asked about a ticket whose changes it does not report. */
const FOLLOW_SECONDS = 600;

/** In so many seconds, by the clock of the database. */
export const inSeconds = (seconds: number): RawBuilder<Date> =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;

export const nextFollow = (): RawBuilder<Date> => inSeconds(FOLLOW_SECONDS);

type DeliveryColumns = Omit<Updateable<TicketDeliveriesTable>, 'follow_at'> & { follow_at?: RawBuilder<Date> | null };

/** Writes what is known of a ticket. */
export const updateDelivery = (db: Db, { client_id, id }: DeliveryKey, columns: DeliveryColumns) =>
  db
    .updateTable('ticket_deliveries')
    .set(columns)
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Pages that show the remediation read it again. */
const tell = (db: Db, { client_id, id, finding_id, processing_status, repository_id }: Remediation): Promise<void> =>
  publish(db, {
    clientId: client_id,
    type: 'remediation.changed',
    data: { remediation_id: id, finding_id, processing_status },
    audience: { repositoryIds: [repository_id], userIds: [] },
  });

interface Consequence {
  event: RemediationEvent;
  /** Whether the ticket is what the remediation came to. */
  when: (remediation: Remediation) => boolean;
  columns?: Columns;
}

/**
 * What follows from a ticket for its remediation: only one that is an issue moves with it, and never the verdict of the finding. A fix
 * that is a pull request goes its own way.
 */
const follow = async (
  db: Db,
  delivery: Delivery,
  entry: HistoryEntry & { detail: string },
  { event, when, columns = {} }: Consequence,
): Promise<void> => {
  const { client_id: clientId, remediation_id: id } = delivery;
  const remediation = await readRemediation(db, clientId, id);
  if (remediation === undefined) return;
  if (when(remediation)) {
    const guard = async (inside: Db) => {
      const now = await readRemediation(inside, clientId, id);
      return now !== undefined && when(now);
    };
    await moveRemediation(db, remediation, { event, actor: entry.actor, columns, detail: entry.detail, guard });
  }
  await addEvent(db, remediation, entry);
  await tell(db, (await readRemediation(db, clientId, id)) ?? remediation);
};

/** Keeps the ticket that a delivery made: from now on it is followed. */
export const ticketMade = async (db: Db, delivery: Delivery, ticket: Ticket): Promise<Delivery> => {
  const { id, key, url, status, isDone } = ticket;
  const written = await updateDelivery(db, delivery, {
    ticket_id: id,
    ticket_key: key,
    ticket_url: url,
    ticket_status: status,
    is_done: isDone,
    follow_at: nextFollow(),
  });
  await follow(
    db,
    written,
    { kind: 'ticket', detail: `${key}: ${url}`, actor: delivery.created_by },
    {
      event: 'open_issue',
      when: (now) => now.processing_status === 'ready' && now.remediation_type === 'issue',
      columns: { reference_url: url, number: null },
    },
  );
  return written;
};

const isOf =
  ({ ticket_url }: Delivery) =>
  (now: Remediation): boolean =>
    now.processing_status === 'issued' && now.reference_url === ticket_url;

/** Takes in how a ticket stands at its service; null: it was deleted there. What is known already changes nothing. */
export const ticketStands = async (db: Db, delivery: Delivery, now: TicketEvent['now']): Promise<void> => {
  const when = isOf(delivery);
  if (now === null) {
    await updateDelivery(db, delivery, { is_gone: true, follow_at: null });
    const columns = { reference_url: null, number: null };
    const entry = { kind: 'ticket_gone', detail: `${delivery.ticket_key} was deleted`, actor: null } as const;
    await follow(db, delivery, entry, { event: 'close', when, columns });
    return;
  }
  const isKnown =
    delivery.ticket_key === now.key && delivery.ticket_status === now.status && delivery.is_done === now.isDone;
  if (isKnown) return;
  await updateDelivery(db, delivery, { ticket_key: now.key, ticket_status: now.status, is_done: now.isDone });
  const entry = { kind: 'ticket_status', detail: `${now.key}: ${now.status}`, actor: null } as const;
  await follow(db, delivery, entry, { event: 'merge', when: (one) => now.isDone && when(one) });
};

/** The delivery of a ticket, locked. Index: ticket_deliveries_ticket. */
const lockDelivery = (db: Db, of: { clientId: string; connectorId: string; ticketId: string }) =>
  db
    .selectFrom('ticket_deliveries')
    .selectAll()
    .where('client_id', '=', of.clientId)
    .where('connector_id', '=', of.connectorId)
    .where('ticket_id', '=', of.ticketId)
    .where('is_gone', '=', false)
    .forUpdate()
    .executeTakeFirst();

/** What follows from a service's deliveries about tickets; others are not ours and change nothing. */
export const createFollowTickets =
  (database: DatabaseHandle) =>
  async (
    { clientId, connectorId }: { clientId: string; connectorId: string },
    events: readonly DeliveryEvent[],
  ): Promise<void> => {
    for (const event of events) {
      if (event.kind !== 'ticket') continue;
      await database.forClient(clientId, async (db) => {
        const delivery = await lockDelivery(db, { clientId, connectorId, ticketId: event.id });
        if (delivery !== undefined) await ticketStands(db, delivery, event.now);
      });
    }
  };
