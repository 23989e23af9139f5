import type { Static } from 'typebox';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { SentTicket } from '../../api/ticket-routes.ts';
import type { Remediation } from '../remediation-store.ts';
import type { RemediationDeps } from '../source-files.ts';
import type { Delivery } from './ticket-state.ts';
import { targetTitle } from './ticket-targets.ts';

/** What is said of a ticket that the webhook took, and of one that it did not. Source: specification §8 "Webhook send". */
const WEBHOOK = {
  id: 'webhook',
  sent: 'Successfully send webhook',
  failed: 'Send webhook failed',
  silent: 'No response was received from webhook',
} as const;

const ticketIn = ({ ticket_key: key, ticket_url: url, ticket_status: status, is_done }: Delivery) =>
  key === null || url === null || status === null ? null : { key, url, status, is_done };

/** `detail` or `message` of an answer in JSON. */
const saidBy = (answer: string | null): string | undefined => {
  try {
    const value: unknown = JSON.parse(answer ?? '');
    if (typeof value !== 'object' || value === null) return undefined;
    const said = 'detail' in value ? value.detail : 'message' in value ? value.message : undefined;
    return typeof said === 'string' && said !== '' ? said : undefined;
  } catch {
    return undefined;
  }
};

const titleOf = (title: string, delivery: Delivery): string => {
  const isSent = delivery.status === 'delivered';
  if (delivery.connector_id === WEBHOOK.id) return isSent ? WEBHOOK.sent : WEBHOOK.failed;
  const key = delivery.ticket_key;
  if (!isSent) return sayEnglish('Sending to {title} failed', { title });
  return key === null
    ? sayEnglish('Ticket sent to {title}', { title })
    : sayEnglish('Ticket sent to {title}: {ticket}', { title, ticket: key });
};

const failureOf = ({ connector_id, status_code, answer }: Delivery): string | null => {
  if (status_code !== null)
    return saidBy(answer) ?? sayEnglish('The webhook answered with status {status}.', { status: String(status_code) });
  return connector_id === WEBHOOK.id ? WEBHOOK.silent : answer;
};

/** What a person is told of a delivery. */
export const deliveryResult = (deps: Pick<RemediationDeps, 'catalogue'>, delivery: Delivery) => {
  const { id, connector_id, status, status_code, answer } = delivery;
  const isSent = status === 'delivered';
  return {
    success: isSent,
    data: {
      ...{ delivery_id: id, connector_id, status, status_code, body: status_code === null ? null : answer },
      title: titleOf(targetTitle(deps, connector_id), delivery),
      description: isSent ? delivery.problem : failureOf(delivery),
      ticket: ticketIn(delivery),
    },
  };
};

/** The tickets of a remediation on the wire, the newest of each system. Index: ticket_deliveries_remediation. */
export const readTickets = async (
  db: Db,
  deps: Pick<RemediationDeps, 'catalogue'>,
  { client_id, id }: Pick<Remediation, 'client_id' | 'id'>,
): Promise<Static<typeof SentTicket>[]> => {
  const rows = await db
    .selectFrom('ticket_deliveries')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('remediation_id', '=', id)
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  const newest = rows.filter(
    (row, index) => rows.findIndex(({ connector_id }) => connector_id === row.connector_id) === index,
  );
  return newest.map((row) => ({
    connector_id: row.connector_id,
    title: targetTitle(deps, row.connector_id),
    status: row.status,
    ticket: ticketIn(row),
    is_gone: row.is_gone,
    problem: row.status === 'delivered' ? row.problem : failureOf(row),
  }));
};
