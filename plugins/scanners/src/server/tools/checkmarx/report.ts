import type { NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import { readRecords, type Tally } from '../../lib/json/records.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json/report.ts';
import { fields, label, list, number, text } from '../../lib/values/read.ts';
import { checkFinding } from './one-result.ts';
import { type SastFacts, sastFinding, stepOf, stepsOf } from './sast.ts';
import { packageOf, scaFinding } from './sca.ts';
import { dateOf, reportResultCheck, suppressionOf } from './schema.ts';

/** Reports that Checkmarx One's report service makes: by language and query, or (since 2024) by query alone. */

const QUERY: JsonShape = {
  queryName: 'value',
  queryPath: 'value',
  description: 'value',
  cweId: 'value',
  category: 'value',
  vulnerabilities: 'records',
  resultsList: 'records',
};
const PACKAGE: JsonShape = { name: 'value', packageName: 'value', packageVersion: 'value', vulnerabilities: 'records' };
const TECHNOLOGY: JsonShape = { name: 'value', vulnerabilities: 'records', queries: { each: QUERY } };

export const REPORT_SHAPE: JsonShape = {
  reportHeader: 'value',
  scanResults: {
    object: {
      sast: { object: { languages: { each: { languageName: 'value', queries: { each: QUERY } } } } },
      sca: { object: { packages: { each: PACKAGE } } },
      kics: { object: { results: { each: TECHNOLOGY } } },
      resultsList: { each: QUERY },
    },
  },
  iacScanResults: { object: { technology: { each: TECHNOLOGY } } },
  scaScanResults: { object: { packages: { each: PACKAGE } } },
  vulnerabilityDetails: 'value',
};

interface Reading {
  json: JsonReport;
  tally: Tally;
  signal: AbortSignal;
  /** What the report says of a weakness in general, by its number. */
  advice: ReadonlyMap<number, string>;
}

type Fields = Record<string, unknown>;

export function* reportFindings(
  json: JsonReport,
  document: JsonNode,
  tally: Tally,
  signal: AbortSignal,
): Generator<ReportRecord> {
  const reading = { json, tally, signal, advice: adviceOf(document.values.get('vulnerabilityDetails')) };
  const results = child(document, 'scanResults');
  for (const language of children(child(results, 'sast'), 'languages')) {
    const name = label(language.values.get('languageName'));
    for (const query of children(language, 'queries')) yield* queryFindings(reading, query, name);
  }
  for (const query of children(results, 'resultsList')) yield* queryFindings(reading, query, undefined);
  const packages = [
    ...children(child(results, 'sca'), 'packages'),
    ...children(child(document, 'scaScanResults'), 'packages'),
  ];
  for (const entry of packages) yield* each(reading, entry, 'vulnerabilities', (found) => packageFinding(found, entry));
  const technologies = [
    ...children(child(results, 'kics'), 'results'),
    ...children(child(document, 'iacScanResults'), 'technology'),
  ];
  for (const technology of technologies) yield* technologyFindings(reading, technology);
}

function child(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.children.get(key)?.[0];
}

function children(node: JsonNode | undefined, key: string): readonly JsonNode[] {
  return node?.children.get(key) ?? [];
}

function* each(
  { json, tally, signal }: Reading,
  node: JsonNode,
  name: string,
  make: (found: Fields) => NormalizedFinding,
): Generator<ReportRecord> {
  const ranges = node.records.get(name);
  if (ranges === undefined) return;
  const source = { report: json, ranges, list: name, check: reportResultCheck, tally, signal };
  yield* readRecords(source, (found) => make(fields(found)));
}

function adviceOf(details: unknown): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const entry of list(details).map(fields)) {
    const cwe = number(entry.cweId);
    const advice = text(entry.generalRecommendations);
    if (cwe !== undefined && advice !== undefined) found.set(cwe, advice);
  }
  return found;
}

