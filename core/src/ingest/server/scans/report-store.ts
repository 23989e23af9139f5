import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import './tables.ts';

const CHUNK_BYTES = 512 * 1024;
const UNPACKED_PIECE_BYTES = 256 * 1024;

/** A stored report, unpacked. `chunk` gives each piece by its place, and nothing after the last. */
export async function* unpackReport(
  chunk: (ordinal: number) => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array> {
  async function* packed(): AsyncGenerator<Uint8Array> {
    for (let ordinal = 0; ; ordinal += 1) {
      const data = await chunk(ordinal);
      if (data === undefined) return;
      yield data;
    }
  }
  const source = Readable.from(packed());
  const unpacked = source.pipe(createZstdDecompress({ chunkSize: UNPACKED_PIECE_BYTES }));
  source.on('error', (error) => unpacked.destroy(error));
  for await (const piece of unpacked) if (piece instanceof Uint8Array) yield piece;
}

/** The stored report, unpacked, piece by piece; each piece is read in a short transaction of its own. */
export const readStoredReport = (
  database: DatabaseHandle,
  { clientId, reportId }: { clientId: string; reportId: string },
): AsyncGenerator<Uint8Array> =>
  unpackReport(async (ordinal) => {
    const row = await database.forClient(clientId, (db) =>
      db
        .selectFrom('report_chunks')
        .select('data')
        .where('client_id', '=', clientId)
        .where('report_id', '=', reportId)
        .where('ordinal', '=', ordinal)
        .executeTakeFirst(),
    );
    return row?.data;
  });

/** A report on disk, zstd-compressed. */
export interface PackedReport {
  path: string;
  /** Of the unpacked report. */
  sizeBytes: number;
  sha256: Buffer;
}

/** Keeps a report; the same bytes are kept once for a client. @returns the report's id. */
export const storeReport = async (db: Db, clientId: string, report: PackedReport): Promise<string> => {
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
      // held until the scan stands that needs it: the retention waits, and sees that scan
      .forKeyShare()
      .executeTakeFirst();
    // deleted by the retention in between
    return known?.id ?? storeReport(db, clientId, report);
  }
  let ordinal = 0;
  for await (const data of createReadStream(report.path, { highWaterMark: CHUNK_BYTES })) {
    await db.insertInto('report_chunks').values({ client_id: clientId, report_id: stored.id, ordinal, data }).execute();
    ordinal += 1;
  }
  return stored.id;
};

export interface StoredReport {
  report_id: string;
  tool: string;
  file_name: string | null;
}

/** The report of a scan, if it is still stored. Reads primary keys. */
export const findStoredReport = async (
  db: Db,
  request: { clientId: string; scanId: string },
): Promise<StoredReport | undefined> => {
  const { rows } = await sql<StoredReport>`
    select s.report_id, coalesce(s.tool, s.requested_tool) as tool, s.file_name
    from scans s join reports r on r.client_id = s.client_id and r.id = s.report_id
    where s.client_id = ${request.clientId} and s.id = ${request.scanId}
  `.execute(db);
  return rows[0];
};
