import { createReadStream } from 'node:fs';
import type { Db } from '../../platform/server/database.ts';
import type { SpooledReport } from './upload/spool.ts';
import './tables.ts';

const CHUNK_BYTES = 512 * 1024;

/** Keeps a report; the same bytes are kept once for a client. @returns the report's id. */
export const storeReport = async (db: Db, clientId: string, report: SpooledReport): Promise<string> => {
  const stored = await db
    .insertInto('reports')
    .values({ client_id: clientId, sha256: report.sha256, size_bytes: report.sizeBytes })
    .onConflict((conflict) => conflict.columns(['client_id', 'sha256']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (stored === undefined) {
    const known = await db
      .selectFrom('reports')
      .select('id')
      .where('client_id', '=', clientId)
      .where('sha256', '=', report.sha256)
      .executeTakeFirstOrThrow();
    return known.id;
  }
  let ordinal = 0;
  for await (const data of createReadStream(report.path, { highWaterMark: CHUNK_BYTES })) {
    await db.insertInto('report_chunks').values({ client_id: clientId, report_id: stored.id, ordinal, data }).execute();
    ordinal += 1;
  }
  return stored.id;
};
