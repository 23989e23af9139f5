import type { ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { lastingName, partOf, scanFailure } from '../../lib/findings/coverage.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, label, list, number } from '../../lib/values/read.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { fileFinding, isCsv, parseRows, queryOf, type VulnerableFile, vulnerableFileCheck } from './query.ts';

const QUERY: JsonShape = {
  query_name: 'value',
  query_id: 'value',
  query_url: 'value',
  severity: 'value',
  platform: 'value',
  cwe: 'value',
  riskScore: 'value',
  cloud_provider: 'value',
  category: 'value',
  description: 'value',
  cis_description_text: 'value',
  cis_description_id: 'value',
  cis_benchmark_name: 'value',
  files: 'records',
};
const SHAPE: JsonShape = {
  kics_version: 'value',
  files_scanned: 'value',
  files_failed_to_scan: 'value',
  queries_failed_to_execute: 'value',
  total_counter: 'value',
  paths: 'value',
  scanned_files: 'value',
  start: 'value',
  end: 'value',
  queries: { each: QUERY },
};
const SARIF = SARIF_WRITERS.kics;
const NAME = SARIF.name;

function recogniseKics(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'queries', 'query_name') || innerHas(sketch, 'queries', 'query_id')) return 0.98;
  if (hasKeys(sketch, 'kics_version') || hasKeys(sketch, 'queries_total', 'files_scanned')) return 0.98;
  if (isCsv(startText(head))) return 0.98;
  return hasKeys(sketch, 'queries', 'scanned_files') ? 0.9 : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseKics = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) =>
    isCsv(start) ? (whole) => parseRows(whole, NAME, options) : (whole) => parseJson(whole, options),
  );

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE, writesNullLists: true }, (tally) =>
    createReader(tally, options),
  );

const createReader = (tally: Tally, { family }: ParseOptions): StreamReader => ({
  lists: {
    files: (node) => {
      if (node === undefined || !node.isClosed) return LATER;
      const query = queryOf(node.values, family);
      const read = (file: VulnerableFile) => (query === undefined ? undefined : fileFinding(file, query));
      return { check: vulnerableFileCheck, read };
    },
    report: () => {
      throw wrongTool(NAME, 'a part of it has no “queries”');
    },
  },
  *document(document) {
    const isOurs = ['kics_version', 'files_scanned', 'scanned_files'].some((name) => document.values.has(name));
    const queries = document.children.get('queries');
    // Until 1.1 an empty list is written as null.
    if (queries === undefined && !isOurs) throw wrongTool(NAME, 'it has no “queries”');
    yield reportInfo(document);
    yield* coverageOf(document);
    for (const node of queries ?? [])
      if (queryOf(node.values, family) === undefined || !node.lists.has('files'))
        yield* tally.addUnreadable(node.path, 'has no “query_id” or no “files”');
  },
});

/** How many of what the summary counts is a number above 0. */
const countOf = (document: JsonNode, name: string): number => Math.max(0, number(document.values.get(name)) ?? 0);

function* coverageOf(document: JsonNode): Generator<ReportRecord> {
  yield* partOf({ path: pathOf(document) });
  const files = countOf(document, 'files_failed_to_scan');
  const queries = countOf(document, 'queries_failed_to_execute');
  if (files > 0) yield scanFailure(`${files} files could not be scanned.`);
  if (queries > 0) yield scanFailure(`${queries} queries could not be executed.`);
  const results = countOf(document, 'total_counter');
  if (results > 0 && !document.children.has('queries'))
    yield scanFailure(`The summary counts ${results} results, but none is listed.`);
}

/** The folders that were scanned, without the mount point of the container. */
function pathOf(document: JsonNode): string | undefined {
  const paths = list(document.values.get('paths')).map((path) => lastingName(label(path)?.replace(/^\/path\//, '')));
  return paths.length === 0 || paths.includes(undefined) ? undefined : paths.toSorted().join(' + ');
}

function reportInfo({ values }: JsonNode): ReportInfo {
  return defined({
    kind: 'report' as const,
    toolName: NAME,
    toolVersion: label(values.get('kics_version')),
    date: isoDate(values.get('end')) ?? isoDate(values.get('start')),
  });
}

export const kics: ReportParser = {
  tool: 'kics',
  formats: ['json', 'csv', 'sarif'],
  reads: orSarif({
    part: { path: '`paths`, relative or below `/path`' },
    failure: [
      '`files_failed_to_scan` or `queries_failed_to_execute` above 0',
      '`total_counter` above 0 without `queries`',
    ],
    identity: 'query, path and resource',
  }),
  recognise: recogniseKics,
  parse: advised(parseKics, 'kics scan --report-formats json'),
};
