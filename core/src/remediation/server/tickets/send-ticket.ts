import { type Selectable, sql } from 'kysely';
import type { Viewer } from '../../../findings/server/index.ts';
import { notify } from '../../../notifications/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { addEvent, type Remediation, requireRemediation } from '../remediation-store.ts';
import type { RemediationDeps } from '../source-files.ts';
import type { TicketDeliveriesTable } from '../tables.ts';
import { ticketHeaders, ticketOf } from './ticket-body.ts';

/** Seconds from one attempt to the next; after the last one the delivery is dead, until somebody sends it again. Source: safety.md 32. */
export const RETRY_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;

/** A delivery is one process's for so long; longer than any attempt. */
const CLAIM_SECONDS = 60;
const ATTEMPT_MS = 15_000;
const MAX_ANSWER = 10_000;
const CONNECTOR = 'webhook';

/** What is said of a ticket that was not taken. Source: specification §8 "Webhook send". */
const FAILED_TITLE = 'Send webhook failed';
const NO_RESPONSE = 'No response was received from webhook';
const SENT = 'Successfully send webhook';

type Delivery = Selectable<TicketDeliveriesTable>;
type Key = Pick<Delivery, 'client_id' | 'id'>;

/** What came of one attempt. `statusCode` null: there was no answer. */
interface Attempt {
  statusCode: number | null;
  answer: string;
}

/** Every status is an answer of the receiver, to be recorded; none says anything of the connection. */
const ANSWERS = Array.from({ length: 300 }, (_, index) => 300 + index);

const post = async (
  deps: RemediationDeps,
  { client_id: clientId, id, body }: Delivery,
  isSigned: boolean,
): Promise<Attempt> => {
  try {
    return await deps.connections.use(
      { clientId, connectorId: CONNECTOR },
      async (ctx) => {
        const secret = isSigned ? await ctx.reveal(SECRET) : null;
        const url = new URL(String(ctx.config['url']));
        const { status, body: answer } = await ctx.http.request({
          method: 'POST',
          // the address as it was entered, see the check of the connector
          path: url.pathname.length > 1 && url.pathname.endsWith('/') ? '/' : '',
          query: Object.fromEntries([...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)])),
          headers: ticketHeaders({ id, body, at: ctx.now() }, secret),
          raw: body,
          accept: ANSWERS,
        });
        const text = new TextDecoder().decode(answer.subarray(0, MAX_ANSWER)).replaceAll('\0', '');
        return { statusCode: status, answer: text };
      },
      { timeoutMs: ATTEMPT_MS },
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { statusCode: null, answer: error.userMessage };
  }
};

const SECRET = 'signing_secret';

/** Takes a delivery that is due for one attempt. @returns nothing where another process has it, or it has ended */
const claim = async (db: Db, { client_id, id }: Key, isDueOnly: boolean): Promise<Delivery | undefined> => {
  const waiting = db
    .updateTable('ticket_deliveries')
    .set({ attempts: sql`attempts + 1`, next_at: sql`clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})` })
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .where('status', '=', 'pending');
  return (isDueOnly ? waiting.where('next_at', '<=', sql<Date>`clock_timestamp()`) : waiting)
    .returningAll()
    .executeTakeFirst();
};

