import { type ClientReads, readInsideClient, readsOf } from '../../platform/server/client-access.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { deviceOf } from '../../platform/server/device.ts';
import {
  callerEndpoint,
  type Endpoint,
  type HandlerInput,
  inPieces,
  streamedFileEndpoint,
  tenantEndpoint,
} from '../../platform/server/endpoint.ts';
import {
  type AuditFilters,
  type AuditFormat,
  exportAudit,
  listAccesses,
  listAudit,
  listManagedAudit,
} from '../api/routes.ts';
import { DOCUMENTS } from './documents.ts';
import { readAccesses } from './list-accesses.ts';
import { type EntryRow, listEntries } from './list-entries.ts';
import { deleteOldEntries, readRetention } from './retention.ts';

export { auditPersonalData } from './personal-data.ts';
export { deleteExpiredEntries } from './retention.ts';

const PAGE_SIZE = 50;
/** Of one transaction, while a file is written. */
const EXPORT_BATCH = 1000;

interface PageQuery {
  filters?: AuditFilters;
  search?: string;
  cursor?: string;
  pagination_pageSize?: number;
}

const itemOf = <R extends EntryRow>({ id, at, ...row }: R) => ({
  _id: id,
  attributes: { ...row, at: at.toISOString(), device: deviceOf(row.agent) },
});

const pageOf = <R extends EntryRow>(rows: readonly R[], size: number) => {
  const page = rows.slice(0, size);
  return { data: page.map(itemOf), next_cursor: rows.length > size ? (page.at(-1)?.id ?? null) : null };
};

/** One more row than wanted tells whether there is another page. */
const readPage = async (db: Db, clientId: string, query: PageQuery) => {
  const { filters = {}, search = '', cursor: after, pagination_pageSize: size = PAGE_SIZE } = query;
  const rows = await listEntries(db, { clientId, filters, search: search.trim(), after, limit: size + 1 });
  const { data, next_cursor } = pageOf(rows, size);
  return { data, meta: { next_cursor, retention_days: await readRetention(db, clientId) } };
};

interface ExportInput {
  database: ClientReads;
  clientId: string;
  query: PageQuery & { format?: AuditFormat };
  signal: HandlerInput<unknown, unknown, unknown>['signal'];
}

/** Every entry that matches, in short transactions. */
async function* entriesOf({ database, clientId, query, signal }: ExportInput): AsyncGenerator<EntryRow[]> {
  const { filters = {}, search = '' } = query;
  let after: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const request = { clientId, filters, search: search.trim(), after, limit: EXPORT_BATCH };
    const rows = await database.forClient(clientId, (db) => listEntries(db, request));
    if (rows.length > 0) yield rows;
    if (rows.length < EXPORT_BATCH) return;
    after = rows.at(-1)?.id;
  }
}

/** The audit log: reading and exporting. What it holds is written by `platform/server/audit.ts`. */
export const createAuditEndpoints = ({ database }: { database: DatabaseHandle }): Endpoint[] => [
  tenantEndpoint(listAudit)(({ db, caller, query }) => readPage(db, caller.clientId, query)),
  streamedFileEndpoint(exportAudit)(({ caller, query, signal }) => {
    const format = query.format ?? 'csv';
    const { contentType, write } = DOCUMENTS[format];
    const entries = entriesOf({ database: readsOf(database), clientId: caller.clientId, query, signal });
    const fileName = `audit-${new Date().toISOString().slice(0, 10)}.${format}`;
    return { fileName, contentType, content: inPieces(write(entries)) };
  }),
  callerEndpoint(listAccesses)(
    async ({ query: { search = '', cursor: after, pagination_pageSize: size = PAGE_SIZE } }) => {
      const rows = await database.forIdentity((db) =>
        readAccesses(db, { search: search.trim(), after, limit: size + 1 }),
      );
      const { data, next_cursor } = pageOf(rows, size);
      return { data, meta: { next_cursor } };
    },
  ),
  callerEndpoint(listManagedAudit)(({ caller, params, query, request, origin }) =>
    readInsideClient(database, { clientId: params.client, caller, request, origin }, (db) =>
      readPage(db, params.client, query),
    ),
  ),
];

/** Jobs of this slice. */
export const auditJobs = [deleteOldEntries] as const;