function* queryFindings(reading: Reading, query: JsonNode, language: string | undefined): Generator<ReportRecord> {
  const { values } = query;
  const path = label(values.get('queryPath'))?.split('/');
  const name = label(values.get('queryName')) ?? path?.at(-1) ?? 'unnamed query';
  yield* each(reading, query, 'vulnerabilities', (found) => {
    const cwe = found.cweId ?? values.get('cweId');
    return sastFinding({
      ...commonOf(found),
      ...stepsAndPlace(found),
      ruleId: name,
      title: name,
      description: text(found.description) ?? text(values.get('description')),
      mitigation: reading.advice.get(number(cwe) ?? 0),
      cwe,
      group: label(found.groupName) ?? path?.[1],
      language: language ?? path?.[0],
      similarityId: label(found.similarityId),
      links: [found.resultViewerLink],
      tags: list(found.compliance)
        .map(label)
        .filter((tag) => tag !== undefined)
        .slice(0, 50),
    });
  });
}

/** The newest reports list only the source and name the sink beside it. */
function stepsAndPlace(found: Fields): Pick<SastFacts, 'steps' | 'place'> {
  const steps = stepsOf(found.nodes);
  const source = stepOf({ ...EMPTY, fileName: found.sourceFileName, line: found.sourceLine });
  const sink = stepOf({ ...EMPTY, fileName: found.destinationFileName, line: found.destinationLine });
  const first = steps[0] ?? source;
  const last = steps.at(-1) ?? first;
  const isNamed = sink !== undefined && (last?.path !== sink.path || last.startLine !== sink.startLine);
  const all = [...(steps.length > 0 ? steps : first === undefined ? [] : [first]), ...(isNamed ? [sink] : [])];
  return { steps: all, place: first };
}

const EMPTY = { fileName: undefined, line: undefined, column: undefined, name: undefined, code: undefined };

function commonOf(found: Fields) {
  return {
    severity: label(found.severity),
    suppressed: suppressionOf(found.state, found.status, found.comment),
    date: [found.firstFoundDate, found.firstDetectionDate, found.foundDate]
      .map(dateOf)
      .find((date) => date !== undefined),
  };
}

function packageFinding(found: Fields, entry: JsonNode): NormalizedFinding {
  const named = label(entry.values.get('name')) ?? label(entry.values.get('packageName'));
  const version = label(found.version) ?? label(found.packageVersion) ?? label(entry.values.get('packageVersion'));
  const component = packageOf(named, { name: label(entry.values.get('packageName')), version });
  return scaFinding({
    ...commonOf(found),
    id: label(found.similarityId) ?? label(found.id),
    cve: label(found.cveName) ?? label(found.cveId),
    component,
    score: found.cvssScore ?? found.score,
    cwe: found.cwe ?? found.cweId,
    description: text(found.description),
  });
}

function* technologyFindings(reading: Reading, technology: JsonNode): Generator<ReportRecord> {
  const platform = label(technology.values.get('name'));
  yield* each(reading, technology, 'vulnerabilities', (found) => configurationFinding(found, platform, {}));
  for (const query of children(technology, 'queries')) {
    const values = Object.fromEntries(query.values);
    for (const name of ['resultsList', 'vulnerabilities']) {
      yield* each(reading, query, name, (found) => configurationFinding(found, platform, values));
    }
  }
}

function configurationFinding(found: Fields, platform: string | undefined, query: Fields): NormalizedFinding {
  const name = label(found.queryName) ?? label(query.queryName);
  return checkFinding({
    ...commonOf(found),
    ruleId: name,
    title: name,
    type: 'IaC',
    description: text(found.description) ?? text(query.description),
    expected: text(found.expectedValue),
    actual: text(found.actualValue),
    category: label(found.category) ?? label(query.category),
    file: found.fileName,
    line: found.line,
    similarityId: label(found.similarityId),
    links: [found.resultViewerLink],
    tags: [platform],
  });
}
