import { sql } from 'kysely';
import type { Static } from 'typebox';
import { type ClientReads, openInsideClient, readsOf } from '../../../platform/server/client-access.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import {
  type Endpoint,
  type FileAnswer,
  fileEndpoint,
  inPieces,
  type SignedInInput,
  streamedFileEndpoint,
} from '../../../platform/server/endpoint.ts';
import { downloadFinding, EXPORT_FORMATS, EXPORTS, type ExportFormat } from '../../api/exports-routes.ts';
import { MANAGED_EXPORTS } from '../../api/managed-routes.ts';
import type { FindingExportQuery } from '../../api/routes.ts';
import { type ColumnKey, DEFAULT_COLUMNS, tableColumns } from '../../model/column-catalogue.ts';
import { filterTexts } from '../../model/facet-labels.ts';
import { readFinding } from '../detail/read-finding.ts';
import { readNicknames, readUsernames } from '../filter/names.ts';
import { type Viewer, viewerOf } from '../filter/viewer.ts';
import { findPage } from '../list/find-page.ts';
import type { RowAttribute } from '../list/row-attributes.ts';
import { shownColumns } from '../saved-views/columns.ts';
import { type ExportRequest, exportTexts } from './export-source.ts';
import { HTML_POLICY, type HtmlHead, htmlDocument } from './html-document.ts';
import { sarifDocument } from './sarif-document.ts';
import { csvDocument, type ExportDocument, jsonDocument } from './table-documents.ts';

type Query = Static<typeof FindingExportQuery>;

/** Whose findings are written, and from where they are read. */
interface ExportInput extends Pick<SignedInInput<unknown, Query, unknown>, 'query' | 'signal' | 'reply'> {
  database: ClientReads;
  viewer: Viewer;
  /** Columns of the list where the request names none. */
  shown: () => Promise<readonly ColumnKey[]>;
}

const requestOf = ({ viewer, query }: ExportInput): ExportRequest => ({
  viewer,
  filters: query.filters ?? {},
  search: query.search ?? '',
  sortField: query.sort_field ?? 'priority',
  direction: query.sort ?? 'desc',
});

const file = (ending: string, contentType: string, texts: AsyncIterable<string>): FileAnswer => ({
  fileName: `findings-${new Date().toISOString().slice(0, 10)}.${ending}`,
  contentType,
  content: inPieces(texts),
});

/** `Severity: critical, high`, one for each filter, as the chips of the list say it. */
const filterLines = async (db: Db, clientId: string, { filters, search }: ExportRequest): Promise<string[]> => {
  const { developer = [], issue_owner = [], review_requested_by_id = [], repository = [] } = filters;
  const people = [...developer, ...issue_owner, ...review_requested_by_id];
  const names = new Map([
    ...(await readNicknames(db, { clientId, ids: repository })),
    ...(await readUsernames(db, { clientId, ids: people })),
  ]);
  const isNamed = new Set([...people, ...repository]);
  const naming = (_key: string, value: string) => (isNamed.has(value) ? (names.get(value) ?? 'unknown') : undefined);
  return filterTexts(filters, search.trim(), naming).map(({ label, value }) => `${label}: ${value}`);
};

const headOf = async (db: Db, request: ExportRequest): Promise<HtmlHead> => {
  const { clientId } = request.viewer;
  const { total } = await findPage(db, { ...request, offset: 0, limit: 1 });
  const client = await sql<{ organization_name: string }>`
    select organization_name from clients where id = ${clientId} limit 1`.execute(db);
  return {
    organization: client.rows[0]?.organization_name ?? '',
    date: new Date().toISOString(),
    total,
    filters: await filterLines(db, clientId, request),
  };
};

const textsOf = <Name extends RowAttribute>(
  input: ExportInput,
  document: ExportDocument<Name>,
): AsyncGenerator<string> =>
  exportTexts({ database: input.database, request: requestOf(input), signal: input.signal }, document);

const named = ({ query }: ExportInput): ColumnKey[] | undefined =>
  query.fields === undefined || query.fields.length === 0 ? undefined : [...new Set(query.fields)];

/** Each format, written while it is read. */
const FORMATS: Readonly<Record<ExportFormat, (input: ExportInput) => FileAnswer | Promise<FileAnswer>>> = {
  csv: async (input) => {
    const columns = named(input) ?? tableColumns(await input.shown());
    return file('csv', 'text/csv; charset=utf-8', textsOf(input, csvDocument(columns)));
  },
  json: (input) => {
    const columns = input.query.fields === undefined ? undefined : [...new Set(input.query.fields)];
    return file('json', 'application/json', textsOf(input, jsonDocument(columns)));
  },
  sarif: (input) => file('sarif', 'application/sarif+json', textsOf(input, sarifDocument())),
  html: async (input) => {
    const columns = named(input) ?? [...(await input.shown())];
    const request = requestOf(input);
    const head = await input.database.forClient(input.viewer.clientId, (db) => headOf(db, request));
    input.reply.header('Content-Security-Policy', HTML_POLICY);
    return file('html', 'text/html; charset=utf-8', textsOf(input, htmlDocument(columns, head)));
  },
};

/** Downloads of what the list shows: the same filter, the same role, the same order. */
export const createExportEndpoints = ({ database }: { database: DatabaseHandle }): Endpoint[] => [
  fileEndpoint(downloadFinding)(async ({ db, caller, params }) => ({
    fileName: `finding-${params.id}.json`,
    contentType: 'application/json',
    content: `${JSON.stringify({ data: await readFinding(db, { viewer: viewerOf(caller), id: params.id }) }, null, 2)}\n`,
  })),
  ...EXPORT_FORMATS.map((format) =>
    streamedFileEndpoint(EXPORTS[format].route)(({ caller, query, signal, reply }) => {
      const shown = () => database.readClient(caller.clientId, (db) => shownColumns(db, caller));
      return FORMATS[format]({ database: readsOf(database), viewer: viewerOf(caller), query, signal, reply, shown });
    }),
  ),
  ...EXPORT_FORMATS.map((format) =>
    streamedFileEndpoint(MANAGED_EXPORTS[format])(async ({ caller, params, query, signal, reply, request, origin }) => {
      const viewer = { ...viewerOf(caller), clientId: params.client };
      const inside = await openInsideClient(database, { clientId: params.client, caller, request, origin });
      const shown = async () => DEFAULT_COLUMNS;
      return FORMATS[format]({ database: inside, viewer, query, signal, reply, shown });
    }),
  ),
];
