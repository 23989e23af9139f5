import type { NormalizedFinding, ParseOptions, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { csvColumns, readRows } from '../../lib/csv-rows.ts';
import { Tally, wrongTool } from '../../lib/records.ts';
import { recordCheck } from '../../lib/schema.ts';
import { fileFinding, queryOf } from './query.ts';

/** A file of a query with what the query says. Source: kics pkg/report/model/csv.go, since 1.7. */
const Row = Type.Object({ query_id: Type.String({ minLength: 1 }), file_name: Type.String() });
const rowCheck = recordCheck(Row);

export function isCsv(start: string): boolean {
  const columns = csvColumns(Buffer.from(start.slice(0, 4_096)));
  return ['query_name', 'query_id', 'file_name', 'similarity_id'].every((name) => columns.includes(name));
}

/** @throws ReportError */
export function* parseRows(bytes: Buffer, tool: string, { signal, family }: ParseOptions): Generator<ReportRecord> {
  const tally = new Tally();
  yield { kind: 'report', toolName: tool };
  yield* readRows({ bytes, check: rowCheck, column, tally, signal }, (row) => rowFinding(row, family));
  tally.assertReadable((reason) => wrongTool(tool, undefined, reason));
}

/** The one column that is not named as in the JSON. */
const column = (name: string): string => (name === 'query_uri' ? 'query_url' : name.trim());

function rowFinding(
  row: { query_id: string; file_name: string },
  family: string | undefined,
): NormalizedFinding | undefined {
  const query = queryOf(new Map<string, unknown>(Object.entries(row)), family);
  return query === undefined ? undefined : fileFinding(row, query);
}
