import { type ConnectionEvent, ConnectorError, type Identity } from '@breakwater/sdk';
import { failEvent, LIMITS, type SecretMask } from '@breakwater/sdk/host';
import type { ConnectionKey } from '../model/connection-key.ts';
import { type ConnectionActor, type ConnectionFacts, lockConnection } from './advance-connection.ts';
import type { ConnectionsDeps } from './deps.ts';
import { NO_RUN } from './start-check.ts';

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
  const error = new ConnectorError('unreachable', 'The last run was cut short before the service had answered.');
  return conn.send(failEvent(error, { attempts, now: new Date() }), { facts: NO_RUN });
};

/** Counts a crash of the connector's code; three within ten minutes put the connection in quarantine. */
export const countCrash = async (conn: ConnectionActor): Promise<void> => {
  const since = Date.now() - LIMITS.crashWindowMs;
  const crashes = [...conn.record.crashes.filter((at) => at.getTime() > since), new Date()];
  await conn.note({ crashes });
  if (crashes.length >= LIMITS.crashes) await conn.send({ type: 'CRASHES' }, { facts: { crashes: [] } });
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
    return conn.send(end.event, { facts });
  });
