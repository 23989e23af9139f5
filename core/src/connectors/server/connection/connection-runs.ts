import { randomUUID } from 'node:crypto';
import { type ConnectionEvent, ConnectorError, type Identity } from '@breakwater/sdk';
import { failEvent, LIMITS, type SecretMask } from '@breakwater/sdk/host';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import { type Actor, type ConnectionActor, type ConnectionFacts, lockConnection } from './advance-connection.ts';
import type { ConnectionKey } from './connection-store.ts';
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

/** Nobody holds the run that has begun: whoever looks next takes it up. */
export const AT_ONCE = { run_id: null, run_until: new Date(0) } as const satisfies ConnectionFacts;

/** Begins a check by the event that leads to `checking`. @returns the run, or null where the event does not apply. */
export const startCheck = async (
  conn: ConnectionActor,
  event: Extract<ConnectionEvent, { type: 'SUBMIT' | 'CHECK' | 'TIMER' | 'BACKOFF' | 'CALLBACK' }>,
  actor: Actor | null,
): Promise<string | null> => {
  const facts = leaseFacts(CHECK_LEASE_MS);
  return (await conn.transition(event, { actor, facts })) ? facts.run_id : null;
};

/** Takes a check whose process died. */
export const takeOverCheck = async (conn: ConnectionActor): Promise<string> => {
  const facts = leaseFacts(CHECK_LEASE_MS);
  await conn.update(facts);
  return facts.run_id;
};

/**
 * From draft to a check. A connector that has nothing to ask is connected at once.
 * @returns the run to go on with, or null where there is none: nothing to ask, or a switch is off.
 */
export const startFirstCheck = async (
  { catalogue }: Pick<ConnectionsDeps, 'catalogue'>,
  { connector }: CatalogueEntry,
  conn: ConnectionActor,
  actor: Actor | null,
): Promise<string | null> => {
  if (catalogue.capability('check', connector.id) !== null) return startCheck(conn, { type: 'SUBMIT' }, actor);
  if (await conn.transition({ type: 'SUBMIT' }, { actor })) {
    const first = conn.record.firstConnectedAt ?? new Date();
    await conn.transition({ type: 'OK' }, { actor, facts: { first_connected_at: first } });
  }
  return null;
};

const MAX_TEXT = 500;
const MAX_SCOPES = 50;

/** A text of a service as it may be kept and shown. */
const shown = (text: string, mask: SecretMask): string =>
  mask.text(text.toWellFormed().replaceAll('\0', '')).slice(0, MAX_TEXT);

/** What the service said about the credentials, whatever the connector's code made of it. */
export const identityFacts = (identity: Identity, mask: SecretMask): ConnectionFacts => {
  const scopes: unknown = identity?.scopes;
  const name: unknown = identity?.identity;
  return {
    identity: typeof name === 'string' ? shown(name, mask) : null,
    scopes: (Array.isArray(scopes) ? scopes : [])
      .filter((scope) => typeof scope === 'string')
      .slice(0, MAX_SCOPES)
      .map((scope) => shown(scope, mask)),
  };
};

/** A failure as an event whose texts hold no secret. */
export const failureEvent = (
  error: ConnectorError,
  { attempts, mask }: { attempts: number; mask: SecretMask },
): ConnectionEvent => {
  const event = failEvent(error, { attempts, now: new Date() });
  const help = event.help === undefined ? {} : { help: shown(event.help, mask) };
  return { ...event, message: shown(event.message, mask), ...help };
};

/** Ends a run that was cut short. It comes back like one whose service did not answer. */
export const cutShort = (conn: ConnectionActor): Promise<boolean> => {
  const { attempts } = conn.record.stored;
  const error = new ConnectorError('unreachable', msg('The last run was cut short before the service had answered.'));
  return conn.transition(failEvent(error, { attempts, now: new Date() }), { facts: NO_RUN });
};

/** Counts a crash of the connector's code; three within ten minutes put the connection in quarantine. */
export const countCrash = async (conn: ConnectionActor): Promise<void> => {
  const since = Date.now() - LIMITS.crashWindowMs;
  const crashes = [...conn.record.crashes.filter((at) => at.getTime() > since), new Date()];
  await conn.update({ crashes });
  if (crashes.length >= LIMITS.crashes) await conn.transition({ type: 'CRASHES' }, { facts: { crashes: [] } });
};

export interface RunEnd {
  event: ConnectionEvent;
  facts?: ConnectionFacts;
  /** The code itself tripped, instead of saying what is wrong. */
  crashed: boolean;
}

/** Writes what came of a run, unless the connection was taken from it meanwhile. @returns whether it was written. */
export const finishRun = (
  deps: Pick<ConnectionsDeps, 'database'>,
  run: ConnectionKey & { runId: string },
  end: RunEnd,
): Promise<boolean> =>
  deps.database.forClient(run.clientId, async (db) => {
    const conn = await lockConnection(db, run);
    if (conn.record.runId !== run.runId) return false;
    if (end.crashed) await countCrash(conn);
    const isFirst = end.event.type === 'OK' && conn.record.firstConnectedAt === null;
    const facts = { ...NO_RUN, ...end.facts, ...(isFirst ? { first_connected_at: new Date() } : {}) };
    return conn.transition(end.event, { facts });
  });
