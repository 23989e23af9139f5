import { AppError } from '../../platform/model/app-error.ts';
import type { Card } from '../../platform/model/connector-catalogue.ts';
import { closedMessage, gateView } from '../model/gate.ts';
import { type Actor, type ConnectionActor, lockConnection } from './advance-connection.ts';
import { isCardConfigured } from './connector-item.ts';
import type { ConnectionsDeps } from './deps.ts';
import { runCheck } from './run-check.ts';
import { startCheck, startFirstCheck } from './start-check.ts';

export interface CheckOrder {
  clientId: string;
  card: Card;
  actor: Actor;
}

/** @throws conflict with the reason why nothing runs */
export const refuseClosed = ({ connector }: Card, conn: Pick<ConnectionActor, 'record'>): void => {
  if (connector.disabled !== undefined) throw new AppError('conflict', connector.disabled.reason);
  const gate = gateView(conn.record);
  if (gate.state !== 'open') throw new AppError('conflict', closedMessage(connector.title, gate));
};

const refusal = (title: string, conn: ConnectionActor): string => {
  const { retryAt } = conn.record.stored;
  if (conn.state === 'paused' && retryAt !== null)
    return `The service asked to wait; ${title} is checked again at ${retryAt}.`;
  const work: Partial<Record<typeof conn.state, string>> = {
    authorizing: 'waits for your consent at the service',
    checking: 'is being checked already',
    syncing: 'is pulling findings, which shows that it works',
    removing: 'is being removed',
  };
  return `${title} ${work[conn.state] ?? 'cannot be checked now'}.`;
};

/** Begins the check that a person asks for, by the way that leads there from the present state. */
const begin = async (
  deps: ConnectionsDeps,
  { card, actor }: CheckOrder,
  conn: ConnectionActor,
): Promise<string | null> => {
  const mayRetry = conn.state !== 'paused' || isPast(conn.record.stored.retryAt);
  if (conn.state === 'needsAuth') await conn.send({ type: 'EDIT' }, { actor });
  if (conn.state === 'draft') return startFirstCheck(deps, card, conn, actor);
  const hasCheck = deps.catalogue.capability('check', card.connector.id) !== null;
  // what is connected and has nothing to ask is as sound as it can be
  if (!hasCheck && conn.state === 'connected') return null;
  const run =
    (await startCheck(conn, { type: 'CHECK' }, actor)) ??
    (mayRetry ? await startCheck(conn, { type: 'TIMER' }, actor) : null);
  if (run === null) throw new AppError('conflict', refusal(card.connector.title, conn));
  return run;
};

const isPast = (time: string | null): boolean => time === null || new Date(time) <= new Date();

/** Tests the connection now. What the service says is told by the state. @throws conflict, integration_not_configured */
export const checkConnection = async (deps: ConnectionsDeps, order: CheckOrder): Promise<void> => {
  const { card, clientId } = order;
  const place = { clientId, connectorId: card.connector.id };
  const runId = await deps.database.forClient(clientId, async (db) => {
    const conn = await lockConnection(db, place);
    refuseClosed(card, conn);
    if (!isCardConfigured(card, conn.record)) {
      throw new AppError(
        'integration_not_configured',
        `${card.connector.title} is not configured: fill in its form first.`,
      );
    }
    return begin(deps, order, conn);
  });
  if (runId !== null) await runCheck(deps, card, { ...place, runId });
};
