import { randomUUID } from 'node:crypto';
import type { ConnectionEvent } from '@breakwater/sdk';
import { LIMITS } from '@breakwater/sdk/host';
import type { Card } from '../../platform/model/connector-catalogue.ts';
import type { Actor, ConnectionActor, ConnectionFacts } from './advance-connection.ts';
import type { ConnectionsDeps } from './deps.ts';

/** How long a process may be silent before its run is taken from it: the limit of the check, and time to write the result. */
const CHECK_LEASE_MS = LIMITS.checkMs + 20_000;

/** Takes the connection for one run; nobody else works for it until the lease is over. */
export const leaseFacts = (leaseMs: number): ConnectionFacts & { run_id: string } => ({
  run_id: randomUUID(),
  run_started_at: new Date(),
  run_until: new Date(Date.now() + leaseMs),
});

/** Nobody holds the connection any more. */
export const NO_RUN = { run_id: null, run_started_at: null, run_until: null } as const satisfies ConnectionFacts;

/** Begins a check by the event that leads to `checking`. @returns the run, or null where the event does not apply. */
export const startCheck = async (
  conn: ConnectionActor,
  event: Extract<ConnectionEvent, { type: 'SUBMIT' | 'CHECK' | 'TIMER' | 'BACKOFF' | 'CALLBACK' }>,
  actor: Actor | null,
): Promise<string | null> => {
  const facts = leaseFacts(CHECK_LEASE_MS);
  return (await conn.send(event, { actor, facts })) ? facts.run_id : null;
};

/** Takes a check whose process died. */
export const takeOverCheck = async (conn: ConnectionActor): Promise<string> => {
  const facts = leaseFacts(CHECK_LEASE_MS);
  await conn.note(facts);
  return facts.run_id;
};

/**
 * From draft to a check. A connector that has nothing to ask is connected at once.
 * @returns the run to go on with, or null where there is none: nothing to ask, or a switch is off.
 */
export const startFirstCheck = async (
  { catalogue }: Pick<ConnectionsDeps, 'catalogue'>,
  { connector }: Card,
  conn: ConnectionActor,
  actor: Actor | null,
): Promise<string | null> => {
  if (catalogue.capability('check', connector.id) !== null) return startCheck(conn, { type: 'SUBMIT' }, actor);
  if (await conn.send({ type: 'SUBMIT' }, { actor })) {
    const first = conn.record.firstConnectedAt ?? new Date();
    await conn.send({ type: 'OK' }, { actor, facts: { first_connected_at: first } });
  }
  return null;
};
