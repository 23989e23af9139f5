import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import { getSla, saveSla } from '../../api/sla-routes.ts';
import { readUsernames } from '../filter/names.ts';
import { readSlaRules } from '../filter/resolve-filter.ts';

const readSettings = async (db: Db, clientId: string) => {
  const changed = await db
    .selectFrom('sla_days')
    .select(['updated_at', 'updated_by'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  const by = changed?.updated_by ?? null;
  const names = await readUsernames(db, { clientId, ids: by === null ? [] : [by] });
  return {
    ...(await readSlaRules(db, clientId)),
    updated_at: changed?.updated_at.toISOString() ?? null,
    updated_by: by === null ? null : (names.get(by) ?? null),
  };
};

/** The days that an organisation allows for fixing. */
export const slaEndpoints = (): Endpoint[] => [
  tenantEndpoint(getSla)(async ({ db, caller }) => ({ data: await readSettings(db, caller.clientId) })),
  tenantEndpoint(saveSla)(async ({ db, caller, body, audit }) => {
    audit({ subject: 'Due dates', details: { ...body } });
    const { clientId, userId } = caller;
    const whole = { ...(await readSlaRules(db, clientId)), ...body, updated_by: userId };
    await db
      .insertInto('sla_days')
      .values({ client_id: clientId, ...whole })
      // only what was named: two who change two severities at once both stand
      .onConflict((conflict) =>
        conflict.column('client_id').doUpdateSet({ ...body, updated_by: userId, updated_at: sql`now()` }),
      )
      .execute();
    return { success: true, data: await readSettings(db, clientId) };
  }),
];
