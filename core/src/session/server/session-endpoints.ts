import { type SqlBool, sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { Db } from '../../platform/server/database.ts';
import { deviceOf } from '../../platform/server/device.ts';
import { type Caller, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { listSessions, revokeOtherSessions, revokeSession } from '../api/session-routes.ts';
import { isAwake, notifyClosed } from './sessions.ts';
import './tables.ts';

/** More than anybody has. */
const MAX_SESSIONS = 200;

const isCurrent = ({ sessionHash }: Caller) => sql<SqlBool>`token_hash = ${sessionHash}`;

/** Sessions of the caller that are open. Index: sessions_user. */
const readOwn = (db: Db, caller: Caller) =>
  db
    .selectFrom('sessions')
    .select(['id', 'agent', 'address', 'created_at', 'last_seen_at'])
    .select(isCurrent(caller).as('is_current'))
    .where('client_id', '=', caller.clientId)
    .where('user_id', '=', caller.userId)
    .where(isAwake)
    .orderBy('is_current', 'desc')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(MAX_SESSIONS)
    .execute();

/** Ends own sessions, and tells their open pages. @returns their devices */
const endOwn = async (db: Db, caller: Caller, which: { id: string } | 'others') => {
  const own = db.deleteFrom('sessions').where('client_id', '=', caller.clientId).where('user_id', '=', caller.userId);
  const ended = await (which === 'others'
    ? own.where('token_hash', '<>', caller.sessionHash)
    : own.where('id', '=', which.id)
  )
    .returning(['agent', 'address'])
    .execute();
  if (ended.length > 0) await notifyClosed(db, caller);
  return ended;
};

/** Where the caller is signed in, and ending it. */
export const createSessionListEndpoints = (): Endpoint[] => [
  tenantEndpoint(listSessions)(async ({ db, caller }) => ({
    data: (await readOwn(db, caller)).map(({ id, agent, address, created_at, last_seen_at, is_current }) => ({
      _id: id,
      attributes: {
        device: deviceOf(agent),
        address,
        since: created_at.toISOString(),
        last_seen: last_seen_at.toISOString(),
        is_current: is_current === true,
      },
    })),
  })),
  tenantEndpoint(revokeSession)(async ({ db, caller, params, audit }) => {
    const [ended] = await endOwn(db, caller, params);
    if (ended === undefined) throw new AppError('not_found', msg('This session has ended, or it is somebody else’s.'));
    audit({ subject: deviceOf(ended.agent) ?? '', details: { opened_from: ended.address } });
    return { success: true };
  }),
  tenantEndpoint(revokeOtherSessions)(async ({ db, caller, audit }) => {
    const { length: ended } = await endOwn(db, caller, 'others');
    audit({ subject: 'All others', details: { sessions: ended }, isUnchanged: ended === 0 });
    return { success: true, data: { ended } };
  }),
];
