import type { Db } from '../../../platform/server/database.ts';
import { DEFAULT_SLA_DAYS, type SlaDays } from '../../model/sla.ts';
import '../tables.ts';

/** Days that an organisation allows for each severity. Reads sla_days by primary key. */
export const readSlaDays = async (db: Db, clientId: string): Promise<SlaDays> => {
  const stored = await db
    .selectFrom('sla_days')
    .select(['critical', 'high', 'medium', 'low', 'informational'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return stored ?? DEFAULT_SLA_DAYS;
};
