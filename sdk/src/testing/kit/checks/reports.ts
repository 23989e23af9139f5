import type { AnyConnector } from '../../../connector.ts';
import type { Json } from '../../../context.ts';
import { findingIssues } from '../../../findings/finding-schema.ts';
import type { ReportParser } from '../../../findings/report-parser.ts';
import type { Fixtures, RecordedReport } from '../../fixtures.ts';
import type { KitCheck, KitIssue } from '../check.ts';
import { readRecordedReport, reportName } from '../recorded-report.ts';
import { differences } from '../service/placeholders.ts';
import { UPDATE } from './results.ts';

interface Reports {
  readonly folder: string;
  readonly parsers: readonly ReportParser[];
  readonly fixtures: Fixtures;
}

const PIECE_BYTES = 1000;
const HEAD_BYTES = 64 * 1024;

/**
 * Recorded reports come out as expected, whole and in pieces, and are recognised. Null where the connector reads none.
 * What is asked of a connector that talks to a service is only told of a card for uploads: its reports are tested by its author.
 */
export async function checkReports(connector: AnyConnector, reports: Reports): Promise<KitCheck | null> {
  const parser = reports.parsers.find(({ tool }) => tool === connector.parser?.tool);
  if (parser === undefined) return null;
  const recorded = reports.fixtures.reports?.[parser.tool] ?? [];
  const row = { tier: 'silver', name: 'reports', tried: recorded.length } as const;
  if (recorded.length === 0) {
    return { ...row, issues: [], notes: [`no report of ${parser.tool} was read: record one in "reports"`] };
  }
  const issues = await Promise.all(
    recorded.map((one, index) => issuesOf(parser, one, { index, folder: reports.folder })),
  );
  return { ...row, issues: issues.flat() };
}

async function issuesOf(
  parser: ReportParser,
  report: RecordedReport,
  { index, folder }: { index: number; folder: string },
): Promise<KitIssue[]> {
  const where = `reports.${parser.tool}, ${reportName(report, index)}`;
  const { expect } = report;
  try {
    const { bytes, fileName } = await readRecordedReport(report, index, folder);
    const records = await recordsOf(parser, bytes, bytes.byteLength);
    const again = await recordsOf(parser, bytes, PIECE_BYTES);
    const sureness = parser.recognise(bytes.subarray(0, HEAD_BYTES), fileName);
    const differs = expect === undefined ? ['nothing says what'] : differences(expect, records);
    return [
      ...differs.map((difference) => ({
        what: `the parser of ${parser.tool} yields otherwise than expected: ${difference}`,
        where,
        fix: `Correct the parser. ${UPDATE}`,
      })),
      ...differences(records, again, 1).map((difference) => ({
        what: `the parser of ${parser.tool} yields otherwise when a report comes in pieces: ${difference}`,
        where,
        fix: 'Keep what is behind the last whole record until more comes, and decode with { stream: true }.',
      })),
      ...unimportable(records).map((what) => ({
        what: `a finding cannot be imported: ${what}`,
        where,
        fix: 'Correct it.',
      })),
      ...(sureness >= 0.5
        ? []
        : [{ what: `recognise answers ${sureness} to a report of its own`, where, fix: 'Answer 0.5 or more.' }]),
    ];
  } catch (error) {
    const what = `the report cannot be read: ${error instanceof Error ? error.message : error}`;
    return [{ what, where, fix: 'Correct the path of the file, or the parser.' }];
  }
}

/** Why findings among records cannot be imported, in words. */
export function unimportable(records: Json): string[] {
  if (!Array.isArray(records)) return [];
  return records.filter((record) => record?.kind === 'finding').flatMap(findingIssues);
}

/** Everything that a parser yields of a report which comes in pieces of so many bytes, as JSON. */
export async function recordsOf(parser: ReportParser, bytes: Uint8Array, pieceBytes: number): Promise<Json> {
  const records: unknown[] = [];
  for await (const record of parser.parse(piecesOf(bytes, pieceBytes), { signal: new AbortController().signal })) {
    records.push(record);
  }
  return JSON.parse(JSON.stringify(records));
}

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}
