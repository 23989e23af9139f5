import type {
  NormalizedFinding,
  ParseOptions,
  ReportInfo,
  ReportParser,
  ReportRecord,
  Severity,
} from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { partOf } from '../../lib/findings/coverage.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromScore, severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, labels, list, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'Kubescape';

/** A resource with all controls that were checked at it. Source: kubescape 2 and 3, `--format json --format-version v2`. */
const Result = Type.Object({ resourceID: Type.String({ minLength: 1 }), controls: Type.Array(Type.Unknown()) });
type Result = Static<typeof Result>;
const resultCheck = recordCheck(Result);

const FORMAT: JsonFormat = {
  name: NAME,
  shape: {
    generationTime: 'value',
    clusterName: 'value',
    summaryDetails: { object: { controls: 'value' } },
    resources: 'records',
    results: 'records',
    metadata: 'value',
  },
  writesNullLists: true,
};

function recogniseKubescape(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (!hasKeys(sketch, 'summaryDetails')) return 0;
  return ['customerGUID', 'reportGUID', 'clusterName', 'results'].some((key) => sketch.keys.has(key)) ? 0.97 : 0;
}

type Fields = Record<string, unknown>;

/** What stands apart from the results: resources by id, and what the summary says of controls. */
interface Scan {
  resources: ReadonlyMap<string, Place>;
  controls: Fields;
}

/** Where a resource is. Only what findings need of it: a report holds all resources of a cluster. */
interface Place {
  name: string | undefined;
  path: string | undefined;
}

function placeOf(value: unknown): Place {
  const { object, source } = fields(value);
  const { kind, metadata } = fields(object);
  const { name, namespace } = fields(metadata);
  const parts = [label(namespace), label(kind), label(name)].filter((part) => part !== undefined);
  return { name: parts.length === 0 ? undefined : parts.join('/'), path: normalisePath(fields(source).relativePath) };
}

function* resultFindings(result: Result, scan: Scan): Generator<NormalizedFinding> {
  const place = scan.resources.get(result.resourceID);
  for (const value of result.controls) {
    const control = fields(value);
    const { status, subStatus } = fields(control.status);
    const isExempted = /exception/i.test(label(subStatus) ?? '');
    if (status !== 'failed' && !isExempted) continue;
    yield controlFinding(control, { place, scan, id: result.resourceID, isExempted });
  }
}

interface Found {
  place: Place | undefined;
  scan: Scan;
  id: string;
  isExempted: boolean;
}

function controlFinding(control: Fields, { place, scan, id, isExempted }: Found): NormalizedFinding {
  const ruleId = label(control.controlID) ?? 'unnamed control';
  const summary = fields(scan.controls[ruleId]);
  const word = label(control.severity) ?? label(summary.severity);
  const score = number(summary.scoreFactor);
  const path = place?.path;
  const category = label(fields(summary.category).name);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(control.name) ?? text(summary.name) ?? ruleId),
    type: path === undefined ? ('Configuration' as const) : ('IaC' as const),
    severity: severityFromWord(word) ?? severityOf(score),
    nativeSeverity: word ?? label(score),
    description: paragraphs(text(control.description) ?? text(summary.description), pathsOf(control.rules)),
    mitigation: text(control.remediation) ?? text(summary.remediation),
    references: [`https://kubescape.io/docs/controls/${encodeURIComponent(ruleId.toLowerCase())}/`],
    locations: path === undefined ? undefined : [{ path }],
    resource: place?.name ?? label(id),
    policy: defined({ category, control: ruleId }),
    suppressed: isExempted
      ? { verdict: 'accepted_risk' as const, reason: 'Exempted by an exception of Kubescape.' }
      : undefined,
  });
}

/** Bands of the score, as the console shows them: 9 critical, 7 high, 4 medium, 1 low. */
const severityOf = (score: number | undefined): Severity => severityFromScore(score) ?? 'informational';

/** Fields of the resource that fail, and what would mend them. */
function pathsOf(rules: unknown): string | undefined {
  const lines = list(rules)
    .flatMap((rule) => list(fields(rule).paths))
    .slice(0, 50)
    .flatMap((value) => {
      const { failedPath, fixPath } = fields(value);
      const { path, value: wanted } = fields(fixPath);
      const fix = label(path);
      return [label(failedPath), fix === undefined ? undefined : `${fix} = ${label(wanted) ?? ''}`];
    });
  const said = labels(lines.filter((line) => line !== undefined && line !== ''));
  return said.length === 0 ? undefined : `Fields: ${said.join(', ')}`;
}

function createReader(): StreamReader {
  const found = new WeakMap<JsonNode, Map<string, Place>>();
  const resourcesIn = (node: JsonNode): Map<string, Place> => {
    const known = found.get(node) ?? new Map<string, Place>();
    found.set(node, known);
    return known;
  };
  return {
    lists: {
      report: () => {
        throw notOurs();
      },
      // They stand in front of the results in one version, behind them in another.
      resources: (node) => ({
        keep(value) {
          const id = label(fields(value).resourceID);
          if (node !== undefined && id !== undefined) resourcesIn(node).set(id, placeOf(value));
        },
      }),
      results: (node) => {
        if (node?.isClosed !== true) return LATER;
        const controls = fields(node.child('summaryDetails')?.values.get('controls'));
        const scan = { resources: resourcesIn(node), controls };
        return { check: resultCheck, read: (result: Result) => resultFindings(result, scan) };
      },
    },
    *document(document) {
      if (!document.lists.has('results') && !document.children.has('summaryDetails')) throw notOurs();
      yield reportInfo(document);
      yield* partOf({ framework: frameworkOf(document) });
    },
  };
}

const notOurs = () => wrongTool(NAME, 'it has no “results” with “summaryDetails”');

function reportInfo({ values }: JsonNode): ReportInfo {
  const scan = fields(fields(values.get('metadata')).scanMetadata);
  return defined({
    kind: 'report' as const,
    toolName: NAME,
    toolVersion: label(scan.kubescapeVersion),
    target: label(values.get('clusterName')),
    date: isoDate(values.get('generationTime')),
  });
}

/** The framework or control that was asked for; of several nobody knows which belongs to which. */
function frameworkOf({ values }: JsonNode): string | undefined {
  const names = labels(fields(fields(values.get('metadata')).scanMetadata).targetNames);
  return names.length === 1 ? names[0] : undefined;
}

/** @throws ReportError */
const parseKubescape = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, createReader);

export const kubescape: ReportParser = {
  tool: 'kubescape',
  formats: ['json'],
  reads: {
    part: { framework: '`metadata.scanMetadata.targetNames`, where there is one only' },
    failure: [],
    identity: 'control and resource',
  },
  recognise: recogniseKubescape,
  parse: advised(parseKubescape, 'kubescape scan --format json'),
};
