import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { scanFailure, scanFailures, scannedFiles } from '../../lib/findings/coverage.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { defined, label, list } from '../../lib/values/read.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { type PlatformFinding, platformCheck, platformFinding } from './platform.ts';
import { createResultReader, resultCheck, supplyChainFinding, vulnerabilityCheck } from './result.ts';

const SHAPE: JsonShape = {
  version: 'value',
  errors: 'value',
  paths: { object: { scanned: 'value' } },
  results: 'records',
  vulns: 'records',
  findings: 'records',
};
const SARIF = SARIF_WRITERS.opengrep;
const NAME = SARIF.name;

function recogniseOpengrep(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'check_id', 'path', 'extra') || innerHas(sketch, 'results', 'check_id', 'path')) return 0.98;
  if (hasKeys(sketch, 'results', 'errors', 'paths') && !hasKeys(sketch, 'metrics')) return 0.9;
  // Keys are sorted: long `errors` and `paths` can fill the head before `results` comes.
  if (hasKeys(sketch, 'errors', 'interfile_languages_used')) return 0.85;
  if (innerHas(sketch, 'errors', 'code', 'level', 'message', 'type')) return 0.8;
  if (hasKeys(sketch, 'errors', 'paths') && innerHas(sketch, 'paths', 'scanned')) return 0.8;
  if (innerHas(sketch, 'findings', 'rule_name', 'location')) return 0.95;
  return innerHas(sketch, 'vulns', 'advisory', 'matchedDependency') ? 0.9 : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseOpengrep = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE }, () => {
    const read = createResultReader();
    let isEmpty = true;
    const readResult = (result: Parameters<typeof read>[0]) => {
      isEmpty = false;
      return read(result);
    };
    const results = { check: resultCheck, read: readResult };
    const platform = { check: platformCheck, read: (found: PlatformFinding) => platformFinding(found) };
    const vulnerabilities = { check: vulnerabilityCheck, read: supplyChainFinding };
    return {
      lists: { results: () => results, report: () => results, vulns: () => vulnerabilities, findings: () => platform },
      *document(document) {
        yield* reportInfo(document);
        yield* coverageOf(document, isEmpty);
      },
    };
  });

function* reportInfo(document: JsonNode): Generator<ReportRecord> {
  if (!['results', 'vulns', 'findings'].some((name) => document.lists.has(name)))
    throw wrongTool(NAME, 'it has no “results”');
  yield defined({
    kind: 'report' as const,
    toolName: 'OpenGrep',
    toolVersion: label(document.values.get('version')),
  });
}

function* coverageOf(document: JsonNode, isEmpty: boolean): Generator<ReportRecord> {
  const scanned = document.child('paths')?.values.get('scanned');
  yield* scannedFiles(list(scanned));
  if (isEmpty && Array.isArray(scanned) && scanned.length === 0) yield scanFailure('No file was scanned.');
  yield* scanFailures(document.values.get('errors'), ({ level, message, type }) =>
    level === 'error' ? (label(message) ?? label(type) ?? 'The tool reports an error.') : undefined,
  );
}

export const opengrep: ReportParser = {
  tool: 'opengrep',
  aliases: ['semgrep'],
  formats: ['json', 'sarif'],
  reads: orSarif({
    part: {},
    files: '`paths.scanned`',
    failure: ['`errors[].level` is `error`', '`paths.scanned` and `results` are empty'],
    identity: 'rule, path and code',
  }),
  recognise: recogniseOpengrep,
  parse: parseOpengrep,
};