const isTaken = ({ statusCode }: Attempt): boolean => statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Writes down what came of an attempt, and when the next one is. */
const settle = async (db: Db, delivery: Delivery, attempt: Attempt): Promise<Delivery> => {
  const delaySeconds = RETRY_SECONDS[delivery.attempts - 1];
  const status = isTaken(attempt) ? 'delivered' : delaySeconds === undefined ? 'dead' : 'pending';
  const written = await db
    .updateTable('ticket_deliveries')
    .set({
      status,
      status_code: attempt.statusCode,
      answer: attempt.answer,
      ...(status === 'pending'
        ? { next_at: sql`clock_timestamp() + make_interval(secs => ${delaySeconds ?? 0})` }
        : { finished_at: sql`clock_timestamp()` }),
    })
    .where('client_id', '=', delivery.client_id)
    .where('id', '=', delivery.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (status === 'pending') return written;
  const remediation = { client_id: delivery.client_id, id: delivery.remediation_id };
  const detail = attempt.statusCode === null ? attempt.answer : `Status ${attempt.statusCode}`;
  await addEvent(db, remediation, {
    actor: delivery.created_by,
    kind: status === 'dead' ? 'ticket_failed' : 'ticket',
    detail,
  });
  if (status === 'dead' && delivery.created_by !== null) {
    await notify(db, {
      clientId: delivery.client_id,
      type: 'ticket_failed',
      title: 'A ticket could not be sent',
      message: `${detail}. After ${delivery.attempts} attempts nobody tries any more; send it again when the webhook works.`,
      to: { userIds: [delivery.created_by] },
    });
  }
  return written;
};

const attemptOnce = async (deps: RemediationDeps, key: Key, isDueOnly: boolean): Promise<Delivery | undefined> => {
  const { client_id: clientId } = key;
  const claimed = await deps.database.forClient(clientId, async (db) => {
    const delivery = await claim(db, key, isDueOnly);
    if (delivery === undefined) return undefined;
    const stored = await deps.connections.stored(db, clientId, CONNECTOR);
    return { delivery, isSigned: Object.hasOwn(stored.secrets, SECRET) };
  });
  if (claimed === undefined) return undefined;
  const attempt = await post(deps, claimed.delivery, claimed.isSigned);
  return deps.database.forClient(clientId, (db) => settle(db, claimed.delivery, attempt));
};

/** What a ticket of a remediation would say now. @throws remediation_not_found, integration_not_configured */
export const previewTicket = async (db: Db, deps: RemediationDeps, { viewer, id }: { viewer: Viewer; id: string }) => {
  const { remediation, facts } = await requireRemediation(db, viewer, id);
  const stored = await deps.connections.stored(db, viewer.clientId, CONNECTOR);
  if (!stored.isConfigured) throw new AppError('integration_not_configured', 'No ticket webhook is configured.');
  return { remediation, ticket: ticketOf(stored.config['mapping'], remediation, facts) };
};

const latestOf = (db: Db, { client_id, id }: Remediation): Promise<Delivery | undefined> =>
  db
    .selectFrom('ticket_deliveries')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('remediation_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** One delivery a remediation: of one that failed the next attempt has the same id, so that a receiver sees it once. */
const prepare = (deps: RemediationDeps, request: { viewer: Viewer; id: string }): Promise<Delivery> =>
  deps.database.forClient(request.viewer.clientId, async (db) => {
    const { remediation, ticket } = await previewTicket(db, deps, request);
    const { client_id, id: remediation_id } = remediation;
    // two clicks at once make one delivery
    await sql`select pg_advisory_xact_lock(hashtextextended(${`ticket:${remediation_id}`}, 0))`.execute(db);
    const known = await latestOf(db, remediation);
    if (known?.status === 'delivered') return known;
    const body = JSON.stringify(ticket);
    if (known === undefined) {
      return db
        .insertInto('ticket_deliveries')
        .values({ client_id, remediation_id, body, created_by: request.viewer.userId })
        .returningAll()
        .executeTakeFirstOrThrow();
    }
    if (known.status === 'pending' && known.attempts > 0 && known.status_code === null && known.answer === null)
      throw new AppError('conflict', 'The ticket is being sent at the moment.');
    return db
      .updateTable('ticket_deliveries')
      .set({ body, status: 'pending', attempts: 0, finished_at: null, next_at: sql`clock_timestamp()` })
      .where('client_id', '=', client_id)
      .where('id', '=', known.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });

/** What a person is told of a delivery. */
const resultOf = ({ id, status, status_code, answer }: Delivery) => {
  const isSent = status === 'delivered';
  const failed =
    status_code === null ? NO_RESPONSE : (saidBy(answer) ?? `The webhook answered with status ${status_code}.`);
  return {
    success: isSent,
    data: {
      ...{ delivery_id: id, status, status_code, body: status_code === null ? null : answer },
      ...{ title: isSent ? SENT : FAILED_TITLE, description: isSent ? null : failed },
    },
  };
};

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

/** Sends the ticket of a remediation now; where that fails, it is sent again later by itself. One that was taken is not sent twice. */
export const sendTicket = async (deps: RemediationDeps, request: { viewer: Viewer; id: string }) => {
  const prepared = await prepare(deps, request);
  if (prepared.status === 'delivered') return resultOf(prepared);
  const settled = await attemptOnce(deps, prepared, false);
  if (settled === undefined) throw new AppError('conflict', 'The ticket is being sent at the moment.');
  return resultOf(settled);
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
