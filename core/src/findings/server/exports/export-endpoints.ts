import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import {
  type Caller,
  type Endpoint,
  type FileAnswer,
  fileEndpoint,
  inPieces,
  type SignedInInput,
  streamedFileEndpoint,
} from '../../../platform/server/endpoint.ts';
import { downloadFinding, EXPORT_FORMATS, EXPORTS, type ExportFormat } from '../../api/exports-routes.ts';
import type { FindingExportQuery } from '../../api/routes.ts';
import { type ColumnKey, tableColumns } from '../../model/column-catalogue.ts';
import { filterTexts } from '../../model/facet-labels.ts';
import { readFinding } from '../detail/read-finding.ts';
import { readNicknames, readUsernames } from '../filter/names.ts';
import { viewerOf } from '../filter/viewer.ts';
import { findPage } from '../list/find-page.ts';
import type { RowAttribute } from '../list/row-attributes.ts';
import { shownColumns } from '../saved-views/columns.ts';
import { type ExportRequest, exportTexts } from './export-source.ts';
import { HTML_POLICY, type HtmlHead, htmlDocument } from './html-document.ts';
import { sarifDocument } from './sarif-document.ts';
import { csvDocument, type ExportDocument, jsonDocument } from './table-documents.ts';

type Query = Static<typeof FindingExportQuery>;
type Input = SignedInInput<undefined, Query, undefined>;

const requestOf = (caller: Caller, query: Query): ExportRequest => ({
  viewer: viewerOf(caller),
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

/** Downloads of what the list shows, written while they are read: the same filter, the same role, the same order. */
export const createExportEndpoints = ({ database }: { database: DatabaseHandle }): Endpoint[] => {
  const textsOf = <Name extends RowAttribute>(input: Input, document: ExportDocument<Name>): AsyncGenerator<string> =>
    exportTexts({ database, request: requestOf(input.caller, input.query), signal: input.signal }, document);
  const named = ({ query }: Input): ColumnKey[] | undefined =>
    query.fields === undefined || query.fields.length === 0 ? undefined : [...new Set(query.fields)];
  const shown = ({ caller }: Input): Promise<ColumnKey[]> =>
    database.forClient(caller.clientId, (db) => shownColumns(db, caller));
  const formats: Readonly<Record<ExportFormat, (input: Input) => FileAnswer | Promise<FileAnswer>>> = {
    csv: async (input) => {
      const columns = named(input) ?? tableColumns(await shown(input));
      return file('csv', 'text/csv; charset=utf-8', textsOf(input, csvDocument(columns)));
    },
    json: (input) => {
      const columns = input.query.fields === undefined ? undefined : [...new Set(input.query.fields)];
      return file('json', 'application/json', textsOf(input, jsonDocument(columns)));
    },
    sarif: (input) => file('sarif', 'application/sarif+json', textsOf(input, sarifDocument())),
    html: async (input) => {
      const columns = named(input) ?? (await shown(input));
      const request = requestOf(input.caller, input.query);
      const head = await database.forClient(input.caller.clientId, (db) => headOf(db, request));
      input.reply.header('Content-Security-Policy', HTML_POLICY);
      return file('html', 'text/html; charset=utf-8', textsOf(input, htmlDocument(columns, head)));
    },
  };
  return [
    fileEndpoint(downloadFinding)(async ({ db, caller, params }) => ({
      fileName: `finding-${params.id}.json`,
      contentType: 'application/json',
      content: `${JSON.stringify({ data: await readFinding(db, { viewer: viewerOf(caller), id: params.id }) }, null, 2)}\n`,
    })),
    ...EXPORT_FORMATS.map((format) => streamedFileEndpoint(EXPORTS[format].route)(formats[format])),
  ];
};
