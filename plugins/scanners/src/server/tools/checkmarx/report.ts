import type { NormalizedFinding } from '@breakwater/sdk';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { fields, label, list, number, text } from '../../lib/values/read.ts';
import { checkFinding } from './one-result.ts';
import { type SastFacts, sastFinding, stepOf, stepsOf } from './sast.ts';
import { packageOf, scaFinding } from './sca.ts';
import { dateOf, suppressionOf } from './schema.ts';

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

type Fields = Record<string, unknown>;

/** How a result is read that stands below a query, a package or a technology; undefined elsewhere. */
export function reportFinding(node: JsonNode): ((found: Fields) => NormalizedFinding) | undefined {
  const above = node.parent?.key;
  if (node.key === 'packages') return (found) => packageFinding(found, node);
  if (node.key === 'queries' && (above === 'results' || above === 'technology')) {
    const query = Object.fromEntries(node.values);
    const platform = label(node.parent?.values.get('name'));
    return (found) => configurationFinding(found, platform, query);
  }
  if (node.key === 'queries' || node.key === 'resultsList') {
    const advice = adviceOf(node.root.values.get('vulnerabilityDetails'));
    const language = label(node.parent?.values.get('languageName'));
    return (found) => queryFinding(found, node, language, advice);
  }
  if (node.key !== 'results' && node.key !== 'technology') return undefined;
  const platform = label(node.values.get('name'));
  return (found) => configurationFinding(found, platform, {});
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

function queryFinding(
  found: Fields,
  { values }: JsonNode,
  language: string | undefined,
  advice: ReadonlyMap<number, string>,
): NormalizedFinding {
  const path = label(values.get('queryPath'))?.split('/');
  const name = label(values.get('queryName')) ?? path?.at(-1) ?? 'unnamed query';
  const cwe = found.cweId ?? values.get('cweId');
  return sastFinding({
    ...commonOf(found),
    ...stepsAndPlace(found),
    ruleId: name,
    title: name,
    description: text(found.description) ?? text(values.get('description')),
    mitigation: advice.get(number(cwe) ?? 0),
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
