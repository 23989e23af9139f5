import type {
  NormalizedFinding,
  ParseOptions,
  ReportCoverage,
  ReportInfo,
  ReportParser,
  ReportRecord,
} from '@breakwater/sdk';
import { lastingName, partOf } from '../../lib/findings/coverage.ts';
import { imageName } from '../../lib/findings/packages.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER } from '../../lib/json/stream-parser.ts';
import { defined, fields, label } from '../../lib/values/read.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { createMatchReader, type GrypeScan, type Match, matchCheck } from './match.ts';

const SHAPE: JsonShape = { matches: 'records', ignoredMatches: 'records', source: 'value', descriptor: 'value' };
/** Findings that wait for what was scanned; matches that come after so many are held as they were written. */
const MAX_WAITING = 65_536;
const SARIF = SARIF_WRITERS.grype;
const NAME = SARIF.name;

function recogniseGrype(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'matches', 'vulnerability', 'artifact')) return 0.98;
  if (hasKeys(sketch, 'vulnerability', 'artifact', 'matchDetails')) return 0.9;
  return hasKeys(sketch, 'matches') && (hasKeys(sketch, 'descriptor') || hasKeys(sketch, 'source'))
    ? 0.9
    : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseGrype = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE, writesNullLists: true }, () => {
    const read = createMatchReader();
    // What was scanned stands behind the matches in what Grype writes itself.
    const waiting: NormalizedFinding[] = [];
    const completed = (scan: GrypeScan): NormalizedFinding[] => {
      for (const finding of waiting) Object.assign(finding, scan);
      return waiting.splice(0);
    };
    const matches = (isIgnored: boolean) => (document: JsonNode | undefined) => {
      const isOpen = document !== undefined && !document.isClosed && !document.values.has('source');
      if (isOpen && waiting.length >= MAX_WAITING) return LATER;
      const scan = scanOf(document, options.family);
      const finding = (match: Match) => read(match, scan, isIgnored);
      if (isOpen) return { check: matchCheck, read: (match: Match) => void waiting.push(finding(match)) };
      const inOrder = (match: Match) => (waiting.length === 0 ? finding(match) : [...completed(scan), finding(match)]);
      return { check: matchCheck, read: inOrder };
    };
    return {
      lists: { matches: matches(false), report: matches(false), ignoredMatches: matches(true) },
      *document(document) {
        yield* completed(scanOf(document, options.family));
        yield* reportInfo(document);
      },
    };
  });

function scanOf(document: JsonNode | undefined, family: string | undefined): GrypeScan {
  const source = fields(document?.values.get('source'));
  const image = targetImage(source);
  const kind = label(source.type);
  // What was scanned is a fact of the report; the catalogue's family only helps where the report is silent.
  const isImage = kind === undefined ? family === 'Container' : kind === 'image';
  return defined({ type: isImage ? ('Container' as const) : ('SCA' as const), resource: image });
}

function targetImage(source: Record<string, unknown>): string | undefined {
  return source.type === 'image' ? imageName(label(fields(source.target).userInput)) : undefined;
}

function* reportInfo(document: JsonNode): Generator<ReportInfo | ReportCoverage> {
  if (!document.lists.has('matches')) throw wrongTool(NAME, 'it has no “matches”');
  const descriptor = fields(document.values.get('descriptor'));
  yield defined({
    kind: 'report' as const,
    toolName: 'Grype',
    toolVersion: label(descriptor.version),
    target: targetImage(fields(document.values.get('source'))),
    date: isoDate(descriptor.timestamp),
  });
  const source = fields(document.values.get('source'));
  if (source.type !== 'image') yield* partOf({ source: lastingName(source.target) });
}

export const grype: ReportParser = {
  tool: 'grype',
  formats: ['json', 'sarif'],
  reads: orSarif({
    part: { source: '`source.target` of a folder, unless it is a checkout folder' },
    failure: [],
    identity: 'vulnerability, package and path',
  }),
  recognise: recogniseGrype,
  parse: parseGrype,
};
